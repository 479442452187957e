import { stringWidth } from "../text-width.ts";
import type { Format } from "./format.ts";
import type { View } from "./view.ts";

/** What can be pressed now, as much of it as fits on one line; how to decide and how to leave stand longest. */
export function hintLine(
  { asking, negotiation }: View,
  { width, texts: { keys } }: Pick<Format, "width" | "texts">,
): string {
  const decide = asking ? [keys.decide] : [];
  const choose = (negotiation?.participants.length ?? 0) > 0 ? [keys.choose] : [];
  const hints = [
    [...decide, ...choose, keys.open, keys.help, keys.leave],
    [...decide, ...choose, keys.open, keys.help, keys.leaveShort],
    [...decide, keys.help, keys.leaveShort],
    [...decide, keys.leaveShort],
  ].map((some) => some.join(" · "));
  return hints.find((hint) => stringWidth(hint) <= width) ?? hints.at(-1) ?? "";
}
