import { expect, it, onTestFinished } from "vitest";
import { type RunningMock, runningMock } from "../support/backend.ts";
import { modernClient, type Session } from "../support/clients.ts";
import { startEndpoint } from "../support/endpoint.ts";
import { temporaryHome } from "../support/home.ts";

/** Offers that once took more than the time to decide to clean, while nothing else of the program ran. */

/** Keys that are all different, and one name once their invisible characters are gone. */
const oneName = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [n.toString(2).replaceAll("0", "\u200B").replaceAll("1", "\u200C"), n]),
  );
const agent = (_: unknown, n: number) => ({ agent_id: `agent_${n}`, offer_content: oneName(1_000) });

const SOON = { confirmTimeoutMs: 12_000 };
const DEADLINE = { TOWOW_CONFIRM_DEADLINE_S: "12", TOWOW_LANG: "en" };

async function submit(session: Session, mock: RunningMock): Promise<string> {
  const { result } = await session.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  expect(result.data.state).toBe("formulated");
  return result.data.negotiation_id;
}

/** Reads the one negotiation, full of such offers, and sees how the other ends that nobody decides on. */
async function expectWithdrawn(session: Session, mock: RunningMock, hostile: string, undecided: string): Promise<void> {
  mock.engine.patch(hostile, { participants: Array.from({ length: 16 }, agent) } as never);
  const status = session.call("towow_status", { negotiation_id: hostile });
  status.catch(() => {}); // how the demand ends says more
  const ended = () => mock.negotiations().find(({ negotiation_id }) => negotiation_id === undecided);
  await expect.poll(() => ended()?.state, { timeout: 25_000 }).toBe("completed");
  expect(ended()).toMatchObject({ cancelled: true, confirmCount: 0, confirmedBy: undefined });
  expect((await status).result.data.negotiation_id).toBe(hostile);
}

it("a program withdraws its own demand in time, whatever was offered there", async () => {
  const mock = await runningMock(SOON);
  const env = { ...DEADLINE, TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url };
  const session = await modernClient({ env });
  const id = await submit(session, mock);
  await expectWithdrawn(session, mock, id, id);
});

it("an endpoint withdraws one user's demand in time, whatever was offered to another", async () => {
  const mock = await runningMock(SOON);
  const endpoint = await startEndpoint({ env: DEADLINE, backend: { mock, url: mock.url } });
  onTestFinished(() => endpoint.close());
  const user = async () =>
    modernClient({ url: endpoint.url, headers: { Authorization: `Bearer ${await endpoint.token()}` } });
  const [one, another] = [await user(), await user()];
  const hostile = await submit(one, mock);
  const undecided = await submit(another, mock);
  await expectWithdrawn(one, mock, hostile, undecided);
});
