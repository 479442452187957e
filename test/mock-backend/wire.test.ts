import { expect, it, onTestFinished } from "vitest";
import type { State } from "../../mock-backend/data.ts";
import { WIRE } from "../support/wire.ts";
import { ORIGIN, World } from "./world.ts";

interface Recording {
  name: string;
  request: { method: string; path: string; headers: Record<string, string>; body: unknown };
  response: { status: number; headers: Record<string, string>; body: unknown };
}

const ELSEWHERE = /^(extra-|variant-|sub-|nollm-|timeout-|default-timeout|ws-|cors-)/;

const recordings = Object.entries(WIRE)
  .filter(([name]) => !ELSEWHERE.test(name))
  .map(([, recording]) => recording as Recording)
  .filter(({ request, response }) => request !== undefined && response !== undefined);

const ALICE = { agent_id: "agent_alice", display_name: "Alice" };
const EDITED = "(confirmed by the user)";

/** What must have happened before a recorded request: the ids of the scene and the negotiation it means. */
async function arrange(world: World, name: string): Promise<{ scene: string; other?: string; negotiation?: string }> {
  if (name.startsWith("agent-register")) {
    const [scene, other] = [await world.scene(), await world.scene("Other")];
    if (/duplicate|other-scene/.test(name)) await world.call("POST", `/v1/api/scenes/${scene}/agents`, ALICE);
    return { scene, other };
  }
  const scene = await world.peopledScene();
  const at = async (state: State) => ({ scene, negotiation: await world.negotiationAt(state, scene) });
  const flow = /^flow-state-([a-z_]+)/.exec(name)?.[1];
  if (flow !== undefined) {
    if (flow === "created" || flow === "formulating" || flow === "formulated") return at(flow);
    const { negotiation } = await at("formulated");
    await world.confirm(negotiation, { confirmed_text: `${world.view(negotiation).demand_raw} ${EDITED}` });
    await world.reach(negotiation, flow as State);
    if (name.endsWith("-partial"))
      await world.clock.until(() => world.view(negotiation).participants[0]?.state === "replied", { stepMs: 5 });
    return { scene, negotiation };
  }
  const cancel = /^action-cancel-(?:ok-)?at-(created|formulated|offering)/.exec(name)?.[1] as State | undefined;
  if (cancel !== undefined || name === "action-cancel-then-get" || name.endsWith("already-cancelled")) {
    const arranged = await at(cancel ?? "formulated");
    if (!name.startsWith("action-cancel-ok")) await world.cancel(arranged.negotiation);
    return arranged;
  }
  if (name === "confirm-409-already-confirmed") return at("encoding");
  if (name === "confirm-409-wrong-state-created") return at("created");
  if (name === "confirm-empty-text-result") {
    const arranged = await at("formulated");
    await world.confirm(arranged.negotiation, { confirmed_text: "" });
    await world.reach(arranged.negotiation, "completed");
    return arranged;
  }
  if (/^(flow-03|confirm-(ok|422|409-engine))/.test(name)) return at("formulated");
  if (/^(action-|confirm-|get-307)/.test(name)) return at("completed");
  return { scene };
}

/** Values that differ from run to run: only their type is compared. */
const FREE = new Set([
  "resonance_score",
  "offer_content",
  "plan_output",
  "demand_formulated",
  "scene_id",
  "negotiation_id",
]);

/** Keys, types and every value that is no text of the moment. */
function comparable(value: unknown, key = "", status = 200): unknown {
  if (Array.isArray(value))
    return value.map((item) => comparable(item, key === "offer_capabilities" ? "offer_content" : key, status));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, comparable(item, name, status)]));
  // Null is null, and an empty text is an empty text.
  return FREE.has(key) && value !== null && value !== "" ? typeof value : value;
}

function comparableProblems(body: unknown): unknown {
  const { detail } = body as { detail: { loc: unknown; msg: unknown; type: unknown }[] };
  return detail.map(({ loc, msg, type }) => ({ loc, msg: typeof msg, type: typeof type }));
}

it.each(recordings)("$name", async ({ name, request, response }) => {
  const world = new World({
    barrierMs: 100,
    ...(name.startsWith("repo-only") ? { legacyRoutes: true } : {}),
    ...(name === "confirm-409-engine-not-waiting" ? { notWaitingMs: 50 } : {}),
  });
  onTestFinished(() => world.mock.close());
  const { scene, other, negotiation } = await arrange(world, name);
  const mapped = (text: string) =>
    text
      .replaceAll("scene_65747fb43325", other ?? scene)
      .replace(/scene_(?!0{12})[0-9a-f]{12}/g, (id) => (id === other ? id : scene))
      .replace(/neg_(?!0{12})[0-9a-f]{12}|\{id\}/g, () => negotiation ?? "none");

  const raw = (request.body as { __raw?: string } | null)?.__raw;
  const body = request.body === null ? undefined : (raw ?? mapped(JSON.stringify(request.body)));
  const answered = await world.call(request.method, mapped(request.path), body, request.headers);

  expect(answered.status).toBe(response.status);
  for (const [header, value] of Object.entries(response.headers)) {
    expect(answered.headers.get(header), header).toBe(
      header === "location" ? mapped(value).replace(/^http:\/\/[^/]+/, ORIGIN) : value,
    );
  }
  if (response.status === 422) expect(comparableProblems(answered.body)).toEqual(comparableProblems(response.body));
  else expect(comparable(answered.body)).toEqual(comparable(JSON.parse(mapped(JSON.stringify(response.body)))));
});

it("replays a recording for every kind of exchange", () => {
  expect(recordings.length).toBeGreaterThan(70);
});
