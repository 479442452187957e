import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { alongside, until } from "../journeys/alongside.ts";
import { runningMock } from "../support/backend.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { endpointClient } from "../support/endpoint-clients.ts";
import { httpBrowser } from "../support/http-browser.ts";
import { QuietClock } from "../support/quiet-clock.ts";

/** One `serve` without a store that is killed while somebody has not decided, and started again on the same home. */

const INTENT = "I need somebody who plans hospital queues";

/** How long the backend waits for a person. */
const DEADLINE_MS = 300_000;

/**
 * A demand that waits for its person. The first one is a process, and asks by the machine's clock; the backend and those
 * that come after it go by one that stands while they are called.
 */
async function inPause() {
  const clock = new QuietClock(Date.now());
  const mock = await runningMock({ clock });
  const backend = { mock, url: mock.url };
  const first = await startEndpoint({ backend, spawned: true });
  onTestFinished(() => first.close());
  const token = await first.token();
  const client = await endpointClient("plain", first.url, { token });
  const there = () => mock.negotiations()[0];
  const asking = client.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
  await until(clock, () => there()?.state === "formulated");
  const { result } = await asking;
  const negotiation_id = result.data.negotiation_id as string;
  expect(result.data.formulated_text).toBeTruthy();
  const again = async (args: string[] = []) => {
    const next = await startEndpoint({ args, backend, clock, home: first.home });
    onTestFinished(() => alongside(clock, next.close()));
    return next;
  };
  const as = (endpoint: Endpoint, bearer = token) => endpointClient("plain", endpoint.url, { token: bearer });
  return { clock, first, token, again, as, there, negotiation_id, resume: result.data.resume_with.params };
}

async function killedInPause() {
  const paused = await inPause();
  paused.first.signal("SIGKILL");
  await paused.first.exited;
  return paused;
}

describe("after the restart, with the person's next call", () => {
  it("the demand is theirs, and they decide on it", async () => {
    const { clock, again, as, there, resume } = await killedInPause();
    const client = await as(await again());
    const { result } = await alongside(clock, client.call("towow_demand", { ...resume, decision: "accept" }));
    expect(result.error).toBeNull();
    expect(result.data).toMatchObject({ decision: "accept", decided_by: "argument" });
    expect(there()).toMatchObject({ confirmCount: 1 });
  });

  it("whatever that call is, it is guarded from then on, and told as theirs", async () => {
    const { clock, again, as, there, negotiation_id } = await killedInPause();
    const client = await as(await again());
    const asked = await client.call("towow_status", {});
    expect(asked.result.data.negotiation_id).toBe(negotiation_id);
    expect(asked.result.warnings).toContain("pause_was_unguarded");
    await clock.pass(DEADLINE_MS);
    expect(there()).toMatchObject({ cancelled: true, confirmCount: 0 });
    const { result } = await client.call("towow_status", { negotiation_id });
    expect(result.summary).toMatch(/withdrawn/i);
  });

  it("what the backend did meanwhile is said as that, not as a stranger's", async () => {
    const { clock, again, as, there, negotiation_id } = await killedInPause();
    await clock.pass(DEADLINE_MS);
    expect(there()?.confirmedBy).toBe("timeout");
    const client = await as(await again());
    const { result } = await client.call("towow_status", { negotiation_id });
    expect(result.warnings).toContain("auto_confirmed");
    expect(result.summary).not.toContain("not submitted here");
  });

  it("their room knows it too, once they have signed in there", async () => {
    const { token, again, as } = await killedInPause();
    const endpoint = await again(["--public-url", "https://towow.example"]);
    await (await as(endpoint)).call("towow_status", {});
    const browser = httpBrowser(endpoint.port, "https://towow.example");
    const room = `https://towow.example${(await browser.ask("https://towow.example/room")).headers.location}`;
    expect((await browser.ask(room, { token })).status).toBe(303);
    await expect.poll(async () => (await browser.ask(room)).text).toContain('value="broadcast?');
    expect((await browser.ask(room)).text).toContain(INTENT);
  });

  it("to another token it is nobody's of theirs", async () => {
    const { first, again, as, there, negotiation_id, resume } = await killedInPause();
    const other = await as(await again(), await first.token());
    const { result } = await other.call("towow_demand", { ...resume, decision: "accept" });
    expect(result.error?.code).toBe("tool.policy.blocked.not_submitted_here");
    expect((await other.call("towow_status", { negotiation_id })).result.error).toBeNull();
    expect(there()).toMatchObject({ confirmCount: 0, cancelled: false });
  });
});

it("another one on the same home, while the first lives, leaves its pauses to it", async () => {
  const { again, as, there, negotiation_id } = await inPause();
  const { result } = await (await as(await again())).call("towow_status", { negotiation_id });
  expect(result.error).toBeNull();
  expect(result.warnings).not.toContain("pause_was_unguarded");
  expect(there()).toMatchObject({ confirmCount: 0, cancelled: false });
});

describe("in the operator's home", () => {
  it("nobody else reads it, and neither a text nor a token stands there", async () => {
    const { first, token } = await killedInPause();
    const users = join(first.home, "users");
    const files = readdirSync(users, { recursive: true, encoding: "utf8" });
    expect(files.some((name) => /submitted\.json$/.test(name))).toBe(true);
    for (const name of ["", ...files]) {
      const { mode } = statSync(join(users, name));
      expect([name, (mode & 0o777).toString(8)]).toEqual([name, name.endsWith(".json") ? "600" : "700"]);
    }
    const all = execFileSync("grep", ["-rh", "", users], { encoding: "utf8" });
    expect(all).not.toMatch(/hospital|Bearer/i);
    expect(`${all} ${files.join()}`).not.toContain(token);
  });

  it("a token that the backend refuses leaves nothing", async () => {
    const endpoint = await startEndpoint();
    onTestFinished(() => endpoint.close());
    const client = await endpointClient("plain", endpoint.url, { token: "invented-by-somebody-who-tries" });
    const scene_id = endpoint.mock.scenes()[0]?.scene_id;
    const { result } = await client.call("towow_demand", { intent: INTENT, scene_id });
    expect(result.error?.code).toBe("tool.auth.unauthorized.token_rejected");
    expect(readdirSync(join(endpoint.home, "users"))).toEqual([]);
  });
});
