import { expect } from "vitest";
import type { Called } from "../support/clients.ts";

/** What a stack or a path of the program looks like. */
export const STACK = /\n\s+at \S|\bat (async )?\S+ \(|node:internal|file:\/\/|\/(src|dist|node_modules)\/|\.[jt]s:\d+/;
/** A command as this program is started here, where the PATH does not know it by its name. */
const OWN_COMMAND = /(TOWOW_HOME=\S+ )?\S+\/node \S+\/dist\/cli\.js/g;
const NORMAL = ["towow_join", "towow_demand", "towow_status", "towow_set_mode"];

/** A failure that a person and a model can go on from, in the channel that every client shows. */
export function expectFailure(
  { result, text, isError }: Called,
  code: string,
  listed: readonly string[] = NORMAL,
  what = text,
) {
  expect(result.error?.code, what).toBe(code);
  expect([isError, result.status, result.data], what).toEqual([true, "error", null]);
  const { message, recovery_suggestion, next_steps } = result.error!;
  expect(text.startsWith(`${code}: ${message}\n${recovery_suggestion}`), what).toBe(true);
  for (const tool of next_steps) expect(text, what).toMatch(new RegExp(`next_steps: .*\\b${tool}\\b`));
  expect(
    next_steps.filter((tool) => !listed.includes(tool)),
    what,
  ).toEqual([]);
  expect(message, what).not.toMatch(/\{\w+\}|(^|[\s(])\?($|[\s).,:])/);
  expect((text + JSON.stringify(result)).replaceAll(OWN_COMMAND, "towow-mcp"), what).not.toMatch(STACK);
}
