import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { locate } from "../../src/mcp/resources/table.ts";
import { CursorInvalid, cursorBehind, keyOf } from "../../src/tools/cursor.ts";
import { anyText, mutatedBytes } from "./material.ts";
import { target } from "./target.ts";

const GOOD = [
  "towow://evidence/recent",
  "towow://negotiations/neg_0123456789ab",
  "towow://negotiations/neg_0123456789ab/plan?page=2",
  "towow://negotiations/neg_0123456789ab/offers/agent%20one?page=3",
  "towow://negotiations?state=over&limit=3&since=2026-11-21",
  "towow://scenes?query=design%20work&status=active",
  "towow://schemas/towow_join.input",
];

/** Resource addresses and list cursors: found, or refused; a cursor leads nowhere but where its list ended. */
export const addresses = target({
  name: "addresses and cursors",
  batch: 1_000,
  input: fc.record({
    uri: fc.oneof(
      mutatedBytes(fc.constantFrom(...GOOD).map((it) => Buffer.from(it))).map((it) => it.toString("latin1")),
      fc.tuple(anyText, anyText).map(([id, agent]) => `towow://negotiations/${id}/offers/${agent}?page=1`),
      anyText,
    ),
    key: anyText,
    list: anyText,
    bend: fc.oneof(anyText, fc.nat(80)),
  }),
  open: () => ({
    check({ uri, key, list, bend }) {
      const found = located(uri);
      if (found !== undefined && Object.values(found.ids).some((id) => /^\.\.?$|^$/.test(id))) throw new Error(uri);
      const cursor = cursorBehind(key, list);
      if (keyOf(cursor, list) !== JSON.parse(JSON.stringify(key))) throw new Error("another place");
      const bent =
        typeof bend === "string" ? cursor.replace(".", bend) : cursor.slice(0, bend) + cursor.slice(bend + 1);
      if (bent !== cursor) expectRefused(bent, list);
      expectRefused(cursor, `${list}x`);
    },
  }),
});

/** A query that an address does not know is an error of the protocol. */
function located(uri: string): ReturnType<typeof locate> {
  try {
    return locate(uri);
  } catch (error) {
    if (error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams) return undefined;
    throw error;
  }
}

function expectRefused(cursor: string, list: string): void {
  let key: string | undefined;
  try {
    key = keyOf(cursor, list);
  } catch (error) {
    if (error instanceof CursorInvalid) return;
    throw error;
  }
  throw new Error(`forged, and taken for ${key}: ${cursor}`);
}
