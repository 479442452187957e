import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cancels, confirms } from "../support/backend.ts";
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
  it("where only reading is allowed it says so before the answer, and withdraws", async () => {
    const { mock, env } = await openPause();
    const user = inTerminal({ ...env, TOWOW_PROFILE: "read_only" });
    await user.sees(/nothing can be broadcast: r withdraws/);
    user.types("r");
    await user.sees(/The text was rejected/);
    expect(mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it.each([
    ["en", /Please answer a, e or r/, /That was not the code/, "reject", /The text was rejected/],
    ["zh", /请回答 a、e 或 r/, /验证码不对/, "拒绝", /文本被拒绝/],
  ])("Enter, unknown words and a wrong code are asked again (%s): only a no withdraws", async (lang, ...seen) => {
    const [again, notTheCode, no, rejected] = seen;
    const { mock, env } = await openPause();
    const user = inTerminal({ ...env, TOWOW_LANG: lang });
    const asked = (times: number) => new RegExp(`(?:\\[a\\][\\s\\S]*\\[r\\][\\s\\S]*){${times}}$`);
    let times = 1;
    for (const typed of ["", "reset", "yes", "n", "constructor"]) {
      await user.sees(asked(times));
      user.types(typed);
      times += 1;
    }
    await user.sees(again);
    await user.sees(asked(times));
    for (const typed of ["0000", ""]) {
      user.types("a");
      await user.sees(/ \d{4} [^\n]*$/);
      user.types(typed);
      times += 1;
      await user.sees(notTheCode);
      await user.sees(asked(times));
    }
    expect([confirms(mock).length, cancels(mock).length]).toEqual([0, 0]);
    user.types(no);
    await user.sees(rejected);
    expect(await user.exit).toBe(0);
    expect(mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it("a wrong code keeps the text that was written", async () => {
    const { mock, env } = await openPause();
    const user = inTerminal(env);
    await user.sees(/\[a\]ccept/);
    user.types("e");
    await user.sees(/only a dot/);
    user.types("It took an hour to write this");
    user.types(".");
    await user.sees(/Type \d{4}/);
    user.types("0000");
    user.types(await user.sees(/not the code[\s\S]*Type (\d{4})/));
    await user.sees(/on its way/);
    expect(mock.negotiations()[0]?.confirmedText).toBe("It took an hour to write this");
  });

  it("edit: lines until a dot", async () => {
    const { mock, env } = await openPause();
    const user = inTerminal(env);
    await user.sees(/\[a\]ccept/);
    user.types("e");
    await user.sees(/only a dot/);
    user.types("First line");
    user.types("Second line");
    user.types(".");
    const code = await user.sees(/Type (\d{4})/);
    const shown = stripVTControlCharacters(user.screen());
    expect(shown).toMatch(/This would be sent instead:\s+Written by you/);
    expect(shown).toMatch(/\[-A-\]\{\+First\+\} \[-designer-\]\{\+line/);
    user.types(code);
    await user.sees(/on its way/);
    expect(mock.negotiations()[0]?.confirmedText).toBe("First line\nSecond line");
  });

  it("edit, and Ctrl-C in the middle of it: nothing is sent, and it stays open", async () => {
    const { mock, env } = await openPause();
    const user = inTerminal(env);
    await user.sees(/\[a\]ccept/);
    user.types("e");
    await user.sees(/only a dot/);
    user.types("Half a line");
    user.presses("\u0003");
    await user.sees(/Left open\. Nothing was sent/);
    expect(stripVTControlCharacters(user.screen())).not.toMatch(/This would be sent instead/);
    expect(confirms(mock)).toHaveLength(0);
    expect(mock.negotiations()[0]).toMatchObject({ state: "formulated", confirmCount: 0 });
  });

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
