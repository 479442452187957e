import { request } from "undici";
import { startMock } from "../calls/mock.ts";
import { residentMb } from "../resident-mb.ts";
import { type Answer, agent, ask, forAll, newPerson, type Person, STEP_MS } from "./people.ts";
import { startEndpoint } from "./servers.ts";

/** Each of them has a demand that waits for a decision while the endpoint is asked too much. */
const USERS = 200;
/** So many of the pauses are decided on in each step: half of them by a yes, half by a no. */
const DECIDED_IN_STEP = 40;
/** What it holds is what so many callers get who each wait for their answer. */
const HELD_BY = 16;
/** In it every plan is made, and memory is given back. */
const REST_MS = 15_000;

export interface Step {
  /** Of what it holds. */
  times: number;
  perSecond: number;
  sent: number;
  answered: Times;
  refused: Times;
  failed: number;
  decisions: Times & { unanswered: number };
  residentMb: number;
}

interface Times {
  count: number;
  p50Ms: number;
  p99Ms: number;
}

export interface OverloadFigures {
  heldPerSecond: number;
  steps: Step[];
  /** Decisions of which the backend shows nothing. */
  lost: number;
  /** Texts that went out and on which nobody has decided. */
  undecidedBroadcast: number;
  residentMb: Record<"before" | "after", number>;
}

interface User extends Person {
  negotiationId: string;
  /** What `towow_confirm` wants beside a decision. */
  question: object;
  decision?: "accept" | "reject";
}

/** What people's programs ask, and how many of twenty calls. */
const MIX: [of20: number, tool: string, args: (user: User) => object][] = [
  [12, "towow_get_negotiation", ({ negotiationId }) => ({ negotiation_id: negotiationId })],
  [5, "towow_status", () => ({})],
  [3, "towow_list_scenes", () => ({})],
];
const TWENTY = MIX.flatMap(([of20, ...what]) => Array.from({ length: of20 }, () => what));

/** Somebody with a demand that waits for their decision. */
async function withPause(url: string, mockUrl: string, nth: number): Promise<User> {
  const person = await newPerson(mockUrl, nth);
  const [scene] = (await ask(url, person, "towow_list_scenes", {})).data.scenes as { scene_id: string }[];
  const intent = `A product designer who knows hospital queues, ${nth}`;
  const made = await ask(url, person, "towow_submit_demand", { scene_id: scene?.scene_id, intent });
  const negotiationId = String(made.data.negotiation_id);
  const { data } = await ask(url, person, "towow_demand", { negotiation_id: negotiationId });
  const { params: question } = data.resume_with as { params: object };
  return { ...person, negotiationId, question };
}

/** How many calls a second callers get who each send the next when they have their answer. */
async function held(url: string, users: readonly User[], seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  let count = 0;
  const caller = async () => {
    while (performance.now() < until) if ((await newCall(url, users, count++)).status !== 200) count -= 1;
  };
  await Promise.all(Array.from({ length: HELD_BY }, caller));
  return count / seconds;
}

function newCall(url: string, users: readonly User[], nth: number): Promise<Answer> {
  const user = users[(nth * 37) % users.length]!;
  const [tool, args] = TWENTY[(nth * 7) % 20]!;
  return ask(url, user, tool, args(user));
}

function timesOf(all: number[]): Times {
  all.sort((a, b) => a - b);
  const at = (q: number) => all[Math.min(all.length - 1, Math.floor(all.length * q))] ?? Number.NaN;
  return { count: all.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** New calls when they are due, whatever becomes of those before, and decisions among them. Times are from when one was due. */
async function step(
  url: string,
  users: readonly User[],
  deciding: readonly User[],
  perSecond: number,
  seconds: number,
): Promise<Pick<Step, "sent" | "answered" | "refused" | "failed" | "decisions">> {
  const times = { answered: [] as number[], refused: [] as number[], decisions: [] as number[] };
  let failed = 0;
  let unanswered = 0;
  const running: Promise<void>[] = [];
  const from = performance.now();
  const due = (nth: number, count: number) => from + (nth * seconds * 1_000) / count;
  const one = async (dueAt: number, nth: number) => {
    const answer = await newCall(url, users, nth).catch(() => undefined);
    const ms = performance.now() - dueAt;
    if (answer?.status === 503) times.refused.push(ms);
    else if (answer?.isWell) times.answered.push(ms);
    else failed += 1;
  };
  const decide = async (dueAt: number, user: User, nth: number) => {
    user.decision = nth % 2 === 0 ? "accept" : "reject";
    const args = { ...user.question, decision: user.decision };
    const answer = await ask(url, user, "towow_confirm", args).catch(() => undefined);
    times.decisions.push(performance.now() - dueAt);
    if (!answer?.isWell) unanswered += 1;
  };
  const count = Math.round(perSecond * seconds);
  let sent = 0;
  let decided = 0;
  while (sent < count || decided < deciding.length) {
    const now = performance.now();
    while (sent < count && due(sent, count) <= now) running.push(one(due(sent, count), sent++));
    while (decided < deciding.length && due(decided, deciding.length) <= now)
      running.push(decide(due(decided, deciding.length), deciding[decided]!, decided++));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(running);
  const decisions = { ...timesOf(times.decisions), unanswered };
  return { sent, answered: timesOf(times.answered), refused: timesOf(times.refused), failed, decisions };
}

/** Whether the backend shows of each what its person has decided: how many decisions are lost, and texts out undecided. */
async function outcomes(mockUrl: string, users: readonly User[]) {
  let lost = 0;
  let undecidedBroadcast = 0;
  await forAll(users, async ({ token, negotiationId, decision }) => {
    const { body } = await request(`${mockUrl}/v1/api/negotiations/${negotiationId}`, {
      dispatcher: agent,
      headers: { Authorization: `Bearer ${token}` },
    });
    const { state, participants = [] } = (await body.json()) as { state: string; participants?: unknown[] };
    const isOut = participants.length > 0;
    if (decision === "accept" && !isOut) lost += 1;
    if (decision === "reject" && (isOut || state === "formulated")) lost += 1;
    if (decision === undefined && isOut) undecidedBroadcast += 1;
  });
  return { lost, undecidedBroadcast };
}

/** An endpoint that is asked a part, and several times, of what it holds, while people's demands wait for them. */
export async function measureOverload(offered: readonly number[], seconds: number): Promise<OverloadFigures> {
  const mock = await startMock("--step", `${STEP_MS}`);
  const endpoint = await startEndpoint(mock.url, ["--mode", "developer"]);
  const resident = () => residentMb(endpoint.pid);
  try {
    const numbers = Array.from({ length: USERS }, (_, nth) => nth);
    const users = await forAll(numbers, (nth) => withPause(endpoint.url, mock.url, nth));
    await held(endpoint.url, users, Math.min(seconds, 5)); // the first calls are slow
    const heldPerSecond = await held(endpoint.url, users, Math.min(seconds, 10));
    const before = resident();
    const steps: Step[] = [];
    for (const [nth, times] of offered.entries()) {
      const perSecond = heldPerSecond * times;
      const deciding = users.slice(nth * DECIDED_IN_STEP, (nth + 1) * DECIDED_IN_STEP);
      const figures = await step(endpoint.url, users, deciding, perSecond, seconds);
      steps.push({ times, perSecond, ...figures, residentMb: resident() });
    }
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    return { heldPerSecond, steps, ...(await outcomes(mock.url, users)), residentMb: { before, after: resident() } };
  } finally {
    await endpoint.stop();
    await mock.stop();
  }
}
