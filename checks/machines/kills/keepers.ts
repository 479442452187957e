// One home: a program opens a pause and dies, stops or hangs in it; others live beside it, come, are asked and go.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMockBackend, type MockBackend } from "../../../mock-backend/main.ts";
import { Dice } from "../../../test/faults/sim.ts";
import { sleep } from "../../harness.ts";
import { readJson } from "./files.ts";
import { DEATHS, type Death, Keeper } from "./keeper.ts";
import type { Report } from "./report.ts";
import { type Result, Server } from "./server.ts";
import type { Stalls } from "./stalls.ts";
import { judgeTelling } from "./telling.ts";

const DECISIONS = ["undecided", "no", "yes", "edit"] as const;
type Wanted = (typeof DECISIONS)[number];

const TEXT = "Wants a designer for a hospital queue pilot.";
const EDITED = "Wants a nurse instead.";

interface Life {
  death: Death;
  wanted: Wanted;
  deadlineS: number;
  /** When the keeper dies, in milliseconds after the text was there. */
  diesAt: number;
  /** When it goes on. */
  goesOnAt: number;
  /** Programs that live to the end; when each is asked, if it is. */
  stays: (number | undefined)[];
  /** Programs that come, are asked, and go. */
  comes: { at: number; forMs: number }[];
}

/** Programs begin one life after the other: many at once would have no processor. */
let begun: Promise<unknown> = Promise.resolve();
export function inTurn<T>(begin: () => Promise<T>): Promise<T> {
  const turn = begun.then(begin);
  begun = turn.catch(() => {});
  return turn;
}

/** The same seed is the same life. */
function lifeOf(seed: number, deadlines: readonly number[]): Life {
  const dice = new Dice(seed * 7919);
  const death = DEATHS[seed % DEATHS.length]!;
  const wanted = DECISIONS[seed % DECISIONS.length]!;
  const deadlineS = deadlines[seed % deadlines.length]!; // nine, four, five: every combination comes
  const totalMs = deadlineS * 1000;
  const marginMs = Math.min(15_000, totalMs / 4);
  const isEdge = dice.chance(0.2); // when the keeper would act itself
  const diesAt = isEdge
    ? totalMs - marginMs + dice.int(-400, 150)
    : dice.int(1_200, Math.max(1_300, totalMs - marginMs - 500));
  const goesOnAt = dice.chance(0.7) ? dice.int(diesAt + 300, totalMs - 300) : totalMs + dice.int(100, 700);
  const stays = Array.from({ length: dice.pick([0, 1, 1, 1, 2, 2, 3]) }, () =>
    dice.chance(0.5) ? dice.int(500, totalMs - 500) : undefined,
  );
  const comes = Array.from({ length: stays.length === 0 ? 1 : dice.pick([0, 0, 1, 1, 2]) }, () => ({
    at: dice.chance(0.7) || stays.length === 0 ? dice.int(diesAt + 50, totalMs - 1_500) : dice.int(300, diesAt),
    forMs: dice.int(100, 4_000),
  }));
  return { death, wanted, deadlineS, diesAt, goesOnAt, stays, comes };
}

/** What was written first: a decision that came after the program's own withdrawal is none. */
function writtenIn(home: string, id: string): Wanted {
  const history = join(home, "history");
  const folder = readdirSync(history).find((name) => name.startsWith(`${id}~`)) ?? "";
  const kind = readJson(join(history, folder, "decided.1.json"))?.fact?.kind;
  return kind === "accept" ? "yes" : kind === "edit" ? "edit" : kind === "reject" ? "no" : "undecided";
}

export class KeeperFigures {
  readonly #rows = new Map<string, Record<string, number>>();

  add({ death, wanted, deadlineS }: { death: string; wanted: string; deadlineS: number }, became: string): void {
    for (const key of [`${death} · ${wanted}`, `all · ${became}`]) {
      const row = this.#rows.get(key) ?? {};
      row[`${deadlineS} s`] = (row[`${deadlineS} s`] ?? 0) + 1;
      row.all = (row.all ?? 0) + 1;
      if (!key.startsWith("all")) row[became] = (row[became] ?? 0) + 1;
      this.#rows.set(key, row);
    }
  }

  print(): void {
    const isSum = (key: string) => key.startsWith("all");
    const order = (key: string) => (isSum(key) ? DEATHS.length : DEATHS.findIndex((one) => key.startsWith(`${one} ·`)));
    const rows = [...this.#rows].sort(([a], [b]) => order(a) - order(b) || (a < b ? -1 : 1));
    console.table(Object.fromEntries(rows));
  }
}

export interface KeeperBench {
  root: string;
  report: Report;
  stalls: Stalls;
  figures: KeeperFigures;
  deadlines: readonly number[];
}

export async function keeperDies(
  seed: number,
  { root, report, stalls, figures, deadlines }: KeeperBench,
): Promise<void> {
  const life = lifeOf(seed, deadlines);
  const { death, wanted, deadlineS, diesAt, goesOnAt, stays, comes } = life;
  const home = mkdtempSync(join(tmpdir(), "towow-keeper-home-"));
  const mock = createMockBackend({ stepMs: 8, seed, confirmTimeoutMs: deadlineS * 1000 });
  mock.engine.formulateWith(() => TEXT);
  const { url } = await mock.listen();
  const env = {
    TOWOW_HOME: home,
    TOWOW_BACKEND_URL: url,
    TOWOW_CONFIRM_DEADLINE_S: String(deadlineS),
    TOWOW_WAIT_BUDGET_S: "3",
  };
  const violate = (kind: string, detail: unknown) =>
    report.violate(
      kind,
      "keeper",
      seed,
      `seed ${seed}, ${death}, ${wanted}, ${deadlineS} s: ${JSON.stringify(detail)}`,
    );
  const isFormOpen = wanted === "undecided" && seed % 2 === 0;
  const keeper = new Keeper(root, env, death, isFormOpen ? () => new Promise<Result>(() => {}) : undefined);
  const others: Server[] = [];
  const start = () => {
    const server = new Server(root, env);
    others.push(server);
    return server;
  };
  try {
    const scene_id = mock.scenes()[0]!.scene_id;
    const { staying, demand } = await inTurn(async () => {
      await keeper.start();
      const staying = stays.map(start);
      await Promise.all(staying.map(({ ready }) => ready));
      const demand = keeper.server.call("towow_demand", { intent: `Demand ${seed}`, scene_id });
      while (mock.negotiations()[0]?.times.formulated === undefined) await sleep(5);
      return { staying, demand };
    });
    const began = mock.negotiations()[0]!.times.formulated!;
    const until = (ms: number) => sleep(began + ms - Date.now());
    const id = mock.negotiations()[0]!.negotiation_id;
    const isWarned: string[] = [];
    /** When each that came had its answer, and when it was gone. */
    const came: { answeredAt: number; goneAt?: number }[] = [];
    const ask = async (server: Server) => {
      const status = await server.call("towow_status", {});
      if (JSON.stringify(status?.warnings ?? []).includes("pause_was_unguarded"))
        isWarned.push(`at ${Date.now() - began}`);
    };
    const asked = stays.map(async (at, index) => {
      if (at === undefined) return;
      await until(at);
      await ask(staying[index]!);
    });
    const passing = comes.map(async ({ at, forMs }) => {
      await until(at);
      const server = start();
      await ask(server);
      const visit: (typeof came)[number] = { answeredAt: Date.now() - began };
      came.push(visit);
      await sleep(forMs);
      server.child.stdin!.end();
      await server.exited;
      visit.goneAt = Date.now() - began;
    });
    const kill = async () => {
      const leadMs = Math.min(600, diesAt - 700);
      await until(diesAt - leadMs);
      if (wanted !== "undecided") {
        // What is decided is written, and does not arrive.
        for (const route of ["confirm", "action"] as const)
          mock.faults.add({ route, kind: "drop_before", times: Number.POSITIVE_INFINITY });
        const params = (await demand)?.data?.resume_with?.params;
        const decision = { no: "reject", yes: "accept", edit: "edit" }[wanted];
        const edited = wanted === "edit" && { confirmed_text: EDITED };
        void keeper.server.call("towow_demand", { ...params, decision, ...edited });
      }
      await until(diesAt);
      keeper.die();
      report.killed("keeper");
      mock.faults.clear();
      if (!death.startsWith("continued")) return;
      await until(goesOnAt);
      keeper.goOn();
    };
    await Promise.all([...asked, ...passing, kill(), until(deadlineS * 1000 + 1_200)]);
    const became = judge({ mock, id, life, came, written: writtenIn(home, id), began, stalls, violate });
    figures.add(life, became);
    if (death === "lives elsewhere" && isWarned.length > 0)
      violate("said that a living program's pause was unguarded", isWarned);
    if (staying[0] !== undefined) {
      const agreed = { undecided: [], no: [], yes: [TEXT], edit: [EDITED] }[wanted];
      await judgeTelling(staying[0], { mock, id, agreed, deadlineS, violate });
    }
    const crashes = [keeper.server, ...others].map(({ stderr }) => stderr).join("");
    if (/Unhandled|TypeError|ReferenceError/.test(crashes)) violate("stderr", crashes.slice(0, 400));
  } catch (error) {
    violate("harness", String((error as Error).stack));
  } finally {
    await keeper.remove();
    for (const server of others) await server.kill();
    await mock.close();
    rmSync(home, { recursive: true, force: true });
  }
}

interface Judged {
  mock: MockBackend;
  id: string;
  life: Life;
  came: readonly { answeredAt: number; goneAt?: number }[];
  written: Wanted;
  began: number;
  stalls: Stalls;
  violate: (kind: string, detail: unknown) => void;
}

/** What became of it. Excused is only what happened when no program of the home could act. */
function judge({ mock, id, life, came, written, began, stalls, violate }: Judged): string {
  const { death, deadlineS, stays, diesAt } = life;
  const end = mock.negotiations().find((one) => one.negotiation_id === id)!;
  const requests = mock.journal
    .filter((e) => /\/(confirm|action)$/.test(e.path))
    .map((e) => ({ to: e.path.split("/").pop(), at: e.at - began, status: e.status, body: e.body }));
  const late = stalls.since(began + deadlineS * 1000 - 15_000).filter(({ ms }) => ms > 300);
  const about = {
    life,
    came,
    written,
    stalls: late.map(({ at, ms }) => [at - began, ms]),
    end: [end.state, end.confirmedBy, end.cancelled, end.confirmedText],
    requests,
  };
  const texts = { undecided: [], no: [], yes: [TEXT], edit: [EDITED] }[written] as string[];
  for (const { to, body, status } of requests)
    if (
      to === "confirm" &&
      status === 200 &&
      !texts.includes((body as { confirmed_text?: string })?.confirmed_text ?? TEXT)
    )
      violate("confirmed without a decision", about);
  // Whoever looks at its end sees these; a program that hangs, or is out of sight, may still live then.
  const answered = came.filter(({ answeredAt }) => answeredAt > diesAt && answeredAt < deadlineS * 1000 - 500);
  const isSeen = ["killed", "unreaped", "stopped"].includes(death) && answered.length > 0;
  const goesOn = death.startsWith("continued") && life.goesOnAt < deadlineS * 1000 - 500;
  const keeps = death === "lives elsewhere" || goesOn;
  const isLived = stays.length > 0 || isSeen || keeps;
  const firstCancel =
    requests.find(({ to, status }) => to === "action" && status === 200)?.at ?? Number.POSITIVE_INFINITY;
  if (death === "lives elsewhere" && written === "undecided") {
    const marginMs = Math.min(15_000, deadlineS * 250);
    if (firstCancel < deadlineS * 1000 - marginMs - 1_000) violate("withdrawn while its form was open", about);
  }
  if (end.confirmedBy === "timeout") {
    if (!isLived) return "excused: no program lived";
    violate(`broadcast, and ${written === "undecided" ? "nobody decided" : `the decision was ${written}`}`, about);
    return "BROADCAST";
  }
  if (end.confirmedBy === "user") {
    if (written === "no" && !end.cancelled) violate("confirmed against a no", about);
    return end.cancelled ? "confirmed, then cancelled" : "confirmed";
  }
  if (!end.cancelled) {
    violate("nothing became of it", about);
    return "OPEN";
  }
  if (written !== "yes")
    return written === "no" ? "cancelled" : written === "edit" ? "edit lost, withdrawn" : "withdrawn";
  if (stays.length > 0 || keeps) violate("a written yes was not carried out", about);
  return "yes, withdrawn at the last program's end";
}
