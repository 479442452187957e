import { describe, expect, it } from "vitest";
import type { MockOptions } from "../../mock-backend/main.ts";
import { runningMock } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { type Answerer, declining, legacyClient, modernClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";

/** What was seen at the real engine, through the built program and clients of both eras. */

/** Somebody of the sample scene can do that. */
const INTENT = "machine learning";
const REACHED = /The backend had already broadcast it and asked \d+ agents?\./;

/** Whoever has not joined gets their own words back. */
const OWN_WORDS = ["degraded_formulation"];

const eras = [
  ["2025 era", legacyClient],
  ["2026-07-28", modernClient],
] as const;

/** What stops or kills its server needs one in a process of its own. */
const KILLED = { spawned: true } as const;

async function setUp(
  connect: typeof legacyClient,
  options: MockOptions,
  answer?: Answerer,
  more = {},
  how?: { spawned: true },
) {
  const mock = await runningMock({ offerTimeoutMs: 100_000, ...options });
  const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TZ: "UTC", ...more };
  const session = await connect({ env, ...how }, answer);
  return { mock, env, session };
}

describe.each(eras)("%s", (_, connect) => {
  it.skipIf(process.platform === "win32")("the program stands still over the deadline and goes on", async () => {
    const { mock, session } = await setUp(
      connect,
      { confirmTimeoutMs: 4_000 },
      undefined,
      { TOWOW_CONFIRM_DEADLINE_S: "4" },
      KILLED,
    );
    mock.engine.offerWith(() => "hang");
    const demand = await session.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
    expect(demand.result.data.state).toBe("formulated");
    const pid = session.pid()!;
    process.kill(pid, "SIGSTOP");
    await expect.poll(() => mock.negotiations()[0]?.participants.length, { timeout: 10_000 }).toBeGreaterThan(0);
    process.kill(pid, "SIGCONT");
    await expect.poll(() => mock.negotiations()[0]?.cancelled, { timeout: 10_000 }).toBe(true);
    const { result } = await session.call("towow_status");
    expect(result.summary).toMatch(REACHED);
    expect(result.summary).not.toMatch(/not broadcast/);
    expect(result.data.open).toEqual([]);
  });

  // Long enough for the answer to come later than any that no person gives (`PERSON_MS`).
  it.each(["cancel", "leave"])("a form declined behind the broadcast, under %s", async (on_unconfirmed) => {
    const late: Answerer = async () => {
      await expect.poll(() => mock.negotiations()[0]?.participants.length, { timeout: 10_000 }).toBeGreaterThan(0);
      return declining();
    };
    const { mock, session } = await setUp(connect, { confirmTimeoutMs: 1_500 }, (form) => late(form), {
      TOWOW_ON_UNCONFIRMED: on_unconfirmed,
    });
    mock.engine.offerWith(() => "hang");
    const { result } = await session.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
    expect(result.data.decision).toBe("reject");
    expect(result.summary).toMatch(REACHED);
    expect(result.summary).not.toMatch(/not broadcast/);
  });
});

describe("a server is killed in the pause", () => {
  const connect = legacyClient;
  it.each([
    ["en", "No running program watches this demand", "Without a decision, the backend broadcasts it at"],
    ["zh", "没有程序守着这个需求的截止时间", "如不决定，后端将于"],
  ])("a one-shot command says that nobody watches, and until when (%s)", async (lang, nobody, until) => {
    const { mock, env, session } = await setUp(connect, {}, undefined, { TOWOW_LANG: lang }, KILLED);
    const demand = await session.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
    const status = async () => JSON.parse((await cli(["call", "towow_status", "--json"], { env })).stdout);
    expect((await status()).warnings).toEqual(OWN_WORDS); // the server watches
    process.kill(session.pid()!, "SIGKILL");
    await session.close();
    const said = await status();
    expect(said.warnings).toEqual([...OWN_WORDS, "pause_unwatched"]);
    expect(said.summary).toContain(nobody);
    const time = new Date(said.data.deadline).toISOString().slice(11, 19);
    expect(said.summary.replaceAll(" ", "")).toContain(`${until}${time}`.replaceAll(" ", ""));
    expect(said.summary).not.toMatch(/watches it|(?<!没)有程序守着|程序正守着/);
    expect(mock.negotiations()[0]).toMatchObject({ state: "formulated", cancelled: false });

    const heir = await connect({ env });
    const taken = await heir.call("towow_status", { negotiation_id: demand.result.data.negotiation_id });
    expect(taken.result.warnings).toEqual([...OWN_WORDS, "pause_was_unguarded"]);
    expect((await status()).warnings).toEqual(OWN_WORDS);
  });

  it.each(["reject", "cancel"])("taken over to %s it: nobody says that it is watched", async (decision) => {
    const { mock, env, session } = await setUp(connect, {}, undefined, {}, KILLED);
    const demand = await session.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
    const { negotiation_id, confirmation_id } = demand.result.data.resume_with.params;
    process.kill(session.pid()!, "SIGKILL");
    await session.close();
    const heir = await connect({ env });
    const ended = await heir.call("towow_demand", { negotiation_id, confirmation_id, decision });
    const read = await heir.call("towow_status", { negotiation_id });
    expect(mock.negotiations()[0]).toMatchObject({ cancelled: true });
    for (const { result } of [ended, read]) {
      expect(result.warnings).not.toContain("pause_was_unguarded");
      expect(result.summary).not.toContain("watches it again");
    }
  });
});
