import { startMock } from "../calls/mock.ts";
import { residentMb } from "../resident-mb.ts";
import { type LoopFigures, openLoop } from "./open-loop.ts";
import { ask, forAll, newPerson, type Person, STEP_MS } from "./people.ts";
import { startEndpoint, startLibrary } from "./servers.ts";

const NEGOTIATIONS = 10;
const HELD_P99_MS = 200;
const PART = 0.7;
const SETTLE_MS = 5_000;

export interface UsersFigures extends LoopFigures {
  users: number;
  /** What the SDK's own handler held. */
  heldPerSecond: number;
  perSecond: number;
  residentMb: number;
}

interface User extends Person {
  /** The last one waits for its person, the others have their plan. */
  negotiations: string[];
}

/** What people's programs ask, and how many of a hundred calls. */
const MIX: [percent: number, tool: string, args: (user: User, nth: number) => object][] = [
  [35, "towow_status", () => ({})],
  [25, "towow_status", ({ negotiations }, nth) => ({ negotiation_id: negotiations[nth % NEGOTIATIONS] })],
  [20, "towow_get_negotiation", ({ negotiations }, nth) => ({ negotiation_id: negotiations[nth % NEGOTIATIONS] })],
  [15, "towow_list_scenes", () => ({})],
  [5, "towow_demand", ({ negotiations }) => ({ negotiation_id: negotiations.at(-1) })],
];

const HUNDRED = MIX.flatMap(([percent, ...what]) => Array.from({ length: percent }, () => what));

/** The last rate at which the SDK's own handler, with one GET, answers 99 of 100 calls in time. */
async function heldByLibrary(mockUrl: string, user: User): Promise<number> {
  const library = await startLibrary(`${mockUrl}/v1/api`, `Bearer ${user.token}`);
  const [negotiation_id] = user.negotiations;
  const send = async () => (await ask(library.url, user, "empty", { negotiation_id })).isWell;
  await openLoop(50, 3, send);
  let held = 0;
  for (let perSecond = 50; ; perSecond *= 1.25) {
    const { p99Ms, failed } = await openLoop(perSecond, 6, send);
    if (p99Ms > HELD_P99_MS || failed > 0) break;
    held = perSecond;
  }
  await library.stop();
  return held;
}

/** One user with nine plans and one demand that waits, made through the endpoint as their programs would. */
async function filled(url: string, mockUrl: string, nth: number): Promise<User> {
  const user: User = { ...(await newPerson(mockUrl, nth)), negotiations: [] };
  const listed = await ask(url, user, "towow_list_scenes", {});
  if (!listed.isWell) throw new Error(`no scenes: ${JSON.stringify(listed)}`);
  const { data } = listed;
  const [scene] = data.scenes as { scene_id: string }[];
  while (user.negotiations.length < NEGOTIATIONS) {
    const intent = `A product designer who knows hospital queues, ${user.negotiations.length}`;
    const made = await ask(url, user, "towow_submit_demand", { scene_id: scene?.scene_id, intent });
    if (!made.isWell) throw new Error(`a demand was not taken: ${JSON.stringify(made)}`);
    const negotiation_id = String(made.data.negotiation_id);
    user.negotiations.push(negotiation_id);
    if (user.negotiations.length === NEGOTIATIONS) break;
    const { data: question } = await ask(url, user, "towow_demand", { negotiation_id });
    const { params } = question.resume_with as { params: object };
    const decided = await ask(url, user, "towow_demand", { ...params, decision: "accept" });
    if (!decided.isWell) throw new Error(`a yes was not taken: ${JSON.stringify(decided)}`);
  }
  return user;
}

/** Many users at one endpoint for `seconds`, at a part of the rate that the SDK's own handler holds on this machine. */
export async function measureUsers(users: number, seconds: number): Promise<UsersFigures> {
  const mock = await startMock("--step", `${STEP_MS}`);
  const endpoint = await startEndpoint(mock.url, ["--mode", "developer"]);
  try {
    const numbers = Array.from({ length: users }, (_, nth) => nth);
    const all = await forAll(numbers, (nth) => filled(endpoint.url, mock.url, nth));
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const heldPerSecond = await heldByLibrary(mock.url, all[0]!);
    const perSecond = heldPerSecond * PART;
    const figures = await openLoop(perSecond, seconds, async (nth) => {
      const user = all[(nth * 7919) % users]!;
      const [tool, args] = HUNDRED[(nth * 37) % 100]!;
      return (await ask(endpoint.url, user, tool, args(user, nth))).isWell;
    });
    return { ...figures, users, heldPerSecond, perSecond, residentMb: residentMb(endpoint.pid) };
  } finally {
    await endpoint.stop();
    await mock.stop();
  }
}
