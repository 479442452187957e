import { describe, expect, test } from "vitest";
import type { BackendClient } from "../../src/backend/client.ts";
import { createTokenRequest } from "../../src/backend/client.ts";
import { TowowError } from "../../src/errors.ts";
import { forEachEntry } from "../support/entries.ts";
import { WIRE } from "../support/wire.ts";
import { client, http } from "./support.ts";

interface Recording {
  name: string;
  request: { method: string; path: string; body: unknown };
  response: { status: number; headers: Record<string, string>; body: unknown };
}

const recordings = Object.entries(WIRE)
  .map(([name, recording]): Recording => ({ ...(recording as Recording), name }))
  .filter((recording) => recording.response !== undefined);

const origin = "http://127.0.0.1:8801";
const find = (name: string) => recordings.find((recording) => recording.name === name)!;

function toResponse({ response }: Recording): Response {
  const body = typeof response.body === "string" ? response.body : JSON.stringify(response.body);
  return new Response(response.status === 307 ? null : body, { status: response.status, headers: response.headers });
}

/** Calls the method of the recording's route, with good input: what the backend answers is the recording's. */
function call({ request: { method, path } }: Recording, api: BackendClient): Promise<unknown> {
  const [, resource, id = "", verb] = /^\/v1\/(?:api|ws)\/([^/?]+)(?:\/([^/?]*))?(?:\/([^/?]*))?/.exec(path)!;
  if (resource === "scenes") {
    const agent = { agent_id: "agent_x", display_name: "X", source_type: "mcp", profile_data: {} };
    if (verb === "agents" && method === "POST") return api.registerAgent(id || "scene_x", agent);
    if (verb === "agents") return api.listAgents(id);
    if (method !== "POST") return api.listScenes(path.includes("status=archived") ? { status: "archived" } : {});
    const scene = { name: "n", description: "d", organizer_id: "o", expected_responders: 1, access_policy: "open" };
    return api.createScene(scene);
  }
  if (verb === "confirm") return api.confirm(id, {});
  if (verb === "action") return api.action(id, { action: "pause" });
  if (method === "POST") return api.submitDemand({ scene_id: "scene_x", user_id: "u", intent: "i" });
  return api.getNegotiation(id || "neg_x");
}

/** What a recorded success must read as: the wire itself, with the two fields that may be absent. */
function expected(body: unknown): unknown {
  const wire = body as Record<string, unknown> & { participants?: object[]; scenes?: unknown };
  if (wire.scenes !== undefined) return wire.scenes;
  if (wire.participants === undefined) return wire;
  const late = { offer_content: null, offer_capabilities: null };
  return { ...wire, participants: wire.participants.map((participant) => ({ ...late, ...participant })) };
}

const unknownNegotiation = (negotiation_id: string) => ({
  code: "tool.negotiation.not_found.unknown_negotiation",
  params: { negotiation_id },
});
const unknownScene = (scene_id: string) => ({ code: "tool.scene.not_found.unknown_scene", params: { scene_id } });
const notFormulated = (state: string) => ({
  code: "tool.negotiation.conflict.not_formulated",
  params: { operation: "confirm", state },
});
const missing = (status: number) => ({ code: "tool.backend.unavailable.route_missing", params: { status } });
const completed = { code: "tool.negotiation.conflict.already_completed", params: { operation: "action" } };
const rejected = (field: string) => ({ code: "tool.input.invalid.rejected_by_backend", params: { field } });
const unauthorized = { code: "tool.auth.unauthorized.token_rejected" };
const unknownAction = { code: "tool.negotiation.invalid.unknown_action", params: { action: "pause" } };
const broken = { code: "tool.backend.unavailable.server_error", params: { status: 500 } };
const unknownOutcome = (operation: string) => ({
  code: "tool.backend.timeout.outcome_unknown",
  params: { operation, reason: "server_error_500" },
});

const errors: Record<string, { code: string; params?: object }> = {
  "action-400-case-sensitive": unknownAction,
  "action-400-unknown": unknownAction,
  "action-404-before-400": unknownNegotiation("neg_000000000000"),
  "action-404-unknown-negotiation": unknownNegotiation("neg_000000000000"),
  "action-422-missing-action": rejected("action"),
  "action-422-null-payload": rejected("payload"),
  "action-cancel-409-already-cancelled": completed,
  "action-cancel-409-completed": completed,
  "agent-register-404-unknown-scene": unknownScene("scene_000000000000"),
  "agent-register-409-duplicate": {
    code: "tool.agent.conflict.already_registered",
    params: { operation: "registerAgent", scene_id: "scene_6f091868789f", agent_id: "agent_x" },
  },
  "agent-register-422-missing-agent_id": rejected("agent_id"),
  "agent-register-422-profile-not-object": rejected("profile_data"),
  "agent-register-empty-scene-id-404": missing(404),
  "confirm-404-unknown": unknownNegotiation("neg_000000000000"),
  "confirm-409-already-confirmed": notFormulated("encoding"),
  "confirm-409-completed": notFormulated("completed"),
  "confirm-409-engine-not-waiting": { code: "tool.negotiation.conflict.engine_not_waiting" },
  "confirm-409-wrong-state-created": notFormulated("created"),
  "confirm-422-no-body": rejected("body"),
  "extra-agents-list-404": unknownScene("scene_000000000000"),
  "extra-auth-401-bad-token": unauthorized,
  "extra-auth-401-before-422": unauthorized,
  "extra-auth-401-expired": unauthorized,
  "extra-auth-401-no-token": unauthorized,
  "get-404-unknown": unknownNegotiation("neg_000000000000"),
  "negotiation-get-submit-404": unknownNegotiation("submit"),
  "negotiation-list-404-no-such-route": missing(404),
  "repo-only-get-agents-405": missing(405),
  "repo-only-get-scenes-405": missing(405),
  "repo-only-negotiation-delete-405": missing(405),
  "scene-create-422-empty-object": rejected("name, description, organizer_id"),
  "scene-create-422-invalid-json": rejected("1"),
  "scene-create-422-missing-organizer_id": rejected("organizer_id"),
  "scene-create-422-no-body": rejected("body"),
  "scene-create-422-null-expected_responders": rejected("expected_responders"),
  "scene-create-422-wrong-content-type": rejected("body"),
  "scene-create-422-wrong-type": rejected("expected_responders"),
  "scene-delete-405": missing(405),
  "scene-get-404-no-such-route": missing(404),
  "submit-404-unknown-scene": unknownScene("scene_x"),
  "submit-422-bad-kstar": rejected("k_star"),
  "submit-422-before-404": rejected("intent"),
  "submit-422-missing-intent": rejected("intent"),
  "submit-422-missing-user_id": rejected("user_id"),
  "variant-500-formulation-dict": broken,
  "variant-500-formulation-dict-cancel": completed,
  "variant-500-formulation-dict-confirm": notFormulated("completed"),
  "variant-500-formulation-list": broken,
  "variant-500-formulation-list-cancel": unknownOutcome("action"),
  "variant-500-formulation-list-confirm": unknownOutcome("confirm"),
  "ws-path-plain-http-get-404": missing(404),
};

const isToken = ({ request }: Recording) => request.path === "/v1/api/auth/mcp-token";

describe("every recorded exchange", () => {
  test("is used: no expectation is left without its recording", () => {
    expect(Object.keys(errors).filter((name) => find(name) === undefined)).toEqual([]);
    expect(recordings.length).toBeGreaterThan(120);
  });

  const those = (are: (status: number) => boolean) =>
    recordings.filter((it) => are(it.response.status) && !isToken(it));
  const nameOf = ({ name }: Recording) => name;

  test("a success gives a value", () =>
    forEachEntry(
      those((status) => status < 300),
      nameOf,
      async (recording) => {
        const api = client(origin, { fetch: async () => toResponse(recording) });
        expect(await call(recording, api)).toEqual(expected(recording.response.body));
      },
    ));

  test("a refusal gives a typed error", () =>
    forEachEntry(
      those((status) => status >= 400),
      nameOf,
      async (recording) => {
        const api = client(origin, { fetch: async () => toResponse(recording) });
        const error = await call(recording, api).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(TowowError);
        expect(error).toMatchObject(errors[recording.name] ?? { code: "no expectation" });
      },
    ));

  test("a redirect is followed on the same origin", () =>
    forEachEntry(
      those((status) => status === 307),
      nameOf,
      async (recording) => {
        const target = recording.request.method === "GET" ? find("flow-state-completed") : find("scene-create-ok-full");
        const sent: string[] = [];
        const fetch = async (request: Request) => {
          sent.push(`${request.method} ${request.url} ${await request.text()}`);
          return toResponse(sent.length === 1 ? recording : target);
        };
        expect(await call(recording, client(origin, { fetch }))).toEqual(expected(target.response.body));
        expect(sent[1]).toContain(recording.response.headers.location);
        expect(sent[1]?.split(" ")[0]).toBe(recording.request.method);
      },
    ));

  test("extra-auth-mcp-token-ok grants a token", async () => {
    const fetch = async () => toResponse(find("extra-auth-mcp-token-ok"));
    const ask = createTokenRequest({ baseUrl: origin, http: http({ fetch }) });
    expect(await ask({ user_id: "" })).toEqual(find("extra-auth-mcp-token-ok").response.body);
  });

  test("repo-only-mcp-token-404 is a backend without tokens", async () => {
    const fetch = async () => toResponse(find("repo-only-mcp-token-404"));
    const ask = createTokenRequest({ baseUrl: origin, http: http({ fetch }) });
    expect(await ask({ user_id: "" })).toEqual({ unsupported: true });
  });
});
