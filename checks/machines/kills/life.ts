import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMockBackend } from "../../../mock-backend/main.ts";
import { Dice } from "../../../test/faults/sim.ts";
import { sleep } from "../../harness.ts";
import type { Bench } from "./bench.ts";
import { checkConfig, readJson } from "./files.ts";
import { POINTS, type Point } from "./report.ts";
import { type Result, Server } from "./server.ts";
import { judgeTelling } from "./telling.ts";

const TEXT = "Wants a designer for a hospital queue pilot.";
const EDITED = "Wants a nurse instead.";
/** A submit's answer that came this shortly before the kill may have died with the process. */
const SETTLED_MS = 250;

/** One home, from the first server to the last. */
export async function one(seed: number, bench: Bench): Promise<void> {
  const { report, stalls, deadlineS: DEADLINE_S } = bench;
  const { count } = report;
  const dice = new Dice(seed);
  const point: Point = POINTS[seed % POINTS.length]!;
  const home = mkdtempSync(join(tmpdir(), "towow-kill-home-"));
  const untilDeadline = dice.chance(0.15) || bench.toTheEnd;
  const uncalled = untilDeadline && dice.chance(0.5); // whether the next server has to see by itself what is left
  const mock = createMockBackend({ stepMs: 8, seed, confirmTimeoutMs: DEADLINE_S * 1000 });
  mock.engine.formulateWith(() => TEXT);
  const { url } = await mock.listen();
  const env = {
    TOWOW_HOME: home,
    TOWOW_BACKEND_URL: url,
    TOWOW_CONFIRM_DEADLINE_S: String(DEADLINE_S),
    TOWOW_WAIT_BUDGET_S: "3",
  };
  const violate = (kind: string, detail: string) => report.violate(kind, point, seed, detail);
  let accepted: string | undefined;
  const servers: Server[] = [];
  try {
    const scene_id = mock.scenes()[0]!.scene_id;
    const forms =
      point === "form open" || (["accept", "edit", "reject"].some((k) => point.startsWith(k)) && dice.chance(0.5));
    const kind = point.split(" ")[0]!;
    let asked = () => {};
    const askedOnce = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const say = (text: string | undefined) => {
      accepted = text;
    };
    const textOf = kind === "accept" ? TEXT : kind === "edit" ? EDITED : undefined;
    const answer = async ({ requestedSchema: { properties } }: { requestedSchema: { properties: object } }) => {
      // An old version asks for decision and text in one form, the current one for the text in a form of its own.
      const edited = "confirmed_text" in properties && kind === "edit" && { confirmed_text: EDITED };
      if (!("decision" in properties)) return { action: "accept", content: { ...edited } };
      asked();
      if (point === "form open") return undefined;
      await sleep(20);
      say(textOf);
      return { action: "accept", content: { decision: kind, ...edited } };
    };
    if (point === "submit in flight")
      mock.faults.add({
        route: "submit",
        kind: "delay",
        delayMs: 300,
        delayWhen: dice.pick(["before", "after"] as const),
      });
    if (point.endsWith("in flight") && point !== "submit in flight")
      mock.faults.add({
        route: kind === "reject" ? "action" : "confirm",
        kind: "delay",
        delayMs: 400,
        delayWhen: dice.pick(["before", "after"] as const),
      });

    // ---- the first server, up to its end
    const first = new Server(bench.root, env, forms ? answer : undefined);
    servers.push(first);
    const demand = first.call("towow_demand", { intent: `Demand ${seed}`, scene_id });
    if (point === "start") await sleep(dice.int(0, 700));
    else if (point === "submit in flight") {
      await until(() => mock.journal.some((e) => e.path.endsWith("/submit")));
      await sleep(dice.int(0, 320));
    } else if (point === "formulation") {
      await until(() => mock.journal.some((e) => e.path.endsWith("/submit")));
      await sleep(dice.int(0, 60));
    } else if (forms) {
      await Promise.race([askedOnce, demand]);
      await sleep(
        point === "form open" ? dice.int(0, 50) : point.endsWith("in flight") ? dice.int(40, 420) : dice.int(18, 60),
      );
    } else {
      const paused = await demand;
      const params = paused?.data?.resume_with?.params;
      if (params?.confirmation_id === undefined) violate("no pause", JSON.stringify(paused).slice(0, 300));
      if (["accept", "edit", "reject"].includes(kind)) {
        say(textOf);
        void first.call("towow_demand", {
          ...params,
          decision: kind,
          ...(kind === "edit" && { confirmed_text: EDITED }),
        });
        await sleep(point.endsWith("in flight") ? dice.int(10, 420) : dice.int(0, 25));
      } else if (point === "shutdown") {
        if (dice.chance(0.5))
          mock.faults.add({
            route: "action",
            kind: "delay",
            delayMs: 100,
            delayWhen: dice.pick(["before", "after"] as const),
          });
        first.child.stdin!.end();
        await sleep(dice.int(0, 120));
      } else await sleep(dice.int(0, 30));
    }
    const killedAt = Date.now();
    await first.kill();
    report.killed(point);
    checkConfig(home, violate);
    mock.faults.clear();

    // ---- the next server finds what is left
    if (dice.chance(0.3)) {
      const second = new Server(bench.root, env);
      servers.push(second);
      void second.call("towow_status", {});
      await sleep(dice.int(50, 400));
      await second.kill(); // and is killed in its recovery
      report.killed(point);
      checkConfig(home, violate);
    }
    const heir = new Server(bench.root, env);
    servers.push(heir);
    const status = uncalled ? undefined : await heir.call("towow_status", {});
    await sleep(20);
    checkConfig(home, violate);
    const [n] = mock.negotiations();
    // A request about it shows that the program knew of it, and so does an answer that it had time to take.
    const known =
      n !== undefined &&
      mock.journal.some(
        (e) =>
          (e.at <= killedAt && e.path.includes(n.negotiation_id)) ||
          (e.made === n.negotiation_id && e.answeredAt !== undefined && e.answeredAt + SETTLED_MS < killedAt),
      );
    if (n !== undefined && !known) count("submit whose answer died with the process");
    if (uncalled) count("next server not called");
    else if (status === undefined) violate("next server gave nothing", heir.stderr.slice(0, 300));
    else if (status.error && !["tool.negotiation.not_found.none_yet"].includes(status.error.code))
      violate("next server's status failed", status.error.code);
    const config = readJson(join(home, "config.json"));
    const undecided = ["start", "submit in flight", "formulation", "pause", "form open"].includes(point);
    if (!uncalled && known && undecided && n?.state === "formulated") {
      const own = await heir.call("towow_status", { negotiation_id: n.negotiation_id });
      const open = own?.data?.open?.some((o: Result) => o.negotiation_id === n.negotiation_id);
      if (!open || !own.data.resume_with?.params?.confirmation_id)
        violate("pause not recovered", JSON.stringify(own).slice(0, 400));
      else count("pause recovered");
    }
    // ---- one user id
    const used = new Set(mock.journal.filter((e) => e.userId !== undefined).map((e) => e.userId));
    const submitters = new Set(mock.negotiations().map((x) => x.submittedBy));
    if (submitters.size > 1) violate("two user ids submitted", [...submitters].join(" "));
    if (used.size > 1) count("two user ids seen by the backend (killed before the first was written)");
    if (config?.user_id !== undefined && submitters.size === 1 && !submitters.has(config.user_id))
      violate("the file's user id is another one", `${config.user_id} ${[...submitters]}`);

    // ---- what went out
    if (untilDeadline && n !== undefined) {
      const deadlineAt = (n.times.formulated ?? Date.now()) + DEADLINE_S * 1000;
      const left = deadlineAt + 400 - Date.now();
      if (left > 0) await sleep(left);
      const end = mock.negotiations().find((x) => x.negotiation_id === n.negotiation_id)!;
      if (end.confirmedBy === "timeout") {
        if (!known) count("auto-confirmed: submit answer died with the process");
        else if (accepted === end.confirmedText) count("auto-confirmed with the accepted text");
        else
          violate(
            `auto-confirmed although a process lived: ${accepted === undefined ? "not accepted" : kind}`,
            JSON.stringify({
              confirmed: (end.times.encoding ?? 0) - deadlineAt,
              requests: mock.journal
                .filter((e) => e.at > deadlineAt - 12_000)
                .map((e) => [e.at - deadlineAt, e.path.split("/").pop(), e.status]),
              stalls: stalls.since(deadlineAt - 12_000).map(({ at, ms }) => [at - deadlineAt, ms]),
              said: heir.stderr.slice(-1500),
              text: end.confirmedText,
            }),
          );
      } else
        count(
          `at the deadline${uncalled ? ", not called" : ""}: ${end.cancelled ? "cancelled" : `confirmed by ${end.confirmedBy}`}`,
        );
    }
    for (const e of mock.journal.filter((j) => j.path.endsWith("/confirm"))) {
      const text = (e.body as { confirmed_text?: string })?.confirmed_text;
      if (accepted === undefined || text !== accepted) violate("confirmed without a decision", `${text} / ${accepted}`);
    }
    for (const x of mock.negotiations()) {
      if (x.confirmCount > 1) count("confirmed twice with the same text");
    }
    // Nobody here can say whose it is, where the submit's answer died.
    if (n !== undefined && known) {
      const agreed = accepted === undefined ? [] : [accepted];
      await judgeTelling(heir, { mock, id: n.negotiation_id, agreed, deadlineS: DEADLINE_S, violate });
    }
    if (mock.negotiations().length > 1) violate("more than one negotiation", String(mock.negotiations().length));
    heir.child.stdin!.end();
    await Promise.race([heir.exited, sleep(3_500)]);
    if (heir.child.exitCode === null && heir.child.signalCode === null) violate("no exit after stdin's end", "");
    if (/Unhandled|TypeError|ReferenceError/.test(servers.map((s) => s.stderr).join("")))
      violate(
        "stderr",
        servers
          .map((s) => s.stderr)
          .join("")
          .slice(0, 400),
      );
  } catch (error) {
    violate("harness", String((error as Error).stack));
  } finally {
    for (const s of servers) await s.kill();
    await mock.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function until(done: () => boolean): Promise<void> {
  const end = Date.now() + 8_000;
  while (!done() && Date.now() < end) await sleep(1);
}
