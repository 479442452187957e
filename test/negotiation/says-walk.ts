import type { FaultRoute, NegotiationView } from "../../mock-backend/main.ts";
import { BROADCAST, type Broadcast, type BroadcastText, type Yes } from "../../src/negotiation/says.ts";
import { falseClaims } from "../faults/said.ts";
import { Dice } from "../faults/sim.ts";
import { surfacesOf, type Told } from "../support/surfaces.ts";
import { createWorld, type Process, type World } from "../support/world.ts";

/** Histories through the front door, and everything false that any surface said on their way. */

export const DECISIONS = ["none", "accept", "edit", "reject", "cancel", "accept, cancel", "edit, cancel"] as const;
/** What becomes of the requests that carry decisions out, the guard's own too. */
export const FATES = ["answered", "answer lost", "never arrives", "hangs"] as const;
/** The yes is lost, and what takes it back arrives. */
export const YES_LOST = "the yes never arrives";
export const OTHERS = ["nobody", "the same text", "another text"] as const;
/** When anything can be read again after the decision. */
export const SIGHTS = ["at once", "behind the deadline"] as const;
export const ENDS = ["plan", "no plan", "gone", "text unread"] as const;
/** How else it can end. */
export const OTHER_ENDS = ["alone", "all left", "empty plan"] as const;
/** By what an intent makes the backend do. */
const MARKED: Readonly<Partial<Record<History["end"], string>>> = {
  "no plan": " [[center=fail]]",
  alone: " [[resonate=none]]",
  "all left": " [[offers=fail]]",
  "empty plan": " [[center=emptyplan]]",
};

export interface History {
  decision: (typeof DECISIONS)[number];
  fate: (typeof FATES)[number] | typeof YES_LOST;
  other: (typeof OTHERS)[number];
  sight: (typeof SIGHTS)[number];
  end: (typeof ENDS)[number] | (typeof OTHER_ENDS)[number];
  /** Somebody else confirms just behind the person's own yes, whose request takes this long. */
  isOver?: true;
  /** The program dies as its request goes out, which arrives this much later; another one takes over. */
  diesForMs?: number;
}

const DEADLINE_S = 30;
const DEADLINE_MS = DEADLINE_S * 1_000;
const OTHER_TEXT = "Somebody else's text about machine learning";
const OWN_TEXT = "My own text about machine learning";
const FOREVER = Number.POSITIVE_INFINITY;

type AtEnd = Parameters<typeof createWorld>[1];

export interface Walked {
  /** `surface: what was false`. */
  falsehoods: string[];
  /** How many statements were judged. */
  statements: number;
}

/** A demand that waits for its decision, and what is said of it from then on. */
async function begun(intent: string, config: Record<string, unknown>, atEnd: AtEnd) {
  const world = await createWorld({ confirmTimeoutMs: DEADLINE_MS, offerTimeoutMs: 4_000 }, atEnd);
  const { clock } = world;
  const options = {
    config: { confirm_deadline_s: DEADLINE_S, wait_budget_s: 5, ...config },
    flags: { mode: "developer" },
  };
  const p = await world.process(options);
  const submittedAt = clock.now();
  const demand = await p.call("towow_demand", { intent });
  const { negotiation_id: id = "", confirmation_id } = demand.result.data.resume_with.params as Record<string, string>;
  const formulated = String(only(world).demand_formulated);
  const agreed: string[] = [];
  const walked: Walked = { falsehoods: [], statements: 0 };
  const judge = (told: readonly Told[], from: number) => {
    const truth = {
      negotiation: only(world),
      from,
      at: clock.now(),
      agreed,
      deadlineAt: submittedAt + DEADLINE_MS,
      isLeft: config.on_unconfirmed === "leave",
    };
    for (const one of told) {
      walked.statements += 1;
      for (const name of falseClaims(one, truth)) walked.falsehoods.push(`${one.surface}: ${name}`);
    }
  };
  return {
    world,
    p,
    id,
    options,
    walked,
    submittedAt,
    async look(by: Process): Promise<void> {
      const from = clock.now();
      judge(await surfacesOf(world, by, id), from);
    },
    /** Decides by an argument; what the call itself says is judged too. `onSent`: its request goes out. */
    async decide(by: Process, decision: string, onSent = () => {}): Promise<void> {
      if (decision === "accept") agreed.push(formulated);
      if (decision === "edit") agreed.push(OWN_TEXT);
      const from = clock.now();
      const text = decision === "edit" && { confirmed_text: OWN_TEXT };
      const before = sentTo(world).length;
      const work = by.start("towow_demand", { negotiation_id: id, confirmation_id, decision, ...text });
      let isOver = false;
      void work.then(() => {
        isOver = true;
      });
      await clock.until(() => isOver || sentTo(world).length > before, { stepMs: 5 });
      onSent();
      if (world.dead.has(by.pid)) return; // no answer of it arrives anywhere
      const { result } = await clock.run(work);
      judge([toldBy(result)], from);
    },
  };
}

/** One cell of the product. */
export async function walk(history: History, atEnd: AtEnd): Promise<Walked> {
  const { decision, fate, other, sight, end, isOver, diesForMs } = history;
  const intent = `machine learning${MARKED[end] ?? ""}`;
  const { world, p, id, options, walked, submittedAt, look, decide } = await begun(intent, {}, atEnd);
  const { mock, clock } = world;
  const heir = diesForMs === undefined ? p : await world.process(options);
  if (diesForMs !== undefined) mock.faults.add({ route: "confirm", kind: "delay", delayMs: diesForMs });
  for (const route of ["confirm", "action"] as const) fail(world, route, fate);
  if (end === "text unread") world.rewrite = unread;
  const confirm = () => void mock.engine.confirm(id, other === "the same text" ? null : OTHER_TEXT, "other");
  const hide = () => {
    if (isOver) confirm();
    if (diesForMs !== undefined) world.dead.add(p.pid);
    letReadsPass(world);
    if (sight === "behind the deadline") mock.faults.add({ route: "get", kind: "status", status: 503, times: FOREVER });
  };
  for (const kind of decision.split(", ")) {
    if (kind === "none") continue;
    await decide(p, kind, hide);
    await clock.advance(500);
  }
  if (decision === "none") hide();
  const { state, confirmedBy } = only(world);
  if (other !== "nobody" && state === "formulated" && confirmedBy === undefined) confirm();
  if (sight === "at once") {
    await clock.advance(1_000);
    await look(heir);
    if (diesForMs !== undefined) await clock.advance(diesForMs);
    await look(heir);
  }
  await clock.advance(Math.max(0, submittedAt + DEADLINE_MS + 1_500 - clock.now()));
  letReadsPass(world);
  await look(heir);
  await clock.advance(20_000);
  if (end === "gone") mock.faults.add({ route: "get", kind: "status", status: 404, times: FOREVER });
  await look(heir);
  return walked;
}

const MARKERS = ["", "", "", " [[center=fail]]", " [[center=sub]]", " [[encode=fail]]", " [[formulated=As it was]]"];
const ROUTES: readonly FaultRoute[] = ["confirm", "action", "get"];
const KINDS = ["drop_before", "drop_after", "status", "delay"] as const;

/** A history that fell by dice: several programs, faults, deaths, somebody else, another text, looks in between. */
export async function wander(seed: number, atEnd: AtEnd): Promise<Walked> {
  const dice = new Dice(seed);
  const intent = `machine learning${dice.pick(MARKERS)}`;
  const config = { on_unconfirmed: dice.chance(0.2) ? "leave" : "cancel" };
  const { world, p, id, options, walked, look, decide } = await begun(intent, config, atEnd);
  const { mock, clock, dead } = world;
  const alive = [p, ...(dice.chance(0.5) ? [await world.process(options)] : [])];
  if (dice.chance(0.2)) mock.engine.offerWith(() => dice.pick(["exit", "hang"]));
  const steps: Record<string, () => Promise<void> | void> = {
    decide: () => decide(dice.pick(alive), dice.pick(["accept", "accept", "edit", "edit", "reject", "cancel"])),
    wait: () => clock.advance(dice.int(50, 15_000)),
    look: () => look(dice.pick(alive)),
    fault() {
      const times = dice.chance(0.4) ? FOREVER : dice.int(1, 4);
      const [route, kind] = [dice.pick(ROUTES), dice.pick(KINDS)];
      mock.faults.add({ route, kind, times, ...(kind === "delay" && { delayMs: 8_000 }) });
    },
    clear: () => mock.faults.clear(),
    other() {
      if (only(world).state !== "formulated" || only(world).confirmedBy !== undefined) return;
      mock.engine.confirm(id, dice.chance(0.5) ? null : OTHER_TEXT, "other");
    },
    change() {
      if (only(world).state === "formulated" && dice.chance(0.3)) mock.engine.setFormulatedText(id, OTHER_TEXT);
    },
    kill() {
      if (alive.length > 1) dead.add(alive.splice(dice.int(0, 1), 1)[0]!.pid);
    },
  };
  const names = ["decide", "decide", "wait", "wait", "look", "fault", "fault", "clear", "other", "change", "kill"];
  for (let left = dice.int(4, 10); left > 0; left--) await steps[dice.pick(names)]!();
  if (dice.chance(0.7)) mock.faults.clear();
  else letReadsPass(world);
  await clock.advance(dice.int(500, DEADLINE_MS + 20_000));
  await look(dice.pick(alive));
  await clock.advance(DEADLINE_MS + 20_000);
  if (dice.chance(0.15)) mock.faults.add({ route: "get", kind: "status", status: 404, times: FOREVER });
  for (const one of alive) await look(one);
  return walked;
}

type CellName = `${Yes} ${BroadcastText}`;
export const CELLS = Object.entries(BROADCAST).flatMap(([yes, row]) =>
  Object.keys(row).map((text) => `${yes} ${text}` as CellName),
);

/** From now on `note` hears of each cell of the table that is read; the returned function ends that. */
export function hearCells(note: (cell: CellName) => void): () => void {
  const before = structuredClone(BROADCAST);
  eachCell((row, yes, text) => {
    const word = row[text];
    Object.defineProperty(row, text, {
      configurable: true,
      enumerable: true,
      get() {
        note(`${yes} ${text}`);
        return word;
      },
    });
  });
  return () => eachCell((row, yes, text) => set(row, text, before[yes][text]));
}

/** Puts another word into one cell; the returned function puts the old one back. */
export function mutate(cell: string, word: Broadcast): () => void {
  let restore = () => {};
  eachCell((row, yes, text) => {
    if (`${yes} ${text}` !== cell) return;
    const old = row[text];
    set(row, text, word);
    restore = () => set(row, text, old);
  });
  return restore;
}

export const wordIn = (cell: string): Broadcast => {
  const [yes, text] = cell.split(" ") as [Yes, BroadcastText];
  return BROADCAST[yes][text];
};

type Row = Record<BroadcastText, Broadcast>;
const set = (row: Row, text: BroadcastText, value: Broadcast) =>
  Object.defineProperty(row, text, { configurable: true, enumerable: true, writable: true, value });

function eachCell(visit: (row: Row, yes: Yes, text: BroadcastText) => void): void {
  for (const [yes, row] of Object.entries(BROADCAST))
    for (const text of Object.keys(row)) visit(row as Row, yes as Yes, text as BroadcastText);
}

/** The requests that carry decisions out. */
const sentTo = ({ mock }: World) => mock.journal.filter(({ path }) => /\/(?:confirm|action)$/.test(path));

const only = ({ mock }: World): NegotiationView => mock.negotiations().find(({ depth }) => depth === 0)!;

// biome-ignore lint/suspicious/noExplicitAny: the data of a tool
function toldBy({ data, error, summary, status, warnings }: any): Told {
  const text = [summary, error?.message, error?.recovery_suggestion].filter(Boolean).join("\n");
  const isSuccess = error === null && status === "ok" && data?.state === "completed";
  return { surface: "towow_demand", text, codes: warnings, state: data?.state, isSuccess, isWhole: error === null };
}

function fail({ mock }: World, route: FaultRoute, fate: History["fate"]): void {
  if (fate === "answer lost") mock.faults.add({ route, kind: "drop_after", times: FOREVER });
  if (fate === "never arrives" || (fate === YES_LOST && route === "confirm"))
    mock.faults.add({ route, kind: "drop_before", times: FOREVER });
  if (fate === "hangs") mock.faults.add({ route, kind: "delay", delayMs: 3_600_000, times: FOREVER });
}

/** What cannot be read can be read again; what becomes of decisions stays as it is. */
function letReadsPass({ mock }: World): void {
  const kept = mock.faults.list().filter(({ route }) => route !== "get");
  mock.faults.clear();
  for (const fault of kept) mock.faults.add(fault);
}

const MOVED = ["encoding", "offering", "barrier_waiting", "synthesizing", "completed"];
const unread = (body: unknown): unknown => {
  const n = body as { state?: string };
  return MOVED.includes(n.state ?? "") ? { ...n, demand_formulated: null } : body;
};
