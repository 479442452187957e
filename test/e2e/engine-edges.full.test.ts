import { describe, expect, it } from "vitest";
import { runningMock } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";

/** What was seen at the real engine, through the built program. */

/** Somebody of the sample scene can do that. */
const INTENT = "machine learning";

/** Whoever has not joined gets their own words back. */
const OWN_WORDS = ["degraded_formulation"];

async function setUp(more: Record<string, string> = {}) {
  const mock = await runningMock({ offerTimeoutMs: 100_000 });
  const env = { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TZ: "UTC", ...more };
  // What is killed needs a process of its own.
  const session = await legacyClient({ env, spawned: true });
  return { mock, env, session };
}

describe("a server is killed in the pause", () => {
  it.each([
    ["en", "No running program watches this demand", "Without a decision, the backend broadcasts it at"],
    ["zh", "没有程序守着这个需求的截止时间", "如不决定，后端将于"],
  ])("a one-shot command says that nobody watches, and until when (%s)", async (lang, nobody, until) => {
    const { mock, env, session } = await setUp({ TOWOW_LANG: lang });
    const demand = await session.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
    const status = async () => JSON.parse((await cli(["call", "towow_status", "--json"], { env })).stdout);
    expect((await status()).warnings).toEqual(OWN_WORDS); // the server watches
    process.kill(session.pid()!, "SIGKILL");
    await session.close();
    const said = await status();
    expect(said.warnings).toEqual([...OWN_WORDS, "pause_unwatched"]);
    expect(said.summary).toContain(nobody);
    expect(said.data.open[0].decide_by).toBe(said.data.deadline);
    const time = new Date(said.data.deadline).toISOString().slice(11, 19);
    expect(said.summary.replaceAll(" ", "")).toContain(`${until}${time}`.replaceAll(" ", ""));
    expect(said.summary).not.toMatch(/watches it|(?<!没)有程序守着|程序正守着/);
    expect(mock.negotiations()[0]).toMatchObject({ state: "formulated", cancelled: false });

    const heir = await legacyClient({ env });
    const taken = await heir.call("towow_status", { negotiation_id: demand.result.data.negotiation_id });
    expect(taken.result.warnings).toEqual([...OWN_WORDS, "pause_was_unguarded"]);
    expect((await status()).warnings).toEqual(OWN_WORDS);
  });

  it.each(["reject", "cancel"])("taken over to %s it: nobody says that it is watched", async (decision) => {
    const { mock, env, session } = await setUp();
    const demand = await session.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
    const { negotiation_id, confirmation_id } = demand.result.data.resume_with.params;
    process.kill(session.pid()!, "SIGKILL");
    await session.close();
    const heir = await legacyClient({ env });
    const ended = await heir.call("towow_demand", { negotiation_id, confirmation_id, decision });
    const read = await heir.call("towow_status", { negotiation_id });
    expect(mock.negotiations()[0]).toMatchObject({ cancelled: true });
    for (const { result } of [ended, read]) {
      expect(result.warnings).not.toContain("pause_was_unguarded");
      expect(result.summary).not.toContain("watches it again");
    }
  });
});
