import { COLOURS } from "../terminal/colours.ts";
import { type Cell, table } from "../terminal/table.ts";
import type { Format } from "./format.ts";

/** What each key does, in place of the agents. */
export function helpLines({ width, paint, texts: { help } }: Format): string[] {
  const row = (key: string, meaning: string): Cell[] => [
    { text: key, style: ["bold", COLOURS.act] },
    { text: meaning },
  ];
  const rows = [
    row("c", help.decide),
    row("↑ ↓", help.choose),
    row("o", help.open),
    row("?", help.help),
    row("q", help.leave),
  ];
  return table([{ title: "" }, { title: "", tooWide: "wrap" }], rows, { width, paint, titles: false });
}
