import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMockBackend } from "../../mock-backend/main.ts";
import { cancels, confirms, type RunningMock, runningMock } from "../support/backend.ts";
import { cli, SCRIPT, start as startProgram } from "../support/cli.ts";
import { legacyClient, type Session } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { historyFilesOf } from "../support/home-facts.ts";
import { atTerminal, person } from "../support/terminal.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;
const ENTER = "\u001b[?1049h";
const LEAVE = "\u001b[?1049l";

interface Started {
  mock: RunningMock;
  env: Record<string, string>;
  session: Session;
}

async function start(stepMs: number, extra: Record<string, string> = {}, mock?: RunningMock): Promise<Started> {
  const backend = mock ?? (await runningMock({ stepMs }));
  const home = await temporaryHome();
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TOWOW_HOME: home,
    TOWOW_BACKEND_URL: backend.url,
    TOWOW_LANG: "en",
    TERM: "xterm-256color",
    ...extra,
  };
  return { mock: backend, env, session: await legacyClient({ env }) };
}

const demand = ({ session, mock }: Started, intent = "We need product design and growth marketing for a pilot") =>
  session.call("towow_demand", { intent, scene_id: mock.sceneId, allow_duplicate: true });

async function openPause(): Promise<Started & { id: string }> {
  const started = await start(20);
  const { result } = await demand(started);
  expect(result.data.state).toBe("formulated");
  return { ...started, id: result.data.negotiation_id };
}

/** The program with pipes instead of a terminal. */
function piped(env: Record<string, string>, ...args: string[]) {
  const child = startProgram(["watch", ...args], { env });
  let stderr = "";
  child.stderr?.on("data", (chunk) => (stderr += chunk));
  return { ...person(child), stderr: () => stderr, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}

/** The terminal is as it was found: no other screen, a cursor, lines that wrap. */
function expectClean(screen: string): void {
  expect(screen.split(ENTER).length).toBe(screen.split(LEAVE).length);
  expect(screen.lastIndexOf(LEAVE)).toBeGreaterThan(screen.lastIndexOf(ENTER));
  expect(screen.lastIndexOf("\u001b[?25h")).toBeGreaterThan(screen.lastIndexOf("\u001b[?25l"));
  expect(screen.lastIndexOf("\u001b[?7h")).toBeGreaterThan(screen.lastIndexOf("\u001b[?7l"));
}

describe("towow-mcp watch without a terminal", () => {
  it("one line for each change, from the pause to the plan, and ends with 0", async () => {
    const { env, session, id } = await openPause();
    const watching = piped(env);
    await watching.sees(/Decide in a terminal: towow-mcp confirm neg_/);
    const asked = await session.call("towow_demand", { negotiation_id: id });
    await session.call("towow_demand", { ...asked.result.data.resume_with.params, decision: "accept" });
    expect(await watching.exit).toBe(0);
    const [changes = "", plan = ""] = watching.screen().split("\n\n", 2);
    for (const line of changes.trimEnd().split("\n")) expect(line).toMatch(/^\d\d:\d\d:\d\d {2}\S/);
    const shown = watching.screen();
    for (const part of [
      /Watching neg_\w+ at 127\.0\.0\.1:\d+\./,
      /waits for your decision/,
      /left to decide\. Without a decision, it is withdrawn at \d\d:\d\d:\d\d\./,
      /Accepted \(passed on by the AI, \d\d:\d\d:\d\d\)\./,
      / resonates, 0\.\d\d\./,
      /offer from .+: \S/,
      /The plan is ready: \d+ agent/,
    ])
      expect(shown).toMatch(part);
    expect(plan).toContain("##");
    expect(shown).not.toContain("\u001b");
    expect(watching.stderr()).toBe("");
  });

  it("where the program that asked is gone, the time is the backend's own, as every other command says it", async () => {
    const { env, mock } = await start(20);
    const asked = await cli(["call", "towow_demand", "intent=A designer", `scene_id=${mock.sceneId}`, "--json"], {
      env: { ...env, TOWOW_ON_UNCONFIRMED: "leave" },
    });
    const { deadline } = JSON.parse(asked.stdout).data;
    const watching = piped({ ...env, TZ: "UTC" });
    await watching.sees(/The program that asked is gone/);
    const time = new Date(deadline).toISOString().slice(11, 19);
    expect(watching.screen()).toContain(`the backend broadcasts it at ${time}`);
  });

  it.each(["en", "zh"])("an address that is wrong is called wrong, not missing (%s)", async (lang) => {
    const home = await temporaryHome();
    const env = { TOWOW_HOME: home, TOWOW_BACKEND_URL: "towow.example", TOWOW_LANG: lang };
    const { status, stderr } = await cli(["watch"], { env });
    expect(status).toBe(1);
    expect(stderr).toContain("TOWOW_BACKEND_URL");
    expect(stderr).toContain("(tool.config.invalid.value)");
    expect(stderr).not.toMatch(/[。）] /);
  });

  it("a no that hangs while the backend goes on is no success: it ends with 1, in lines and as JSON", async () => {
    const mock = await runningMock({ stepMs: 20, confirmTimeoutMs: 3_000 });
    const started = await start(20, { TOWOW_CONFIRM_DEADLINE_S: "3" }, mock);
    mock.faults.add({ route: "action", kind: "delay", delayMs: 60_000, times: Number.POSITIVE_INFINITY });
    const { result } = await demand(started);
    const id = result.data.negotiation_id as string;
    const ran = await Promise.all(["--plain", "--json"].map((how) => cli(["watch", id, how], { env: started.env })));
    expect(mock.negotiations()[0]).toMatchObject({ state: "completed", confirmedBy: "timeout" });
    for (const { status, stdout } of ran)
      expect([status, stdout]).toEqual([1, expect.stringMatching(/went on without your yes|auto_confirmed/)]);
    const listed = (await cli(["list"], { env: started.env })).stdout;
    expect(listed).toMatch(/^! We need/);
  });

  it("an outage is told once, and its end; the negotiation is watched to its own end", async () => {
    const dataFile = join(await temporaryHome(), "data.json");
    const first = await runningMock({ stepMs: 20, dataFile });
    const started = await start(20, {}, first);
    const { result } = await demand(started);
    const watching = piped(started.env, result.data.negotiation_id);
    await watching.sees(/waits for your decision/);
    await first.close();
    await watching.sees(/The backend has not been reachable since \d\d:\d\d:\d\d; trying again\./);
    const again = createMockBackend({ stepMs: 20, seed: 7, dataFile });
    onTestFinished(() => again.close());
    await again.listen(Number(new URL(first.url).port));
    await watching.sees(/The backend answers again\./);
    await started.session.call("towow_demand", { negotiation_id: result.data.negotiation_id, decision: "reject" });
    expect(await watching.exit).toBe(0);
    expect(watching.screen()).toMatch(/The answer to the text was no/);
    expect(watching.screen().match(/not been reachable since/g)).toHaveLength(1);
  });

  it("without an id: the newest open one, although another was the last", async () => {
    const started = await start(20);
    const open = await demand(started, "The open one");
    const other = await demand(started, "The last one");
    const lastId = other.result.data.negotiation_id;
    await started.session.call("towow_demand", { negotiation_id: lastId, decision: "reject" });
    const watching = piped(started.env);
    await watching.sees(new RegExp(`Watching ${open.result.data.negotiation_id}`));
    watching.kill("SIGTERM");
    expect(await watching.exit).toBe(143);
  });

  it("with nothing to watch it says what to do", async () => {
    const { env } = await start(20);
    const watching = piped(env);
    expect(await watching.exit).toBe(1);
    expect(watching.stderr()).toMatch(/no negotiation to watch.*towow-mcp watch <id>/);
  });

  it.for([
    ["an unknown id", {}, "tool.negotiation.not_found.unknown_negotiation"],
    ["a refused token", { legacyRoutes: true, auth: true }, "tool.auth.unauthorized.token_rejected"],
  ] as const)("%s ends it with the reason", async ([, options, code]) => {
    const { env } = await start(20, { TOWOW_API_TOKEN: "a-token" }, await runningMock(options));
    const watching = piped(env, "neg_nowhere");
    expect(await watching.exit).toBe(1);
    expect(watching.stderr()).toContain(code);
    expect(watching.stderr()).not.toContain("    at ");
  });
});

describe.skipIf(SCRIPT === undefined)("towow-mcp watch in a pseudo-terminal", () => {
  const size = (columns: number, rows: number) => `stty cols ${columns} rows ${rows}`;
  const watch = (env: Record<string, string>, before = size(80, 24), ...args: string[]) =>
    atTerminal([CLI, "watch", ...args], env, before);

  it("c asks confirm's question; the view goes on to the plan and leaves it on the screen", async () => {
    const { mock, env } = await openPause();
    const user = watch(env);
    await user.sees(/left to decide/);
    user.presses("c");
    await user.sees(/\[a\]ccept/);
    user.types("a");
    user.types(await user.sees(/Type (\d{4})/));
    await user.sees(/── The plan /);
    expect(await user.exit).toBe(0);
    expect(mock.negotiations()[0]).toMatchObject({
      confirmedText: String(mock.negotiations()[0]?.demand_formulated),
      confirmCount: 1,
    });
    expectClean(user.screen());
    const after = user.screen().slice(user.screen().lastIndexOf(LEAVE));
    expect(after).toMatch(/The plan is ready/);
    expect(after).toMatch(/Accepted \(in a terminal, /);
  });

  it("after a wrong code it is asked again; what is left open sends nothing, and the view says so", async () => {
    const { mock, env } = await openPause();
    const user = watch(env);
    await user.sees(/left to decide/);
    user.presses("c");
    await user.sees(/\[a\]ccept/);
    user.types("a");
    await user.sees(/Type \d{4}/);
    user.types("0000");
    await user.sees(/not the code[\s\S]*\[a\]ccept/);
    expect(confirms(mock)).toHaveLength(0);
    user.presses("\u0003"); // leaves the question, not the view
    await user.sees(/Left open\. Nothing was sent\.[\s\S]*1049h[\s\S]*Left open/);
    user.presses("q");
    expect(await user.exit).toBe(130);
    expect(confirms(mock)).toHaveLength(0);
    expect(cancels(mock)).toHaveLength(0);
    expectClean(user.screen());
  });

  it("ended from outside in the middle of the question: nothing is sent, and the terminal is given back", async () => {
    const { mock, env } = await openPause();
    // The shell's own pid becomes the program's.
    const user = watch(env, `echo PID=$$; ${size(80, 24)}`);
    const pid = Number(await user.sees(/PID=(\d+)/));
    await user.sees(/left to decide/);
    user.presses("c");
    await user.sees(/\[a\]ccept/);
    user.types("a");
    await user.sees(/Type \d{4}/);
    process.kill(pid, "SIGTERM");
    await user.sees(/Left open\. Nothing was sent\.[\s\S]*Look again with/);
    expect(await user.exit).toBe(143);
    expectClean(user.screen());
    expect(confirms(mock)).toHaveLength(0);
    expect(cancels(mock)).toHaveLength(0);
  });

  it.for([
    ["Ctrl-C", "\u0003"],
    ["q", "q"],
  ] as const)("%s leaves the terminal clean and another program's pause alone", async ([, key]) => {
    const started = await start(1_000); // slow enough to be there before the text is, on a busy machine too
    const { mock, session, env } = started;
    const demanding = demand(started);
    await expect.poll(() => mock.negotiations().length).toBe(1);
    const id = String(mock.negotiations()[0]?.negotiation_id);
    const user = watch(env, size(80, 24), id); // before the text is there: it sees the pause begin
    await user.sees(/● Submit|● Write up/);
    await user.sees(/left to decide/);
    await demanding;
    const before = historyFilesOf(String(env.TOWOW_HOME));
    expect(Object.keys(before).filter((path) => path.includes(id)).length).toBeGreaterThan(1);
    user.presses(key);
    expect(await user.exit).toBe(130);
    expectClean(user.screen());
    expect(user.screen()).toContain(`Look again with: towow-mcp watch ${id}`);
    expect(cancels(mock)).toHaveLength(0);
    expect(historyFilesOf(String(env.TOWOW_HOME))).toEqual(before);
    const asked = await session.call("towow_demand", { negotiation_id: id });
    const done = await session.call("towow_demand", { ...asked.result.data.resume_with.params, decision: "accept" });
    expect(done.result.error).toBeNull();
    expect(mock.negotiations()[0]).toMatchObject({ confirmCount: 1, cancelled: false });
  });

  it("a smaller window is drawn anew, and no line is wider than it", async () => {
    const { env } = await openPause();
    const user = watch(env, `echo TTY=$(tty); ${size(80, 24)}`);
    const tty = await user.sees(/TTY=(\S+)/);
    await user.sees(/✓ Write up/);
    const seen = user.screen().length;
    execFileSync("stty", ["-F", tty, "cols", "40", "rows", "20"]);
    await user.sees(/3\/6 Decide/);
    await expect.poll(() => user.screen().indexOf("\u001b[2J", seen)).toBeGreaterThan(-1);
    const drawn = user.screen().slice(user.screen().indexOf("\u001b[2J", seen));
    expect(drawn.length).toBeGreaterThan(100);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the frame's own sequences
    for (const part of drawn.split(/\u001b\[\d+;1H/)) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the frame's own sequences
      expect(part.replace(/\u001b\[[?\d;]*[A-Za-z]/g, "").length).toBeLessThanOrEqual(40);
    }
    user.presses("q");
    await user.exit;
  });

  it("NO_COLOR: the same picture without colours; --plain: lines, and the word c decides", async () => {
    const { mock, env } = await openPause();
    const bare = watch({ ...env, NO_COLOR: "1" });
    await bare.sees(/c decide/);
    bare.presses("q");
    await bare.exit;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
    expect(bare.screen()).not.toMatch(/\u001b\[[1-9]\d*m/);
    const plain = watch(env, size(80, 24), "--plain");
    await plain.sees(/Type c and Enter/);
    plain.types("c");
    await plain.sees(/\[a\]ccept/);
    plain.types("r");
    await plain.sees(/The answer to the text was no/);
    expect(await plain.exit).toBe(0);
    expect(plain.screen()).not.toContain(ENTER);
    expect(mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
  });
});
