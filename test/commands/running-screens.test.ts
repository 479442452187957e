import { describe, it } from "vitest";
import { program } from "../support/program.ts";
import { expectScreens, LANGS, type Lang } from "../support/screens.ts";
import { person } from "../support/terminal.ts";
import { CTRL_C, machineWithBackend } from "./screens-support.ts";

/** What goes on until it is stopped: the room in a browser, and the endpoint for many users. */

const runs =
  (line: string, { isTyped = true, until = /Ctrl-C/ } = {}) =>
  async (lang: Lang): Promise<string> => {
    const it = await machineWithBackend(lang, { auth: false });
    it.known();
    const id = await it.demand({ intent: "A designer" });
    const terminal = { columns: 100, rows: 24 };
    const child = program(line.replace("<id>", id).split(" "), {
      env: it.env,
      clock: it.clock,
      ...(isTyped && { terminal }),
    });
    child.stderr?.resume(); // its log
    const user = person(child);
    await user.sees(until);
    if (isTyped) user.presses(CTRL_C);
    else child.kill("SIGTERM");
    const status = await user.exit;
    it.masks.push(...SECRETS);
    return it.shown(`${user.screen()}${isTyped ? "\n" : ""}── exit ${status}\n`);
  };

/** Its own address, and the secrets in it; and its log, which is written when there is time. */
const SECRETS: [RegExp, string][] = [
  [/2026-11-21 \d\d:\d\d:\d\d {2}.*\n/g, ""],
  [/(?<=127\.0\.0\.1:)\d+/g, "8081"],
  [/(?<=\/room\/|\/enter\/|token=)[\w-]{21,}/g, "‹secret›"],
];

const RUNNING: Record<string, (lang: Lang) => Promise<string>> = {
  open: runs("open"),
  "open one": runs("open <id>"),
  "open, for an agent": runs("open --agent"),
  "open, without a terminal": async (lang) => (await machineWithBackend(lang, { auth: false })).runs("open"),
  serve: runs("serve --port 0", { until: /\/mcp/ }),
  "serve, without sign-in": runs("serve --port 0 --sign-in off", { until: /\/mcp/ }),
  "serve, by sign-in alone": runs("serve --port 0 --own-tokens off", { until: /\/mcp/ }),
  "serve, without a terminal": runs("serve --port 0", { isTyped: false, until: /\/mcp/ }),
};

describe.each(LANGS)("what goes on until it is stopped: %s", (lang) => {
  it("how it begins, and how it ends", async () => {
    const screens: Record<string, string> = {};
    for (const [name, play] of Object.entries(RUNNING)) screens[name] = await play(lang);
    await expectScreens("running", lang, screens);
  });
});
