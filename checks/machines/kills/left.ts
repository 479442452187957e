// One home: a program whose client closes its stdin leaves its pause to another, which lives, ends, dies or stops just then.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMockBackend, type MockBackend } from "../../../mock-backend/main.ts";
import { Dice } from "../../../test/faults/sim.ts";
import { sleep } from "../../harness.ts";
import { readJson } from "./files.ts";
import { Keeper } from "./keeper.ts";
import { inTurn, type KeeperBench } from "./keepers.ts";
import { type Result, Server } from "./server.ts";

/** What becomes of the other program, at about the time at which the first one ends. */
const OTHERS = ["ends", "ends by a signal", "killed", "stopped", "continued", "lives"] as const;
/** How the first one ends. */
const ENDS = ["stdin", "stdin", "stdin", "SIGTERM"] as const;
const TEXT = "Wants a designer for a hospital queue pilot.";

interface Life {
  other: (typeof OTHERS)[number];
  end: (typeof ENDS)[number];
  deadlineS: number;
  /** When the first one ends, in milliseconds after its result, and when the other's lot comes, after that. */
  endsAt: number;
  otherAt: number;
  /** When a stopped one goes on, in milliseconds after the deadline. */
  goesOnAt: number;
  /** A third program lives on. */
  third: boolean;
  /** A later call, by a server of its own, says yes. */
  decides: boolean;
}

function lifeOf(seed: number, deadlines: readonly number[]): Life {
  const dice = new Dice(seed * 6007);
  const other = OTHERS[seed % OTHERS.length]!;
  const deadlineS = dice.pick(deadlines);
  return {
    other,
    end: dice.pick(ENDS),
    deadlineS,
    endsAt: dice.int(0, 700),
    otherAt: dice.chance(0.8) ? dice.int(-150, 250) : dice.int(-700, 1_500),
    goesOnAt: dice.chance(0.6) ? -dice.int(500, deadlineS * 400) : dice.int(100, 800),
    third: dice.chance(0.4),
    decides: other === "lives" && dice.chance(0.4),
  };
}

/** Until that program shows that it looks at what others begin. */
async function looks(home: string, pid: number): Promise<void> {
  const folder = join(home, "running");
  for (let tries = 0; tries < 3_000; tries++) {
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".looks")) : [];
    if (names.some((name) => readFileSync(join(folder, name), "utf8").includes(`"pid":${pid},`))) return;
    await sleep(10);
  }
  throw new Error(`${pid} does not look`);
}

/** When the first one wrote that it leaves it to the other. */
function leftAt(home: string, id: string): number | undefined {
  const history = join(home, "history");
  const folder = readdirSync(history).find((name) => name.startsWith(`${id}~`)) ?? "";
  const facts = readdirSync(join(history, folder))
    .filter((name) => name.startsWith("watched."))
    .map((name) => readJson(join(history, folder, name))?.fact);
  return facts.find(({ handed }) => handed === "on")?.at;
}

export async function leftToAnother(
  seed: number,
  { root, report, stalls, figures, deadlines }: KeeperBench,
): Promise<void> {
  const life = lifeOf(seed, deadlines);
  const { other, end, deadlineS, endsAt, otherAt, goesOnAt, third, decides } = life;
  const home = mkdtempSync(join(tmpdir(), "towow-left-home-"));
  const mock = createMockBackend({ stepMs: 8, seed, confirmTimeoutMs: deadlineS * 1000 });
  mock.engine.formulateWith(() => TEXT);
  const { url } = await mock.listen();
  const env = { TOWOW_HOME: home, TOWOW_BACKEND_URL: url, TOWOW_CONFIRM_DEADLINE_S: String(deadlineS) };
  const violate = (kind: string, detail: unknown) =>
    report.violate(kind, "left", seed, `seed ${seed}, ${JSON.stringify(life)}: ${JSON.stringify(detail)}`);
  const keeper = new Keeper(root, env, other === "stopped" || other === "continued" ? "stopped" : "killed");
  const servers: Server[] = [];
  const start = () => {
    const server = new Server(root, env);
    servers.push(server);
    return server;
  };
  try {
    const scene_id = mock.scenes()[0]!.scene_id;
    const { first, asked } = await inTurn(async () => {
      await keeper.start();
      if (third) start();
      const pids = [keeper.server, ...servers].map(({ child }) => child.pid ?? 0);
      await Promise.all(pids.map((pid) => looks(home, pid)));
      const first = start();
      const asked: Result = await first.call("towow_demand", { intent: `Demand ${seed}`, scene_id });
      return { first, asked };
    });
    const { negotiation_id: id, resume_with } = asked.data;
    // A busy machine may take longer over the offer than a call waits.
    const isKept = /another program of yours/.test(asked.summary);
    const began = mock.negotiations()[0]!.times.formulated!;
    const answeredAt = Date.now();
    const at = { ends: answeredAt + endsAt, other: answeredAt + endsAt + otherAt, deadline: began + deadlineS * 1000 };
    const until = (time: number) => sleep(time - Date.now());
    let downAt = Number.POSITIVE_INFINITY;
    const leave = async () => {
      await until(at.ends);
      if (end === "stdin") first.child.stdin!.end();
      else first.child.kill(end);
      await first.exited;
    };
    const lot = async () => {
      await until(at.other);
      if (other === "lives") return;
      report.killed("left");
      if (other === "ends") keeper.server.child.stdin!.end();
      else if (other === "ends by a signal") keeper.server.child.kill("SIGTERM");
      else {
        keeper.die();
        await keeper.isDown();
        downAt = Date.now();
      }
      if (other !== "continued") return;
      await until(at.deadline + goesOnAt);
      keeper.goOn();
    };
    const decide = async () => {
      if (!decides || !isKept) return;
      await first.exited;
      const server = start();
      await server.call("towow_demand", { ...resume_with.params, decision: "accept" });
      server.child.stdin!.end();
    };
    await Promise.all([leave(), lot(), decide(), until(at.deadline + 1_200)]);
    const left = leftAt(home, id);
    const isStillThere = other === "lives" || third || (other === "continued" && goesOnAt < -500);
    const isExcused = !isStillThere && left !== undefined && downAt >= left;
    const late = stalls.since(at.deadline - 15_000).map((one) => [one.at - began, one.ms]);
    const about = { isKept, left: left && left - answeredAt, down: downAt - answeredAt, late };
    const became = judge({ mock, id, began, isExcused, life, isKept, left, violate, about });
    report.count(isKept ? "the result named a keeper" : "the result named none");
    figures.add({ death: `left, ${other}`, wanted: end, deadlineS }, became);
    const crashes = [keeper.server, ...servers].map(({ stderr }) => stderr).join("");
    if (/Unhandled|TypeError|ReferenceError/.test(crashes)) violate("stderr", crashes.slice(0, 400));
  } catch (error) {
    violate("harness", String((error as Error).stack));
  } finally {
    await keeper.remove();
    for (const server of servers) await server.kill();
    await mock.close();
    rmSync(home, { recursive: true, force: true });
  }
}

interface Judged {
  mock: MockBackend;
  id: string;
  began: number;
  /** The other one died after it was left to it, and nobody else lived. */
  isExcused: boolean;
  life: Life;
  /** The result said that another program keeps it. */
  isKept: boolean;
  left: number | undefined;
  violate: (kind: string, detail: unknown) => void;
  about: object;
}

function judge({ mock, id, began, isExcused, life, isKept, left, violate, about }: Judged): string {
  const { other, end, deadlineS, decides } = life;
  const negotiation = mock.negotiations().find((one) => one.negotiation_id === id)!;
  const requests = mock.journal
    .filter(({ path }) => /\/(confirm|action)$/.test(path))
    .map((e) => ({ to: e.path.split("/").pop(), at: e.at - began, status: e.status }));
  const all = { ...about, state: negotiation.state, by: negotiation.confirmedBy, requests };
  const mayConfirm = decides && isKept;
  if (!mayConfirm && requests.some(({ to }) => to === "confirm")) violate("confirmed without a decision", all);
  if (negotiation.confirmedBy === "timeout") {
    if (isExcused) return "excused: no program lived";
    violate("broadcast, and nobody decided", all);
    return "BROADCAST";
  }
  if (negotiation.confirmedBy === "user") return negotiation.cancelled ? "confirmed, then cancelled" : "confirmed";
  if (!negotiation.cancelled) {
    violate("nothing became of it", all);
    return "OPEN";
  }
  const cancelledAt = requests.find(({ to }) => to === "action")?.at ?? 0;
  const isAtTheEnd = cancelledAt > deadlineS * 750 - 1_000;
  if (other === "lives" && end === "stdin" && isKept && !isAtTheEnd) violate("withdrawn though another kept it", all);
  if (end !== "stdin" && left !== undefined) violate("left to another by a signal", all);
  if (mayConfirm && end === "stdin") violate("a yes was not carried out", all);
  return isAtTheEnd ? "kept, withdrawn at the deadline" : "withdrawn at the end";
}
