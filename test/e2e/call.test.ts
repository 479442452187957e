import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cancels, confirms } from "../support/backend.ts";
import { CLI, cli, finished, inTerminal, SCRIPT, start } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { soon } from "../support/soon.ts";
import { atTerminal } from "../support/terminal.ts";
import { openPause, PROFILE, world } from "./call-support.ts";

describe("one call", () => {
  it("sends a profile that was shown first; a pipe gets the whole result as JSON", async () => {
    const { env, mock } = await world();
    const args = ["call", "towow_join", `scene=${mock.sceneId}`, "display_name=Lin"];
    args.push(`profile_data=${JSON.stringify(PROFILE)}`);
    const shown = await cli(args, { env });
    expect(shown).toMatchObject({ status: 0, stdout: expect.stringContaining(PROFILE.bio) });
    expect(mock.journal.filter(({ method, path }) => method === "POST" && path.endsWith("/agents"))).toEqual([]);
    const [, hash] = /"profile_hash": ?"(\w+)"/.exec(shown.stdout) ?? [];
    const joined = await cli([...args, `profile_hash=${hash}`], { env });
    expect(joined).toMatchObject({ status: 0, stdout: expect.stringContaining("Lin joined scene") });
    const again = await cli(["call", "towow_status", "--json"], { env });
    expect([again.status, JSON.parse(again.stdout).error.code]).toEqual([1, "tool.negotiation.not_found.none_yet"]);
    const unasked = await cli(["call", "towow_status"], { env });
    expect(unasked).toMatchObject({ status: 1, stdout: again.stdout });
    expect(unasked.stderr).toMatch(/^tool\.negotiation\.not_found\.none_yet: /);
  });

  it("without a tool it lists them, in either language and for a script", async () => {
    const env = { TOWOW_HOME: await temporaryHome() };
    const listed = await cli(["call"], { env });
    expect(listed).toMatchObject({ status: 0, stderr: "" });
    expect(listed.stdout).toMatch(/^towow_join {6}Join a scene\ntowow_demand /);
    expect(listed.stdout).not.toContain("towow_list_scenes");
    const all = await cli(["call", "--mode", "developer", "--lang", "zh"], { env });
    expect(all.stdout).toMatch(/towow_list_scenes +列出场景\n/);
    const json = await cli(["call", "--json"], { env: { ...env, TOWOW_ALLOW_TOOLS: "towow_status" } });
    expect(JSON.parse(json.stdout)).toEqual({
      mode: "normal",
      tools: [{ name: "towow_status", title: "See where a negotiation stands" }],
    });
  });

  it.skipIf(SCRIPT === undefined)(
    "a terminal gets paragraphs and tables, wrapped as words, and the command that goes on",
    async () => {
      const { env, mock } = await world({ TOWOW_MODE: "developer", TOWOW_ON_UNCONFIRMED: "leave", NO_COLOR: "1" });
      const seen = async (width: number, ...args: string[]) => {
        const it = atTerminal([CLI, "call", ...args], { PATH: process.env.PATH ?? "", ...env }, `stty cols ${width}`);
        const status = await it.exit;
        const screen = it.screen().replaceAll("\r", "");
        for (const line of screen.split("\n"))
          if (!/towow-mcp call/.test(line)) expect(stringWidth(line), line).toBeLessThanOrEqual(width);
        return { status, screen };
      };
      const scenes = await seen(140, "towow_list_scenes");
      expect(scenes.screen).toMatch(/scene_id +name +description/);
      expect(scenes.screen).not.toMatch(/<<<foreign|"scenes"/);
      await cli(["call", "towow_demand", `scene_id=${mock.sceneId}`, "intent=A designer"], { env });
      const id = mock.negotiations()[0]?.negotiation_id ?? "";
      for (const width of [80, 40]) {
        const { screen } = await seen(width, "towow_status");
        expect(screen).toContain(`\n  towow-mcp confirm ${id}\n`);
        expect(screen).toMatch(/Submitted\n│ A designer\n/);
      }
      // Here the person reads for themselves; in a pipe an AI, or a script, reads what every client gets.
      const wrong = ["towow_confirm", `negotiation_id=${id}`, "decision=accept"];
      expect((await seen(140, ...wrong)).screen).toMatch(
        /^A command never decides for you[\s\S]*: towow-mcp confirm neg_\w+\n/,
      );
      expect((await cli(["call", ...wrong], { env })).stdout).toContain("The person decides in their own terminal");
      const missing = await seen(80, "towow_status", "negotiation_id=neg_000000000000");
      expect(missing).toEqual({
        status: 1,
        screen: expect.stringMatching(
          /^There is no negotiation neg_000000000000\.\n[\s\S]*\(tool\.negotiation\.not_found\.unknown_negotiation\)\n$/,
        ),
      });
    },
  );

  it("arguments from stdin, as pairs, and wrong ones", async () => {
    const { env, mock } = await world({ TOWOW_MODE: "developer" });
    const scene = { scene_id: mock.sceneId };
    const byStdin = await cli(["call", "towow_list_agents", "-", "--json"], {
      env,
      input: JSON.stringify(scene, null, 2),
    });
    expect(JSON.parse(byStdin.stdout).data.scene_id).toBe(mock.sceneId);
    const byPair = await cli(["call", "towow_list_agents", `scene_id=${mock.sceneId}`, "fresh=true", "--json"], {
      env,
    });
    expect(JSON.parse(byPair.stdout).status).toBe("ok");
    for (const [given, input] of [
      ["{broken"],
      ["[1]"],
      ["words"],
      ["=x"],
      ["-", "nope"],
      ["-", "x".repeat(1_100_000)],
    ]) {
      const wrong = await cli(["call", "towow_status", given ?? "", "--json"], { env, ...(input && { input }) });
      expect([wrong.status, JSON.parse(wrong.stdout).error.code], given).toEqual([
        1,
        input?.startsWith("xx") ? "tool.input.invalid.text_too_long" : "tool.input.invalid.arguments",
      ]);
    }
    const unknown = await cli(["call", "towow_nothing", "--json"], { env });
    expect(JSON.parse(unknown.stdout).error).toMatchObject({
      code: "tool.input.invalid.unknown_tool",
      recovery_suggestion: expect.stringContaining("towow_join, towow_demand, towow_status"),
    });
    expect((await cli(["call"], { env })).status).toBe(0); // it lists them
    expect((await cli(["call", "towow_status", "--stdin"], { env })).status).toBe(1);
  });

  it("withdraws what nobody could be asked about, and says so", async () => {
    const { mock, env, call } = await world({ TOWOW_MODE: "developer" });
    for (const [tool, intent] of [
      ["towow_demand", "A designer"],
      ["towow_submit_demand", "A cook"],
    ] as const) {
      const { status, stdout, stderr } = await call(tool, { intent, scene_id: mock.sceneId });
      const { data, summary } = JSON.parse(stdout);
      expect([status, data.deadline ?? null]).toEqual([0, null]);
      expect(summary).toContain("withdraws the demand when it ends");
      expect(summary).not.toMatch(/towow-mcp confirm|it is withdrawn at|broadcasts it/);
      expect(stderr).toContain(`Withdrawing ${data.negotiation_id}: nobody`);
    }
    expect(mock.negotiations().map((n) => [n.cancelled, n.confirmCount])).toEqual([
      [true, 0],
      [true, 0],
    ]);
    expect((await cli(["confirm"], { env })).stdout).toContain("No demand is waiting");
  });

  it.skipIf(SCRIPT === undefined)("in a terminal it asks, and what was accepted goes out", async () => {
    const { mock, env } = await world();
    const user = inTerminal(["call", "towow_demand", `scene_id=${mock.sceneId}`, "intent='A designer'"], env);
    await user.sees(/\[a\]ccept/);
    user.types("a");
    user.types(await user.sees(/Type (\d{4})/));
    expect(await user.ended).toBe(0);
    expect(mock.negotiations()[0]).toMatchObject({ confirmCount: 1, cancelled: false });
  });

  it.skipIf(SCRIPT === undefined)(
    "in a terminal, a decision that fails ends the command, and the demand with it",
    async () => {
      const { env, mock } = await world({ PATH: process.env.PATH ?? "" });
      const user = atTerminal([CLI, "call", "towow_demand", `scene_id=${mock.sceneId}`, "'intent=A designer'"], env);
      await user.sees(/\[a\]ccept/);
      mock.faults.add({ route: "get", kind: "status", status: 502, times: 1_000 });
      user.types("a");
      user.types(await user.sees(/Type (\d{4})/));
      expect(await user.exit).toBe(1);
      expect(user.screen()).toMatch(
        /\(tool\.backend\.unavailable\.server_error\)[\s\S]*No decision went through\. Withdrawing neg_\w+\./,
      );
      expect([confirms(mock).length, cancels(mock).length]).toEqual([0, 1]);
    },
  );

  it.skipIf(SCRIPT === undefined)("in a terminal, what is left open is withdrawn", async () => {
    const { mock, env } = await world({ TOWOW_MODE: "developer" });
    const user = inTerminal(["call", "towow_submit_demand", `scene_id=${mock.sceneId}`, "intent='A designer'"], env);
    await user.sees(/Without a decision, it is withdrawn at[\s\S]*w\s+withdraws the demand\. Ctrl-C[\s\S]*\[a\]ccept/);
    user.types("");
    await user.sees(/Please answer a, e or w\.[\s\S]*\[a\]ccept/);
    expect(cancels(mock)).toHaveLength(0);
    user.presses("\u0003");
    await user.sees(/No decision went through\. Withdrawing neg_\w+\.\r?\n/);
    expect(await user.ended).toBe(1);
    expect(mock.negotiations()[0]).toMatchObject({ confirmCount: 0, cancelled: true });
    const { stdout } = await cli(["list"], { env });
    expect(stdout.replace(/\s+/g, " ")).toContain("closed before anybody decided");
  });

  it.skipIf(SCRIPT === undefined)(
    "in a terminal, a profile goes out by its code; Enter and a wrong one are asked again",
    async () => {
      const { mock, env } = await world();
      const joined = () =>
        mock.journal.filter(({ method, path }) => method === "POST" && path.endsWith("/agents")).length;
      const args = ["call", "towow_join", `scene=${mock.sceneId}`, "display_name=Lin"];
      const ask = () => inTerminal([...args, `profile_data='${JSON.stringify(PROFILE)}'`], env);
      const first = ask();
      for (const [typed, seen] of [
        ["", /Type \d{4} to send it, n to send nothing: /],
        ["0000", /That was not the code\. Nothing was sent\.[\s\S]*Type \d{4}[^\n]*: /],
        ["n", /(?:not the code[\s\S]*){2}Type \d{4}[^\n]*: /],
      ] as const) {
        await first.sees(seen);
        first.types(typed);
      }
      expect(await first.ended).toBe(0);
      expect(joined()).toBe(0);
      const second = ask();
      await second.sees(/Type \d{4}/);
      second.types("");
      second.types(await second.sees(/not the code[\s\S]*Type (\d{4})/));
      expect(await second.ended).toBe(0);
      expect(joined()).toBe(1);
    },
  );

  it.skipIf(SCRIPT === undefined)(
    "under leave it is left open; once others were read it is not, and it says so",
    async () => {
      const { mock, env } = await world({ TOWOW_ON_UNCONFIRMED: "leave" });
      const asked = async () => {
        const user = inTerminal(["call", "towow_demand", `scene_id=${mock.sceneId}`, "intent='A designer'"], env);
        const seen = await user.sees(/(Without a decision, [\s\S]*Ctrl-C\s[a-z\s,]+)[\s\S]*\[a\]ccept/);
        user.presses("\u0003");
        await user.ended;
        return seen.replace(/\s+/g, " ");
      };
      expect(await asked()).toMatch(/the backend broadcasts it at.*Ctrl-C leaves it open/);
      await writeFile(join(env.TOWOW_HOME, "tainted.json"), JSON.stringify({ until: Date.now() + 60_000 }));
      await cli(["cancel", "--yes"], { env });
      expect(await asked()).toMatch(/it is withdrawn at.*Ctrl-C ends this command, which withdraws it too/);
      expect(mock.negotiations().map(({ cancelled }) => cancelled)).toEqual([true, true]);
    },
  );

  it.skipIf(SCRIPT === undefined)("in a terminal, what nobody answers is withdrawn before the deadline", async () => {
    const { mock, env } = await world({ TOWOW_CONFIRM_DEADLINE_S: "12" }, { confirmTimeoutMs: 12_000 });
    const user = inTerminal(["call", "towow_demand", `scene_id=${mock.sceneId}`, "intent='A designer'"], env);
    await user.sees(/\[a\]ccept/);
    await soon(() => mock.negotiations()[0]?.cancelled).toBe(true);
    expect(mock.negotiations()[0]).toMatchObject({ confirmCount: 0, state: "completed" });
    user.types("");
    expect(await user.ended).toBe(1);
  });

  it("under leave the pause stays open, and it says by when; a later process takes the guard over", async () => {
    const { mock, env, asked, id, data } = await openPause();
    expect(cancels(mock)).toHaveLength(0);
    expect(mock.negotiations()[0]).toMatchObject({ cancelled: false, confirmCount: 0 });
    expect(asked.stderr).toContain(`towow-mcp confirm ${id}`);
    const time = new Date(data.deadline).toISOString().slice(11, 19);
    expect(asked.stderr).toContain(`the backend broadcasts it at ${time}`);
    expect(JSON.stringify(data)).not.toMatch(/withdrawn|confirmation_id|127\.0\.0\.1:\d+\/approve/);
    const later = await legacyClient({ env: { ...env, TOWOW_ON_UNCONFIRMED: "cancel" } });
    const status = await later.call("towow_status");
    expect(status.result.data.open).toMatchObject([{ negotiation_id: id }]);
    await later.close(); // its own end withdraws what it watches, as ever
    await soon(() => mock.negotiations()[0]?.cancelled).toBe(true);
  });

  it("under leave a submit alone says by when, too; a later call leaves another's pause alone", async () => {
    const { mock, env, call } = await world({ TOWOW_MODE: "developer", TOWOW_ON_UNCONFIRMED: "leave" });
    const submitted = await call("towow_submit_demand", { scene_id: mock.sceneId, intent: "A designer" });
    const { summary, data } = JSON.parse(submitted.stdout);
    expect(summary).toMatch(/the backend broadcasts it at/);
    expect(data.resume_with.tool).toBe("towow_demand");
    const status = await cli(["call", "towow_status", "wait=done"], { env });
    expect(status.stdout).toContain(`towow-mcp confirm ${data.negotiation_id}`);
    expect([cancels(mock).length, confirms(mock).length]).toEqual([0, 0]);
  });

  it.skipIf(process.platform === "win32")("interrupted before its answer, it withdraws what it submitted", async () => {
    const { mock, env } = await world({ TOWOW_WAIT_BUDGET_S: "40" }, { stepMs: 3_000 });
    const child = start(["call", "towow_demand", `scene_id=${mock.sceneId}`, "intent=A designer"], { env });
    const ended = finished(child);
    await soon(() => mock.negotiations().length).toBe(1);
    child.kill("SIGINT");
    expect((await ended).status).toBe(130);
    expect(mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it.skipIf(SCRIPT === undefined)("a reader that leaves early does not hide what stays open", async () => {
    const { mock, env } = await world({ TOWOW_ON_UNCONFIRMED: "leave" });
    const child = start(["call", "towow_demand", `scene_id=${mock.sceneId}`, "intent=A designer", "--json"], { env });
    const ended = finished(child);
    child.stdout?.destroy();
    expect((await ended).stderr).toContain("towow-mcp confirm neg_");
  });
});
