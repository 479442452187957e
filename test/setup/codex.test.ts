import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { machine, OPTIONS } from "./world.ts";

const FILE = "home/.codex/config.toml";
const MINE = '# mine\nmodel = "o3" # fast\n\n[mcp_servers.a]\ncommand = "x"\n\n[tools] # last\nsearch = true';

describe("Codex's file, which its own command would write anew, without the comments", () => {
  it("is edited: every byte of the person's stays, and is all that is left after --remove", async () => {
    for (const text of [MINE, `${MINE}\n`, MINE.replaceAll("\n", "\r\n"), "", "# only a comment"]) {
      const at = await machine({ [FILE]: text });
      at.program("codex"); // it is there, and is not asked
      expect((await at.setup("codex", ...OPTIONS)).out).toContain("Written.");
      const after = at.read(FILE)!;
      expect(after.startsWith(text)).toBe(true);
      expect(parse(after)).toEqual({
        ...parse(text),
        mcp_servers: { ...(parse(text).mcp_servers as object), towow: at.launch(OPTIONS) },
      });
      expect((await at.setup("codex")).out).toContain("It is set up already");
      expect((await at.setup("codex", "--remove")).out).toContain("Removed.");
      expect(at.read(FILE)).toBe(text);
      expect(at.calls()).toEqual([]);
    }
  });

  it("what Codex itself wrote since stays: only the entry goes", async () => {
    const at = await machine({ [FILE]: `${MINE}\n` });
    await at.setup("codex");
    at.write(FILE, `${at.read(FILE)}\n[projects."/work"]\ntrust_level = "trusted"\n`);
    await at.setup("codex", "--remove");
    expect(at.read(FILE)).toBe(`${MINE}\n\n[projects."/work"]\ntrust_level = "trusted"\n`);
  });

  it("a file that was not there goes again", async () => {
    const at = await machine();
    await at.setup("codex");
    expect(at.read(FILE)).toContain("[mcp_servers.towow]\n");
    await at.setup("codex", "--remove");
    expect(at.read(FILE)).toBeUndefined();
  });

  it("a broken one is refused with line and column", async () => {
    const at = await machine({ [FILE]: 'model = "o3"\na = = 3\n' });
    const { err } = await at.setup("codex");
    expect(err).toMatch(/line 2, column \d+: /);
    expect(err).toContain("tool.config.invalid.client_config_syntax");
  });
});
