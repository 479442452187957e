import { signal } from "@preact/signals";
import type { UiSpec } from "../ui-spec-schema.ts";

/** The data from which the page was first painted. */
export interface Boot {
  spec: UiSpec;
  room: string;
  /** The number of this drawing, by which the page drops an answer that a newer one has overtaken. */
  revision: number;
  /** The path below which the room's addresses stand, without a trailing slash. */
  base: string;
  /** The time by the server's clock, in ms since the epoch, because countdowns must not trust the browser's clock. */
  now: number;
  /** True if something changes by itself, so that a page without a script has to load again. */
  isMoving: boolean;
  /** What the page says while it cannot reach the room. */
  offline: string;
  /** What the page says if the room is no longer open here but the page holds words that exist nowhere else. */
  gone: string;
  /** Why the click that led here changed nothing. */
  late?: string | undefined;
}

/** The page's state in this browser. It holds no decision, and nothing that the room does not get. */
export interface Store {
  spec: UiSpec;
  room: string;
  revision: number;
  base: string;
  now: number;
  /** What is typed and not yet sent, by field. */
  drafts: Readonly<Record<string, string>>;
  /** True if a script runs. Without a script, typed words are known only once their button is pressed. */
  isLive: boolean;
  /** True if a click is on its way. */
  isSending: boolean;
  isOffline: boolean;
  offline: string;
  isGone: boolean;
  gone: string;
  /** Why this window's last click changed nothing. */
  late: string | undefined;
  /** True if the buttons that send are disabled until a text, or an agent's change, has been seen to its end. */
  isTextHeld: boolean;
  /** True if some of that text is still below the window. */
  hasMore: boolean;
  /** True while the stage has only just begun, so that its buttons are disabled. */
  isNewStage: boolean;
  /** The id of the part of the sheet under the pointer or the focus. */
  lit: string | undefined;
  /** The size of the map, in pixels. Undefined until it was measured. */
  mapWidth: number | undefined;
  mapHeight: number | undefined;
}

export const storeOf = ({ spec, room, revision, base, now, offline, gone, late }: Boot): Store => ({
  spec,
  room,
  revision,
  base,
  now,
  drafts: {},
  isLive: false,
  isSending: false,
  isOffline: false,
  offline,
  isGone: false,
  gone,
  late,
  isTextHeld: false,
  hasMore: false,
  isNewStage: false,
  lit: undefined,
  mapWidth: undefined,
  mapHeight: undefined,
});

export const store = signal<Store | undefined>(undefined);

/** Returns the page's one state. On the server it is set for the length of one paint. */
export function current(): Store {
  const { value } = store;
  if (value === undefined) throw new Error("none");
  return value;
}

/** Replaces the given values of the page's state, and leaves the others as they are. */
export function updateStore(changed: Partial<Store>): void {
  store.value = { ...current(), ...changed };
}

/** Returns what a field shows: what is being typed, or else what the room has. */
export const shownValue = (id: string, value: string): string => current().drafts[id] ?? value;
