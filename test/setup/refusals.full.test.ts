import { describe, expect, it } from "vitest";
import { machine } from "./world.ts";

/** What real clients refuse their file for (`checks/clients.ts reads`), and what this program makes of such a file. */

const servers = (inside = '"a": {"command": "x"}') => `{\n  "mcpServers": { ${inside} }\n}\n`;
const ours = servers('"towow": {"command": "x"}');

interface Finding {
  check: string;
  level: string;
  message: string;
  fix?: string;
}

async function doctor(at: Awaited<ReturnType<typeof machine>>, check: string): Promise<Finding | undefined> {
  const { out } = await at.run(["doctor", "--json"]);
  return (JSON.parse(out) as { findings: Finding[] }).findings.find((finding) => finding.check === check);
}

describe.each([
  ["gemini", "Gemini CLI", ".gemini/settings.json", "a byte order mark", `\uFEFF${ours}`, "allows no byte order mark"],
  [
    "gemini",
    "Gemini CLI",
    ".gemini/settings.json",
    "a last comma",
    ours.replace("\n}", ",\n}"),
    "allows no comma after",
  ],
  ["claude-code", "Claude Code", ".claude.json", "a comment", `// mine\n${ours}`, "allows no comments"],
  ["claude-code", "Claude Code", ".claude.json", "a last comma", ours.replace("\n}", ",\n}"), "allows no comma after"],
])("%s", (id, title, file, what, text, why) => {
  it(`${what}: ${title} reads nothing of the file, so it is left alone, and doctor names what is refused`, async () => {
    const at = await machine({ [`home/${file}`]: text, "home/.claude/keep": "", "home/.gemini/keep": "" });
    for (const args of [[id], [id, "--remove"], [id, "--force"]]) {
      const { status, err } = await at.setup(...args);
      expect([status, at.read(`home/${file}`)]).toEqual([1, text]);
      expect(err).toContain(why);
      expect(err).toContain("(tool.config.invalid.client_config_syntax)");
    }
    const found = await doctor(at, `clients.${id}`);
    expect(found).toMatchObject({ level: "problem" });
    expect(found?.message).toContain(title);
    expect(found?.message).toContain(at.path(`home/${file}`));
    expect(found?.message).toContain(why);
  });
});

it.each([
  ["gemini", ".gemini/settings.json", "", true],
  ["gemini", ".gemini/settings.json", "// later\n", true],
  ["opencode", ".config/opencode/opencode.json", "\n", true],
  ["opencode", ".config/opencode/opencode.json", "", false],
  ["cursor", ".cursor/mcp.json", "", false],
])(
  "%s, with nothing in %s (%j): doctor says whether it is refused (%s), and setup makes it whole",
  async (...given) => {
    const [id, file, text, isRefused] = given;
    const at = await machine({ [`home/${file}`]: text });
    const found = await doctor(at, `clients.${id}`);
    expect([found?.level, found?.fix]).toEqual([isRefused ? "problem" : "ok", `towow-mcp setup ${id}`]);
    expect((await at.setup(id)).status).toBe(0);
    expect(await doctor(at, `clients.${id}`)).toMatchObject({ level: "ok" });
  },
);

it.each([
  ["gemini", ".gemini/settings.json", `// mine\n${servers()}// end\n`],
  ["claude-code", ".claude.json", `\uFEFF${servers()}`],
  ["codex", ".codex/config.toml", '\uFEFF# mine\n[mcp_servers.a]\ncommand = "x"\n'],
])("%s reads what is in %s, so setup writes there, and takes it out to the byte", async (id, file, text) => {
  const at = await machine({ [`home/${file}`]: text, "home/.claude/keep": "" });
  expect((await at.setup(id)).status).toBe(0);
  expect(await doctor(at, `clients.${id}`)).toMatchObject({ level: "ok" });
  expect((await at.setup(id, "--remove")).status).toBe(0);
  expect(at.read(`home/${file}`)).toBe(text);
});
