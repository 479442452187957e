import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { openPane } from "../pane.ts";
import type { Place } from "./place.ts";

/** Says yes in a terminal of the person's own, by `towow-mcp confirm`: the text stands above the question. */
export async function confirmInTerminal({ program, project, env, folder, backendUrl }: Place): Promise<void> {
  const own = { ...env, TOWOW_BACKEND_URL: backendUrl, TOWOW_LANG: "en" };
  const place = { cwd: project, env: own, folder: mkdtempSync(join(folder, "terminal-")), rows: 60 };
  const pane = openPane([...program, "confirm"], place);
  const see = async (pattern: RegExp): Promise<string> => {
    if (!(await pane.until(pattern))) throw new Error(`confirm shows no ${pattern}: ${pane.screen()}`);
    return pattern.exec(pane.screen())?.[1] ?? "";
  };
  try {
    await see(/\[a\]ccept/);
    pane.type("a");
    await pane.press("Enter");
    pane.type(await see(/Type (\d{4}) to send it/));
    await pane.press("Enter");
    await see(/Accepted/);
  } finally {
    pane.close();
  }
}
