import { describe, expect, it } from "vitest";
import { runningMock } from "../support/backend.ts";
import { CLI, cli, SCRIPT } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { atTerminal } from "../support/terminal.ts";

/** A negotiation in which every agent left, as a person's home remembers it. */
async function allLeft(lang = "en") {
  const mock = await runningMock();
  mock.engine.offerWith(() => "exit");
  const world = await confirmed(mock, lang);
  await world.session.call("towow_status", { wait: "done" });
  return world;
}

async function confirmed(mock: Awaited<ReturnType<typeof runningMock>>, lang: string, intent = "machine learning") {
  const env = {
    PATH: process.env.PATH ?? "",
    TOWOW_HOME: await temporaryHome(),
    TOWOW_BACKEND_URL: mock.url,
    TOWOW_LANG: lang,
  };
  const session = await legacyClient({ env });
  const demand = await session.call("towow_demand", { intent, scene_id: mock.sceneId });
  const { negotiation_id: id } = demand.result.data;
  await session.call("towow_demand", { ...demand.result.data.resume_with.params, decision: "accept" });
  return { env, id, session };
}

const listed = async (env: Record<string, string>, ...args: string[]) => {
  const { status, stdout } = await cli(["reviews", "--json", ...args], { env });
  return { status, reviews: JSON.parse(stdout).reviews as { negotiation_id: string; codes: string[] }[] };
};

it.each([
  ["en", /There is a plan, but it holds no offers/, /agents? left without an offer/],
  ["zh", /没有任何 Offer/, /没有给出 Offer 就退出了/],
])("says what is worth a second look, and why (%s)", async (lang, summary, reason) => {
  const { env, id } = await allLeft(lang);
  const { status, stdout } = await cli(["reviews", id], { env });
  expect(status).toBe(1);
  expect(stdout).toMatch(summary);
  expect(stdout).toMatch(reason);
  expect(await listed(env)).toMatchObject({ status: 1, reviews: [{ negotiation_id: id }] });
});

describe.skipIf(SCRIPT === undefined)("in a terminal", () => {
  it("is answered by the person, and not asked again", async () => {
    const { env, id } = await allLeft();
    await cli(["reviews", id], { env });
    const watched = async () => (await cli(["watch", id, "--plain"], { env })).stdout;
    expect(await watched()).toContain(`towow-mcp reviews ${id}`);
    for (const noVerdict of ["", "clear"]) {
      const later = atTerminal([CLI, "reviews"], env);
      await later.sees(/\[f\]ine/);
      later.types(noVerdict);
      expect(await later.exit).toBe(1);
      expect((await listed(env)).reviews).toMatchObject([{ negotiation_id: id }]);
    }

    const user = atTerminal([CLI, "reviews"], env);
    await user.sees(/left without an offer[\s\S]*\[f\]ine/);
    user.types("f");
    await user.sees(/you are not asked again/);
    expect(await user.exit).toBe(0);
    expect(await listed(env)).toEqual({ status: 0, reviews: [] });
    expect((await cli(["reviews"], { env })).stdout).toBe("Nothing waits for a second look.\n");
    const answered = await watched();
    expect(answered).toContain("but it holds no offers");
    expect(answered).not.toMatch(/second look|towow-mcp reviews/);
  });
});

it.each([
  ["en", "The backend stayed away while this went on"],
  ["zh", "协商进行时后端一直没有应答"],
])("while the backend stays away, the command says so, of all and of the one (%s)", async (lang, reason) => {
  const mock = await runningMock();
  const { env, id, session } = await confirmed(mock, lang, "machine learning [[center=hang]]");
  mock.faults.add({ route: "get", kind: "status", status: 503, times: 1_000 });
  await session.call("towow_status", { wait: "done" });
  for (const args of [[], [id]]) {
    const { status, stdout } = await cli(["reviews", ...args], { env });
    expect([status, stdout]).toEqual([1, expect.stringContaining(`  ! ${reason}`)]);
    expect(await listed(env, ...args)).toMatchObject({ status: 1, reviews: [{ negotiation_id: id }] });
  }
});

it("nothing waits where nothing happened, and a negotiation that is not there is an error", async () => {
  const { env } = await allLeft();
  const empty = { ...env, TOWOW_HOME: await temporaryHome() };
  expect(await listed(empty)).toEqual({ status: 0, reviews: [] });
  const { status, stderr } = await cli(["reviews", "neg_none"], { env });
  expect([status, stderr]).toEqual([1, expect.stringContaining("unknown_negotiation")]);
});
