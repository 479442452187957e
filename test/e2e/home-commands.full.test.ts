import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { nanoid } from "nanoid";
import { describe, expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { factName } from "../../src/negotiation/facts.ts";
import { createFactFiles } from "../../src/negotiation/stores/home-facts.ts";
import { CLI, cli, inTerminal, SCRIPT } from "../support/cli.ts";
import { atTerminal } from "../support/terminal.ts";
import { homeWith, identities, ORIGIN, TOKEN } from "./home-commands-support.ts";

describe("config", () => {
  it("set checks, normalises and keeps the file's other content; get gives the value alone", async () => {
    const { home, run, saved } = await homeWith({ own: { kept: true }, language: "en" });
    expect((await run("config", "set", "backend_url", "https://Towow.example/")).stdout).toContain(ORIGIN);
    await run("config", "set", "wait_budget_s", "30");
    await run("config", "set", "redact_pii", "no");
    expect((await run("config", "set", "language", "zh")).status).toBe(0); // another name of lang
    expect(await saved()).toEqual({
      own: { kept: true },
      backend_url: ORIGIN,
      wait_budget_s: 30,
      redact_pii: false,
      lang: "zh",
    });
    expect((await stat(join(home, "config.json"))).mode & 0o777).toBe(0o600);
    expect(await run("config", "get", "backend_url")).toEqual({ status: 0, stdout: `${ORIGIN}\n`, stderr: "" });
    expect((await run("config", "get", "wait_budget_s", "--json")).stdout).toBe("30\n");
    expect(await run("config", "get", "toolset")).toEqual({ status: 1, stdout: "", stderr: "" });
    expect((await run("config", "unset", "wait_budget_s")).stdout).toContain("45");
    await run("config", "unset", "own");
    expect(Object.keys(await saved())).toEqual(["backend_url", "redact_pii", "lang"]);
    expect((await run("config", "unset", "wait_budget_s")).status).toBe(0);
  });

  it("list is what config alone shows; the environment that wins is named", async () => {
    const { run, env } = await homeWith({ mode: "normal" });
    const [alone, list] = [await run("config"), await run("config", "list")];
    expect(list.stdout).toBe(alone.stdout);
    expect(alone.stdout).toMatch(/^mode +normal +file$/m);
    expect((await run("config", "list", "--json")).stdout).toBe((await run("config", "--json")).stdout);
    const set = await cli(["config", "set", "mode", "developer"], { env: { ...env, TOWOW_MODE: "normal" } });
    expect(set.stderr).toContain("TOWOW_MODE wins");
    expect((await run("config", "get", "mode")).stdout).toBe("developer\n");
  });

  it("refuses what does not fit, by name, and changes nothing", async () => {
    const { run, saved, env } = await homeWith({ mode: "normal" });
    for (const [args, code] of [
      [["set", "mode", "odd"], "tool.config.invalid.value"],
      [["set", "wait_budget_s", "-1"], "tool.config.invalid.value"],
      [["set", "nonsense", "1"], "tool.config.invalid.unknown_key"],
      [["get", "nonsense"], "tool.config.invalid.unknown_key"],
      [["unset", "nonsense"], "tool.config.invalid.unknown_key"],
      [["set", "backend_url", "http://towow.example"], "tool.config.blocked.http_refused"],
      [["set", "backend_url", ""], "tool.config.invalid.value"],
      [["set", "allow_tools", "towow_odd"], "tool.config.invalid.unknown_tool_name"],
    ] as [string[], string][]) {
      const { status, stdout, stderr } = await run("config", ...args);
      expect([status, stdout, stderr.includes(`(${code})`)], args.join(" ")).toEqual([1, "", true]);
    }
    for (const args of [
      ["set", "identities", "{}"],
      ["set", "api_token", TOKEN],
      ["unset", "api_token"],
      ["unset", "identities"],
    ])
      expect((await run("config", ...args)).status, args.join(" ")).toBe(1);
    expect((await cli(["config", "odd"], { env })).status).toBe(1); // the command line's own parser ends the process
    expect(await saved()).toEqual({ mode: "normal" });
  });

  it("a token comes on stdin and is never shown", async () => {
    const { env, run, saved } = await homeWith({ backend_url: ORIGIN });
    const set = await cli(["config", "set", "api_token", "-"], { env, input: `${TOKEN}\n` });
    expect([set.status, (await saved()).api_token]).toEqual([0, TOKEN]);
    const shown = [set, await run("config"), await run("config", "get", "api_token"), await run("whoami", "--json")];
    shown.push(await run("config", "--json"), await run("doctor", "--json"), await run("whoami"));
    expect(JSON.stringify(shown)).not.toContain(TOKEN);
    expect((await run("config", "get", "api_token")).stdout).toBe("***\n");
  });

  it("a corrupt file is kept aside, and that is said", async () => {
    const { home, run, saved } = await homeWith("{ not json");
    const set = await run("config", "set", "mode", "developer");
    expect(set).toMatchObject({ status: 0, stderr: expect.stringMatching(/it is kept as .*config\.corrupt-/) });
    expect(await saved()).toEqual({ mode: "developer" });
    const aside = (await readdir(home)).find((name) => name.startsWith("config.corrupt-"));
    expect(await readFile(join(home, aside ?? ""), "utf8")).toBe("{ not json");
  });

  it("an unusable home is one sentence", async () => {
    const { home, env } = await homeWith();
    const inFile = { ...env, TOWOW_HOME: join(home, "config.json", "below") };
    const set = await cli(["config", "set", "mode", "developer"], { env: inFile });
    expect(set).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("tool.config.unavailable.home_unwritable"),
    });
  });
});

const LOOSER = [
  ["config", "set", "confirmation_policy", "auto"],
  ["config", "unset", "confirmation_policy"],
  ["config", "set", "on_unconfirmed", "leave"],
  ["config", "set", "confirm_deadline_s", "9000"],
];

it.skipIf(SCRIPT === undefined)("a secret is asked for, and is not on the screen while it is typed", async () => {
  const { env, saved } = await homeWith({});
  const user = atTerminal([CLI, "config", "set", "api_token", "-"], { ...env, TOWOW_LANG: "en" });
  await user.sees(/api_token, not shown as you type: /);
  user.types(TOKEN);
  expect(await user.exit).toBe(0);
  expect(user.screen()).not.toContain(TOKEN);
  expect(await saved()).toMatchObject({ api_token: TOKEN });
  const left = atTerminal([CLI, "config", "set", "api_token", "-"], { ...env, TOWOW_LANG: "en" });
  await left.sees(/not shown as you type: /);
  left.presses("\x03");
  expect(await left.exit).toBe(1);
  expect(left.screen()).toContain("Nothing was changed.");
});

it("--json: a key without a value is null", async () => {
  const { run } = await homeWith({});
  const rows = JSON.parse((await run("config", "--json")).stdout) as { key: string; value: unknown }[];
  expect(rows.find(({ key }) => key === "api_token")).toMatchObject({ value: null });
  expect(rows.every((row) => "value" in row)).toBe(true);
});

it("what cannot be done is said on stderr with a code", async () => {
  const { run } = await homeWith({ identities });
  for (const [args, code] of [
    [["config", "set", "api_token", "abc"], "tool.config.blocked.secret_argument"],
    [["config", "set", "identities", "{}"], "tool.config.invalid.own_key"],
    [["config", "unset", "user_id"], "tool.config.invalid.identity_key"],
    [["forget", "--browser", "x"], "tool.config.not_found.browser"],
  ] as const)
    expect(await run(...args)).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining(`(${code})`) });
  const unasked = await run("forget", "--identity");
  expect(unasked).toMatchObject({ status: 1, stderr: expect.stringContaining("(tool.input.invalid.yes_missing)") });
});

describe("strict is not loosened by a script", () => {
  it.each(LOOSER.map((args) => args.join(" ")))("%s: not without a terminal, whatever is piped in", async (command) => {
    const { env, saved } = await homeWith({ confirmation_policy: "strict" });
    for (const input of ["", "yes\n", "y\nyes\n"]) {
      const tried = await cli(command.split(" "), { env, input });
      expect(tried).toMatchObject({ status: 1, stderr: expect.stringContaining("run this in a terminal") });
    }
    expect(await saved()).toEqual({ confirmation_policy: "strict" });
    // Tightening it needs nobody.
    expect((await cli(["config", "set", "confirm_deadline_s", "100"], { env })).status).toBe(0);
  });

  it.skipIf(SCRIPT === undefined)("a person in a terminal types yes, or nothing changes", async () => {
    const { env, saved } = await homeWith({ confirmation_policy: "strict" });
    for (const word of ["y", ""]) {
      const user = inTerminal(["config", "set", "confirmation_policy", "auto"], env);
      await user.sees(/Type "yes"/);
      user.types(word);
      expect(await user.ended).toBe(1);
      expect(await saved()).toEqual({ confirmation_policy: "strict" });
    }
    const user = inTerminal(["config", "set", "confirmation_policy", "auto"], env);
    await user.sees(/strict to auto/);
    user.types("yes");
    expect(await user.ended).toBe(0);
    expect(await saved()).toEqual({ confirmation_policy: "auto" });
  });
});

describe("forget", () => {
  const HOUR_MS = 3_600_000;
  /** An own demand of an hour ago, as it is written down. `ended`: it is over. */
  async function noted(history: string, id: string, deadlineAt: number, { ended = false } = {}) {
    const facts = createFactFiles({ dir: history, newId: nanoid, now: Date.now });
    const at = Date.now() - HOUR_MS;
    const owner = { instance: "gone", pid: 2 ** 22 };
    const submitted = { at, user_id: "u-1", deadline_at: deadlineAt, on_unconfirmed: "cancel", owner };
    await facts.create({ origin: ORIGIN, id }, factName.submitted, submitted);
    if (ended) await facts.create({ origin: ORIGIN, id }, factName.outcome(0), { at, kind: "confirmed" });
  }

  async function lived(config: { confirmation_policy?: string } = {}) {
    const it = await homeWith({ backend_url: ORIGIN, identities, last_negotiation_id: "neg_1", ...config });
    const history = join(it.home, "history");
    await mkdir(history);
    await mkdir(join(it.home, "logs"));
    await writeFile(join(it.home, "logs", "towow.log"), "{}\n");
    await noted(history, "neg_1", Date.now() - 1_000_000, { ended: true });
    await writeFile(join(history, ".fresh.tmp"), "{}");
    await writeFile(join(history, ".stray.tmp"), "{}");
    await utimes(join(history, ".stray.tmp"), 1, 1);
    await writeFile(join(it.home, "config.corrupt-2026.json"), TOKEN);
    const left = async () => (await readdir(history)).map((name) => name.replace(/~.*$/, "")).sort(byCodeUnits);
    return { ...it, history, left };
  }

  it("the history by default; settings, identity and what others are writing stay", async () => {
    const { run, left, saved } = await lived();
    const asked = await run("forget");
    expect(asked).toMatchObject({ status: 1, stderr: expect.stringContaining("--yes") });
    expect(await left()).toHaveLength(3);
    expect((await run("forget", "--yes")).status).toBe(0);
    expect(await left()).toEqual([".fresh.tmp"]);
    expect(await saved()).toEqual({ backend_url: ORIGIN, identities });
    expect((await run("forget", "--yes")).stdout).toContain("nothing to forget");
  });

  it("--all speaks of an old id only where there is one", async () => {
    for (const [file, says] of [
      [{}, false],
      [{ identities }, true],
    ] as const) {
      const { home, run } = await homeWith(file);
      await mkdir(join(home, "logs"));
      await writeFile(join(home, "logs", "towow.log"), "{}\n");
      const { stdout } = await run("forget", "--all", "--yes");
      expect(stdout).toContain("the logs");
      expect(stdout.includes("your old id")).toBe(says);
    }
  });

  it("--identity and --all", async () => {
    const { run, left, saved, home } = await lived({ confirmation_policy: "strict" });
    await run("forget", "--identity", "--yes");
    expect(await saved()).toEqual({
      backend_url: ORIGIN,
      last_negotiation_id: "neg_1",
      confirmation_policy: "strict",
    });
    expect(await readdir(home)).not.toContain("config.corrupt-2026.json");
    expect(await left()).toContain("neg_1");
    await run("forget", "--all", "--yes");
    expect(await left()).toEqual([".fresh.tmp"]);
    expect(await saved()).toEqual({ backend_url: ORIGIN, confirmation_policy: "strict" }); // for a person to erase
    expect((await readdir(home)).sort(byCodeUnits)).toEqual(["config.json", "history"]);
  });

  it.skipIf(SCRIPT === undefined)("a person is asked", async () => {
    const { env, left } = await lived();
    const no = inTerminal(["forget"], env);
    await no.sees(/Type "yes"/);
    no.types("no");
    expect(await no.ended).toBe(1);
    expect(await left()).toHaveLength(3);
    const yes = inTerminal(["forget"], env);
    await yes.sees(/Type "yes"/);
    yes.types("yes");
    await yes.sees(/Erased/);
    expect(await left()).toEqual([".fresh.tmp"]);
  });
});
