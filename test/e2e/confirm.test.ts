import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { CLI, cli, SCRIPT } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { sendProfile } from "../support/profile.ts";
import { soon } from "../support/soon.ts";
import { atTerminal } from "../support/terminal.ts";
import { inTerminal, openPause } from "./confirm-support.ts";

it.each([
  ["en", "towow.example", "value"],
  ["zh", "towow.example", "value"],
  ["en", "http://towow.example", "http_refused"],
])(
  "an address that is wrong is called wrong (%s, %s): what waits there cannot be seen",
  async (lang, address, code) => {
    const { env, mock } = await openPause();
    const wrong = { ...env, TOWOW_BACKEND_URL: address, TOWOW_LANG: lang };
    const elsewhere = { ...wrong, TOWOW_HOME: await temporaryHome() };
    for (const [given, ...id] of [
      [wrong],
      [elsewhere],
      [wrong, String(mock.negotiations()[0]?.negotiation_id)],
    ] as const) {
      const { status, stdout, stderr } = await cli(["confirm", ...id], { env: given });
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toMatch(code === "value" ? /TOWOW_BACKEND_URL/ : /towow\.example/);
      expect(stderr).toMatch(new RegExp(`^\\(tool\\.config\\.\\w+\\.${code}\\)$`, "m"));
    }
  },
);

describe.skipIf(SCRIPT === undefined)("towow-mcp confirm in a pseudo-terminal", () => {
  it("shows what was submitted beside what the network added, personal data, scene, host and the time that is left", async () => {
    const { mock, env, session } = await openPause("auto");
    const profile_data = { skills: ["design", "figma", "research"], bio: "Designs small and useful things." };
    await sendProfile(session.call, "towow_join", { scene: mock.sceneId, display_name: "Lin Yue", profile_data });
    const other = { intent: "A designer, phone +49 30 1234567", scene_id: mock.sceneId, allow_duplicate: true };
    const { result } = await session.call("towow_demand", other);
    const user = atTerminal([CLI, "confirm", result.data.negotiation_id], env, "stty cols 60");
    await user.sees(/4:\d\d left:[\s\S]*\[a\]ccept/);
    const screen = user.screen();
    const plain = stripVTControlCharacters(screen).replaceAll("\r", "");
    expect(plain).toMatch(/Submitted\n│ A designer, phone \+49 30 1234567\n/);
    expect(plain).toMatch(/The network added · \d+% of this text/);
    expect(screen).toContain("\x1b[30m\x1b[43m"); // the network's words, in their colour
    expect(screen).toContain("\x1b[4m\x1b[31m+49 30 1234567"); // personal data, underlined
    expect(plain).toMatch(/\n 1 {2}\S/);
    expect(plain).toMatch(/!.*1234567 · personal data: phone number/);
    expect(plain.replaceAll("\n", " ")).toContain(
      `agents in “${mock.scenes()[0]?.name}” (${mock.sceneId}) that resonate get it, at ${new URL(mock.url).host}`,
    );
    // It counts on while the question stands.
    const [, first] = /4:(\d\d) left:/.exec(plain) ?? [];
    const left = () => [...user.screen().matchAll(/4:(\d\d) left:/g)].map(([, s]) => s);
    await soon(() => left().some((s) => s !== first)).toBe(true);
    for (const line of plain.split("\n")) expect(stringWidth(line), line).toBeLessThanOrEqual(60);
  });

  it("a demand to another scene than the one joined last says so beside its text", async () => {
    const { mock, env, session } = await openPause("auto");
    const profile_data = { skills: ["design", "figma", "research"], bio: "Designs small and useful things." };
    await sendProfile(session.call, "towow_join", { scene: mock.sceneId, display_name: "Lin Yue", profile_data });
    const other = mock.scenes()[1]!;
    const elsewhere = { intent: "A designer, elsewhere", scene_id: other.scene_id, allow_duplicate: true };
    const { result } = await session.call("towow_demand", elsewhere);
    const user = atTerminal([CLI, "confirm", result.data.negotiation_id], env, "stty cols 60");
    await user.sees(/4:\d\d left:[\s\S]*\[a\]ccept/);
    expect(stripVTControlCharacters(user.screen()).replaceAll(/\s+/g, " ")).toContain(
      `It goes to “${other.name}” (${other.scene_id}), not to the scene you joined last.`,
    );
  });

  it("a backend that works with another text than the confirmed one is named", async () => {
    const { mock, env } = await openPause();
    const get = mock.engine.get.bind(mock.engine);
    mock.engine.get = (id) => {
      const negotiation = get(id);
      if (negotiation.confirmCount === 1) negotiation.demand_formulated = "Another text";
      return negotiation;
    };
    const user = inTerminal(env);
    await user.sees(/\[a\]ccept/);
    user.types("a");
    user.types(await user.sees(/Type (\d{4})/));
    await user.sees(/showed\s+a\s+different\s+text/);
    expect(await user.exit).toBe(0);
  });
});
