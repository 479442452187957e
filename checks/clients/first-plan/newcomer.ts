// Somebody new: an empty home, a project, a terminal, and the clients' one program on the PATH.
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { clientEnv, trustFolder } from "../captures/client.ts";
import { openPane, type Pane } from "../pane.ts";
import { reach } from "../sandbox.ts";
import type { ScriptedModel } from "../scripted-model.ts";
import { type Lang, LOCALES } from "./words.ts";

export interface Newcomer {
  pane: Pane;
  /** What was opened in the browser so far: addresses and files. */
  opened: () => string[];
  env: Record<string, string>;
}

/** `claude`: the client's program. Its own first start (theme, account, trust) is behind it. */
export function newcomer(folder: string, claude: string, lang: Lang, model: ScriptedModel): Newcomer {
  const at = (name: string) => join(folder, name);
  for (const name of ["home", "project", "bin"]) mkdirSync(at(name), { recursive: true });
  symlinkSync(claude, join(at("bin"), "claude"));
  // A browser that keeps the address: Chromium opens it.
  const browser = join(at("bin"), "xdg-open");
  writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${at("opened")}'\n`);
  chmodSync(browser, 0o755);
  trustFolder({ home: at("home"), project: at("project") });
  const env = {
    ...reach(),
    ...clientEnv({ model }),
    HOME: at("home"),
    LANG: LOCALES[lang],
    PATH: [at("bin"), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
    TERM: "xterm-256color",
    SHELL: "/bin/sh",
    DISPLAY: ":99",
    PS1: "$ ",
    ENABLE_TOOL_SEARCH: "false",
    npm_config_update_notifier: "false",
  };
  return {
    pane: openPane(["sh", "-i"], { cwd: at("project"), env, folder, columns: 100, rows: 50 }),
    opened: () => (existsSync(at("opened")) ? readFileSync(at("opened"), "utf8").trim().split("\n") : []),
    env,
  };
}
