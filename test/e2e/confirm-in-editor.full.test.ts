import { readdirSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { confirms } from "../support/backend.ts";
import { CLI, SCRIPT } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { atTerminal } from "../support/terminal.ts";
import { inTerminal, openPause } from "./confirm-support.ts";

describe.skipIf(SCRIPT === undefined)("towow-mcp confirm in a pseudo-terminal", () => {
  it("edit in the person's own editor: prefilled, shown with its difference, edited again, and gone from the disk", async () => {
    const { mock, env, text } = await openPause();
    const folder = await temporaryHome();
    const seen = join(folder, "seen");
    const editor = join(folder, "editor");
    // Each time it notes what it was given and where, and adds a word.
    await writeFile(
      editor,
      `#!/bin/sh\necho "$1" >> ${seen}\ncat "$1" >> ${seen}\nprintf ' Now.' > "$1.new" && { tr -d '\\n' < "$1"; cat "$1.new"; } > "$1.all" && mv "$1.all" "$1"\n`,
    );
    await chmod(editor, 0o755);
    const user = inTerminal({ ...env, EDITOR: editor, TMPDIR: folder });
    await user.sees(/\[a\]ccept/);
    user.types("e");
    await user.sees(/e to edit it/);
    user.types("e");
    await user.sees(/e to edit it[\s\S]*e to edit it/);
    const codes = [...user.screen().matchAll(/Type (\d{4})/g)].map(([, code]) => code);
    expect(stripVTControlCharacters(user.screen())).toContain("{+");
    user.types(codes.at(-1) ?? "");
    await user.sees(/Your text is on its way/);
    expect(mock.negotiations()[0]?.confirmedText).toBe(`${text} Now. Now.`);
    const given = (await readFile(seen, "utf8")).split("\n");
    expect(given.filter(Boolean).slice(0, 2)).toEqual([given[0], text]);
    expect(readdirSync(folder).sort(byCodeUnits)).toEqual(["editor", "seen"]);
  });

  it("an editor that is not there: nothing is sent, and the question stands again", async () => {
    const { mock, env } = await openPause();
    const user = inTerminal({ ...env, EDITOR: "no-such-editor" });
    await user.sees(/\[a\]ccept/);
    user.types("e");
    await user.sees(/no-such-editor returned\s+no\s+text/);
    await user.sees(/\[a\]ccept[\s\S]*\[a\]ccept/);
    user.presses("\u0003");
    await user.sees(/Left open/);
    expect(confirms(mock)).toHaveLength(0);
  });

  it("an editor of that name in the project is not the person's: it is not started, and theirs begins outside", async () => {
    const { mock, env } = await openPause();
    const [project, bin] = [await temporaryHome(), await temporaryHome()];
    const ran = join(project, "ran");
    for (const path of [join(project, "myed"), join(project, "node_modules/.bin/myed"), join(bin, "myed")]) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `#!/bin/sh\necho "$0 in $PWD" >> '${ran}'\nexit 1\n`, { mode: 0o755 });
    }
    const PATH = `.:./node_modules/.bin:${project}/node_modules/.bin:${bin}:${env.PATH}`;
    const user = atTerminal([CLI, "confirm"], { ...env, EDITOR: "myed", PATH }, `cd '${project}'`);
    await user.sees(/\[a\]ccept/);
    user.types("e");
    await user.sees(/myed returned\s+no\s+text/);
    expect(await readFile(ran, "utf8")).toBe(`${bin}/myed in /\n`);
    await user.sees(/\[a\]ccept[\s\S]*\[a\]ccept/);
    user.presses("\u0003");
    await user.sees(/Left open/);
    expect(confirms(mock)).toHaveLength(0);
  });
});
