import { expect, it } from "vitest";
import { textsAtEndpoint } from "../../src/text/at-endpoint.ts";

/** What only a terminal, a client of one's own machine or its settings has. */
const ELSEWHERE = /towow-mcp|TOWOW_|--\w|终端|\bterminal\b/;
/** What only the command line and the start of a program say; the operator reads these. */
const OF_OPERATOR = /^tool\.config\.|not_http|terminal_needed|yes_missing/;
const ROOM = "https://towow.example/room";

const saidIn = (value: unknown): string[] => {
  if (typeof value === "function") return saidIn(value("neg_1", "towow_demand"));
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(saidIn) : [];
};

it("nobody at an endpoint is sent to a terminal: they have their room there", () => {
  for (const lang of ["en", "zh"] as const) {
    const { errors, note, pause, task, pageQuestion, unshown } = textsAtEndpoint(lang, ROOM);
    const ways = Object.entries(errors).filter(([code]) => !OF_OPERATOR.test(code));
    // Of the command line alone, and of a server that a client started.
    const { noCommand, commandEnds, keptBy, keptHere, ...rest } = pause;
    const { title, ...asked } = pageQuestion as Record<string, unknown>;
    const said = [...ways.flatMap(([, text]) => saidIn(text)), ...saidIn([note, rest, task, asked, unshown])];
    expect(said.filter((text) => ELSEWHERE.test(text))).toEqual([]);
    expect(said.filter((text) => text.includes(ROOM)).length).toBeGreaterThan(10);
  }
});

it("where an endpoint has no room, their own program decides, by the same token", () => {
  expect(textsAtEndpoint("en").pause.inTerminal("neg_1")).toBe(
    "with their own towow-mcp, in the same network and with the same token: towow-mcp confirm neg_1",
  );
});
