import fc from "fast-check";
import { createBackendClient, createTokenRequest } from "../../src/backend/client.ts";
import { createHttp } from "../../src/backend/http.ts";
import { TowowError } from "../../src/errors.ts";
import { ERROR_CODES } from "../../src/result/tool-error.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";
import { createWorld, PROFILE } from "../support/world.ts";
import { anyJson, anyText, document, mutatedJson, RECORDED_BODIES } from "./material.ts";
import { target } from "./target.ts";
import { expectDocumented } from "./tools.ts";

const ORIGIN = "http://127.0.0.1:9";
const header = anyText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, "?"));
const answer = fc.record({
  status: fc.oneof(
    { weight: 8, arbitrary: fc.constant(200) },
    fc.constantFrom(201, 204, 301, 307, 400, 401, 403, 404, 405, 407, 409, 418, 422, 429, 500, 502, 503),
    fc.integer({ min: 200, max: 599 }),
  ),
  headers: fc.record(
    {
      "content-type": fc.oneof(fc.constant("application/json"), header),
      "retry-after": fc.oneof(header, fc.constantFrom("0", "1e9", "1000000000", "-1", "Fri, 31 Dec 9999 23:59:59 GMT")),
      location: fc.oneof(header, fc.constantFrom(`${ORIGIN}/x`, "http://elsewhere.test/", "//", "http://[", "/")),
    },
    { requiredKeys: [] },
  ),
  body: document(fc.oneof(mutatedJson(fc.constantFrom(...RECORDED_BODIES)), anyJson)),
});
type Answer = { status: number; headers: Record<string, string | undefined>; body: Buffer };

function responseOf({ status, headers, body }: Answer): Response {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(body), { status, headers: given });
}

/** Whatever a backend answers: a typed value or a typed error at the client, a documented result at the tool. */
export const backendBodies = target({
  name: "backend bodies",
  batch: 100,
  input: fc.array(answer, { minLength: 1, maxLength: 4 }),
  async open() {
    let end = async () => {};
    const world = await createWorld({}, (close) => {
      end = close;
    });
    const process = await world.process({ config: { toolset: "all", wait_budget_s: 1 } });
    const clock = new ManualClock();
    let answers: readonly Answer[] = [];
    let asked = 0;
    const fetch = async () => responseOf(answers[asked++ % answers.length]!);
    const http = createHttp(platformWith(clock), { version: "fuzz", fetch });
    const auth = { bearer: async () => "token", renew: async () => undefined };
    const api = createBackendClient({ baseUrl: ORIGIN, auth, http });
    const token = createTokenRequest({ baseUrl: ORIGIN, http });
    world.mock.fetch = fetch;

    const agent = { agent_id: "a", display_name: "A", source_type: "mcp", profile_data: {} };
    const scene = { name: "n", description: "d", organizer_id: "o", expected_responders: 1, access_policy: "open" };
    const endpoints: (() => Promise<unknown>)[] = [
      () => api.createScene(scene as never),
      () => api.listScenes({}),
      () => api.registerAgent("scene_1", agent as never),
      () => api.listAgents("scene_1"),
      () => api.submitDemand({ scene_id: "scene_1", user_id: "u", intent: "i" }),
      () => api.getNegotiation("neg_1"),
      () => api.confirm("neg_1", {}),
      () => api.action("neg_1", { action: "cancel" }),
      () => token({ user_id: "" }),
    ];
    let demands = 0;
    const tools: (() => [string, Record<string, unknown>])[] = [
      () => ["towow_list_scenes", { fresh: true }],
      () => ["towow_list_agents", { scene_id: "scene_000000000000", fresh: true }],
      () => ["towow_status", { negotiation_id: "neg_000000000000" }],
      () => ["towow_get_negotiation", { negotiation_id: "neg_000000000000" }],
      () => ["towow_join", { scene: "a scene", raw_content: "I build things." }],
      () => ["towow_join", { scene: "scene_000000000000", display_name: "Lin", profile_data: PROFILE }],
      () => ["towow_demand", { scene_id: "scene_000000000000", intent: `A designer ${++demands}` }],
      () => ["towow_action", { negotiation_id: "neg_000000000000", action: "cancel" }],
      () => ["towow_create_scene", { name: "n", description: "d" }],
    ];
    return {
      async check(given) {
        answers = given;
        for (const call of endpoints) {
          await clock.run(call()).catch((error: unknown) => {
            if (!(error instanceof TowowError)) throw error;
            if (!Object.hasOwn(ERROR_CODES, error.code)) throw new Error(`no documented code: ${error.code}`);
          });
        }
        for (const make of tools) {
          const [name, args] = make();
          expectDocumented((await process.call(name, args)).result, name);
        }
      },
      close: end,
    };
  },
});
