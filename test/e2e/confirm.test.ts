import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { confirms, runningMock } from "../support/backend.ts";
import { cli, SCRIPT } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { atTerminal, person } from "../support/terminal.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;

async function openPause(policy = "strict") {
  const mock = await runningMock();
  const home = await temporaryHome();
  const env = {
    PATH: process.env.PATH ?? "",
    TOWOW_HOME: home,
    TOWOW_BACKEND_URL: mock.url,
    TOWOW_CONFIRMATION_POLICY: policy,
    TOWOW_LANG: "en",
  };
  const session = await legacyClient({ env });
  const demand = await session.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  expect(demand.result.data.state).toBe("formulated");
  return { mock, env, session, text: String(mock.negotiations()[0]?.demand_formulated) };
}

const inTerminal = (env: Record<string, string>) => atTerminal([CLI, "confirm"], env);

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
  it("accept: shows the text, wants the code typed over, and sends", async () => {
    const { mock, env, session, text } = await openPause();
    const user = inTerminal(env);
    await user.sees(/\[a\]ccept/);
    user.types("a");
    const code = await user.sees(/Type (\d{4})/);
    user.types(code);
    await user.sees(/on its way/);
    expect(mock.negotiations()[0]).toMatchObject({ confirmedText: text, confirmCount: 1 });
    const status = await session.call("towow_status", { wait: "done" });
    expect(status.result.data.plan_output).toBeTruthy();
  });

  it("a wrong code sends nothing", async () => {
    const { mock, env } = await openPause();
    const user = inTerminal(env);
    await user.sees(/\[a\]ccept/);
    user.types("a");
    await user.sees(/Type \d{4}/);
    user.types("0000");
    await user.sees(/not the code/);
    expect(confirms(mock)).toHaveLength(0);
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
    user.types(await user.sees(/Type (\d{4})/));
    await user.sees(/on its way/);
    expect(mock.negotiations()[0]?.confirmedText).toBe("First line\nSecond line");
  });

  it("reject cancels", async () => {
    const { mock, env } = await openPause();
    const user = inTerminal(env);
    await user.sees(/\[a\]ccept/);
    user.types("r");
    await user.sees(/You rejected/);
    expect(mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
  });
});

it("without a terminal it decides nothing", async () => {
  const { mock, env } = await openPause();
  const child = spawn(process.execPath, [CLI, "confirm"], { env, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end("a\n");
  expect(await person(child).exit).toBe(2);
  expect(confirms(mock)).toHaveLength(0);
});
