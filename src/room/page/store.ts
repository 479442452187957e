import { signal } from "@preact/signals";
import type { UiSpec } from "../ui-spec-schema.ts";

/** What the page was first painted from. */
export interface Boot {
  spec: UiSpec;
  room: string;
  /** Which drawing of this room it is. */
  revision: number;
  /** The path below which the room's addresses stand, without a slash at its end. */
  base: string;
  /** Ms since the epoch, by the server's clock: countdowns do not trust the browser's. */
  now: number;
  /** Whether something goes on by itself, so that a page without a script has to look again. */
  isMoving: boolean;
  /** What the page says when it can no longer hear the room. */
  offline: string;
  /** What it says when the room is not open here any more, and words stand on the page that nobody else has. */
  gone: string;
  /** Why the click that led here changed nothing. */
  late?: string | undefined;
}

/** What this browser knows beside the spec. It holds no decision and nothing that the room does not get. */
export interface Store {
  spec: UiSpec;
  room: string;
  revision: number;
  base: string;
  now: number;
  /** What is typed and not sent yet, by field. */
  drafts: Readonly<Record<string, string>>;
  /** Whether a script runs: without one, what is typed is known only when its button is pressed. */
  isLive: boolean;
  /** A click is on its way. */
  isSending: boolean;
  isOffline: boolean;
  offline: string;
  isGone: boolean;
  gone: string;
  /** Why this window's last click changed nothing. */
  late: string | undefined;
  /** Whether what sends is held: until a text, or an agent's change, has been seen to its end. */
  isGuarded: boolean;
  /** Whether some of it is still below. */
  hasMore: boolean;
  /** Whether the stage has only just begun. */
  isNewStage: boolean;
  /** The part of the sheet under the pointer or the focus. */
  lit: string | undefined;
  /** Of the map, in pixels; undefined until it was measured. */
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
  isGuarded: false,
  hasMore: false,
  isNewStage: false,
  lit: undefined,
  mapWidth: undefined,
  mapHeight: undefined,
});

export const store = signal<Store | undefined>(undefined);

/** The page's one state. On the server it is set for the length of one paint. */
export function current(): Store {
  const { value } = store;
  if (value === undefined) throw new Error("none");
  return value;
}

export function change(changed: Partial<Store>): void {
  store.value = { ...current(), ...changed };
}

/** What a field shows: what is being typed, else what the room has. */
export const shownValue = (id: string, value: string): string => current().drafts[id] ?? value;
