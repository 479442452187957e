import { h } from "preact";
import { render } from "preact-render-to-string";
import { App } from "../../src/room/page/app.tsx";
import { paint } from "../../src/room/page/paint.tsx";
import { type Boot, type Store, store, storeOf } from "../../src/room/page/store.ts";
import type { RoomState } from "../../src/room/room-state.ts";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { roomTexts } from "../../src/text/room.ts";
import { DRAWING, NOW } from "./room-parts.ts";

/** What the page of a state begins with. `late`: why the click that led here changed nothing. */
function bootOf(state: RoomState, late?: string): Boot {
  const { offline, gone } = roomTexts(state.lang);
  const spec = uiSpec(state, DRAWING);
  return { spec, room: "r", revision: 1, base: "", now: NOW, isMoving: false, offline, gone, late };
}

/** The page of a state, as the server paints it. */
export const painted = (state: RoomState, late?: string): string =>
  paint(bootOf(state, late), { script: "room.js", style: "room.css" });

/** The same page where its script runs, as far as a browser knows more than the room. */
export function paintedLive(state: RoomState, here: Partial<Store>): string {
  const before = storeOf(bootOf(state));
  store.value = { ...before, isLive: true, ...here };
  const body = render(h(App, {}));
  store.value = undefined;
  return `<html><head><title>${before.spec.title}</title></head><body>${body}</body></html>`;
}
