import { expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { runningMock } from "../support/backend.ts";
import { temporaryHome } from "../support/home.ts";
import { FOLLOWS, taskServer } from "../support/task-client.ts";

/** Claude Code asks its person at each call of a tool that says so, allowed or not; alone (`-p`) it refuses each call. */

interface Listed {
  name: string;
  annotations: Record<string, unknown>;
  _meta: Record<string, unknown>;
}

async function listed(capabilities: object) {
  const env = {
    TOWOW_HOME: await temporaryHome(),
    TOWOW_BACKEND_URL: (await runningMock()).url,
    TOWOW_MODE: "developer",
  };
  const { server, request } = await taskServer(env, capabilities);
  const { tools } = (await request("tools/list")) as unknown as { tools: Listed[] };
  await server.end();
  return tools;
}
const prompting = (tools: readonly Listed[]) =>
  tools.filter(({ _meta }) => _meta["anthropic/requiresUserInteraction"] === true).map(({ name }) => name);

it("where a person sits before the client, what decides asks them, allowed or not", async () => {
  expect(prompting(await listed(FOLLOWS)).sort(byCodeUnits)).toEqual(["towow_action", "towow_confirm"]);
});

it("a client that runs alone is not told to ask: it could call these tools no more", async () => {
  expect(prompting(await listed({ elicitation: { form: {}, url: {} } }))).toEqual([]);
});

it("what ends a negotiation, or replaces a profile, says that it is destructive; what only adds does not", async () => {
  const destructive = (await listed({})).filter(({ annotations }) => annotations.destructiveHint === true);
  expect(destructive.map(({ name }) => name).sort(byCodeUnits)).toEqual([
    "towow_action",
    "towow_confirm",
    "towow_demand",
    "towow_join",
    "towow_register_agent",
  ]);
});
