import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withoutOwnVariables } from "../../app/home-folder.ts";
import type { Io } from "../../app/io.ts";

/** The person's own editor, as other programs find it; undefined where they have named none. */
export const editorOf = (env: NodeJS.ProcessEnv): string | undefined =>
  env.VISUAL?.trim() || env.EDITOR?.trim() || undefined;

/**
 * The text as the person leaves it in their editor; undefined when the editor cannot be started or says that it failed.
 * While it is edited the text stands in a file that only they can read, in a folder that goes with it.
 */
export async function editIn(editor: string, text: string, io: Io): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "towow-edit-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const ignore = () => {};
  io.once("exit", remove);
  io.on("SIGINT", ignore); // the editor's own business while it has the terminal
  try {
    chmodSync(folder, 0o700);
    const file = join(folder, "demand.txt");
    const endsInLine = text.endsWith("\n");
    writeFileSync(file, endsInLine ? text : `${text}\n`, { mode: 0o600, flag: "wx" });
    if ((await statusOf(editor, file, io)) !== 0) return undefined;
    const edited = readFileSync(file, "utf8").replaceAll("\r\n", "\n");
    return endsInLine ? edited : edited.replace(/\n$/, "");
  } finally {
    io.off("exit", remove);
    io.off("SIGINT", ignore);
    remove();
  }
}

/** An editor is a command line of its own (`code --wait`), so a shell reads it; the file is never part of that line. */
function statusOf(editor: string, file: string, io: Io): Promise<number> {
  const options = { stdio: "inherit" as const, env: withoutOwnVariables(io.env) };
  const child =
    process.platform === "win32"
      ? spawn(`${editor} "${file}"`, { ...options, shell: true })
      : spawn("/bin/sh", ["-c", `${editor} "$1"`, "towow-mcp", file], options);
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (status) => resolve(status ?? 1));
  });
}
