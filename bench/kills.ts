// Real servers, killed with SIGKILL at random points, on one home after the other; what they leave is checked.
// Run: npm run check:kills -- [--minutes 10] [--seed S] [--workers 2] [--only N] [--deadline 7] [--to-the-end]

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createMockBackend } from "../mock-backend/main.ts";
import { falsehoodsIn } from "../test/faults/claims.ts";
import { Dice } from "../test/faults/sim.ts";
import { type Result, Server } from "./kills/server.ts";
import { Stalls } from "./kills/stalls.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    workers: { type: "string", default: "2" },
    only: { type: "string" },
    /** Every run waits for the deadline, and not one in seven. */
    "to-the-end": { type: "boolean", default: false },
    /** Seconds until the backend confirms by itself. The guard acts a quarter earlier: on a busy machine give it more. */
    deadline: { type: "string", default: "7" },
    /** The built package; a copy is run, so that a rebuild does not matter. */
    root: { type: "string", default: new URL("..", import.meta.url).pathname },
  },
});

const TEXT = "Wants a designer for a hospital queue pilot.";
const EDITED = "Wants a nurse instead.";
const DEADLINE_S = Number(values.deadline);
/** A submit's answer that came this shortly before the kill may have died with the process. */
const SETTLED_MS = 250;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const snapshot = mkdtempSync(join(tmpdir(), "towow-kills-"));
for (const part of ["dist", "prompts", "package.json"])
  cpSync(join(values.root, part), join(snapshot, part), { recursive: true });
symlinkSync(join(values.root, "node_modules"), join(snapshot, "node_modules"));

const POINTS = [
  "start",
  "submit in flight",
  "formulation",
  "pause",
  "form open",
  "accept",
  "edit",
  "reject",
  "accept in flight",
  "edit in flight",
  "reject in flight",
  "shutdown",
] as const;
type Point = (typeof POINTS)[number];

interface Tally {
  kills: number;
  violations: number;
}
const stalls = new Stalls();
const tally = new Map<Point, Tally>(POINTS.map((p) => [p, { kills: 0, violations: 0 }]));
const counts = new Map<string, number>();
const found = new Map<string, { count: number; seeds: number[]; example: string }>();
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

async function one(seed: number): Promise<void> {
  const dice = new Dice(seed);
  const point = POINTS[seed % POINTS.length]!;
  const home = mkdtempSync(join(tmpdir(), "towow-kill-home-"));
  const untilDeadline = dice.chance(0.15) || values["to-the-end"];
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
  const violate = (kind: string, detail: string) => {
    tally.get(point)!.violations += 1;
    const key = `${kind} [${point}]`;
    const entry = found.get(key) ?? { count: 0, seeds: [], example: detail };
    entry.count += 1;
    if (entry.seeds.length < 6) entry.seeds.push(seed);
    found.set(key, entry);
    if (values.only) console.log(`VIOLATION ${key}: ${detail}`);
  };
  /** What the last server says of it in the end, beside what the backend did. */
  const judgeTelling = async (server: Server, id: string) => {
    const from = Date.now();
    const result = await server.call("towow_status", { negotiation_id: id });
    const negotiation = mock.negotiations().find((one) => one.negotiation_id === id)!;
    if (result?.data == null) return;
    const { data, summary: text, status, warnings, error } = result;
    const about = { id, tool: "towow_status", pid: 0, from, at: Date.now(), failed: error !== null };
    const cancelSent = () => mock.journal.some((e) => e.path.endsWith(`${id}/action`));
    const truth = { negotiation, decisions: [], endedBefore: () => false, cancelSent };
    for (const name of falsehoodsIn({ ...about, data, text, status, warnings }, truth)) violate(name, text);
  };
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
    const answer = async (form: { requestedSchema: { properties: object } }) => {
      if ("confirmed_text" in form.requestedSchema.properties)
        return { action: "accept", content: { confirmed_text: EDITED } };
      asked();
      if (point === "form open") return undefined;
      await sleep(20);
      say(textOf);
      return { action: "accept", content: { decision: kind } };
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
    const first = new Server(snapshot, env, forms ? answer : undefined);
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
      await askedOnce;
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
    tally.get(point)!.kills += 1;
    checkConfig(home, violate);
    mock.faults.clear();

    // ---- the next server finds what is left
    if (dice.chance(0.3)) {
      const second = new Server(snapshot, env);
      servers.push(second);
      void second.call("towow_status", {});
      await sleep(dice.int(50, 400));
      await second.kill(); // and is killed in its recovery
      tally.get(point)!.kills += 1;
      checkConfig(home, violate);
    }
    const heir = new Server(snapshot, env);
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
    if (n !== undefined) await judgeTelling(heir, n.negotiation_id);
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

function readJson(path: string): Result {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** The settings are a file of the contract: never set aside, never half written. */
function checkConfig(home: string, violate: (kind: string, detail: string) => void): void {
  for (const name of existsSync(home) ? readdirSync(home) : [])
    if (/^config.*(corrupt|broken|bad)/i.test(name)) violate("a config was set aside as corrupt", name);
  const path = join(home, "config.json");
  if (existsSync(path) && readJson(path) === undefined) violate("a config that does not parse", path);
}

let next = Number(values.only ?? values.seed);
const stopAt = Date.now() + Number(values.minutes) * 60_000;
const worker = async () => {
  while (Date.now() < stopAt) {
    const seed = next++;
    await one(seed);
    if (values.only) return;
  }
};
await Promise.all(Array.from({ length: values.only ? 1 : Number(values.workers) }, worker));
rmSync(snapshot, { recursive: true, force: true });

console.table([...tally].map(([point, t]) => ({ "killed at": point, ...t })));
console.log(
  "kills:",
  [...tally.values()].reduce((a, t) => a + t.kills, 0),
  "last seed:",
  next - 1,
);
for (const [kind, { count: times, seeds, example }] of found)
  console.log(`${kind}: ${times}, seeds ${seeds.join(" ")}\n    ${example}`);
console.log("counted:", Object.fromEntries([...counts].sort()));
process.exit(found.size > 0 ? 1 : 0);
