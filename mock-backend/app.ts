import { type Context, Hono } from "hono";
import type { Clock } from "../src/clock.ts";
import { type Agent, isoformat, type Negotiation, type Scene, type Store } from "./data.ts";
import type { Engine } from "./engine.ts";
import type { FaultRoute } from "./faults.ts";
import type { Random } from "./random.ts";
import { Refused } from "./refused.ts";
import { bearerOf, type Tokens } from "./tokens.ts";
import { dict, float, int, optional, readBody, str, Unprocessable, withDefault } from "./validation.ts";

export interface AppOptions {
  /** What its `Date` header tells. */
  clock: Clock;
  store: Store;
  engine: Engine;
  tokens: Tokens;
  random: Random;
  legacyRoutes: boolean;
  auth: boolean;
}

/** Every route: its fault name, and its pattern for what the framework itself answers (307, 405). */
const ROUTES: readonly { name: FaultRoute; method: "GET" | "POST"; path: RegExp; added?: true }[] = [
  { name: "scenes.create", method: "POST", path: /^\/v1\/api\/scenes$/ },
  { name: "agents.register", method: "POST", path: /^\/v1\/api\/scenes\/[^/]+\/agents$/ },
  { name: "submit", method: "POST", path: /^\/v1\/api\/negotiations\/submit$/ },
  { name: "confirm", method: "POST", path: /^\/v1\/api\/negotiations\/[^/]+\/confirm$/ },
  { name: "action", method: "POST", path: /^\/v1\/api\/negotiations\/[^/]+\/action$/ },
  { name: "get", method: "GET", path: /^\/v1\/api\/negotiations\/[^/]+$/ },
  // Seed 004 §7: what today's backend does not have.
  { name: "scenes.list", method: "GET", path: /^\/v1\/api\/scenes$/, added: true },
  { name: "agents.list", method: "GET", path: /^\/v1\/api\/scenes\/[^/]+\/agents$/, added: true },
  { name: "token", method: "POST", path: /^\/v1\/api\/auth\/mcp-token$/, added: true },
];

/** Which route a request means, if any. */
export function routeOf(method: string, path: string): FaultRoute | undefined {
  return ROUTES.find((route) => route.method === method && route.path.test(path))?.name;
}

const SCENE = {
  name: str,
  description: str,
  organizer_id: str,
  expected_responders: withDefault(int, 10),
  access_policy: withDefault(str, "open"),
};
const AGENT = {
  agent_id: str,
  display_name: str,
  source_type: withDefault(str, "claude"),
  profile_data: withDefault(dict, {}),
};
const DEMAND = {
  scene_id: str,
  user_id: str,
  intent: str,
  k_star: optional(int),
  min_score: optional(float),
};
const CONFIRMATION = { confirmed_text: optional(str) };
const ACTION = { action: str, payload: withDefault(dict, {}) };
const TOKEN_REQUEST = { user_id: withDefault(str, ""), device_info: withDefault(str, "") };

/** Source types that the backend knows; any other is stored as `custom`. */
const SOURCES = new Set(["secondme", "claude", "template", "custom"]);

/** The REST API of contract section 9: routes, validation, and the framework's own answers. */
export function createApp({ clock, store, engine, tokens, random, legacyRoutes, auth }: AppOptions): Hono {
  const app = new Hono();
  const routes = ROUTES.filter((route) => !legacyRoutes || !route.added);

  app.use("*", async (c, next) => {
    await next();
    c.header("date", new Date(clock.now()).toUTCString());
  });

  if (auth)
    app.use("*", async (c, next) => {
      if (routeOf(c.req.method, c.req.path) === "token") return next();
      const bearer = bearerOf(c.req.header("authorization") ?? null);
      if (bearer === undefined) return unauthorized("Not authenticated");
      if (tokens.validOwner(bearer) === undefined) return unauthorized("Invalid or expired token");
      return next();
    });

  app.post("/v1/api/scenes", async (c) => {
    const body = await read(c, SCENE);
    const scene: Scene = { scene_id: `scene_${random.hex(12)}`, ...body, status: "active", agent_ids: [] };
    store.scenes.set(scene.scene_id, scene);
    store.changed();
    return json(scene, 201);
  });

  app.post("/v1/api/scenes/:scene_id/agents", async (c) => {
    const { source_type, ...body } = await read(c, AGENT);
    const scene = sceneOf(store, c.req.param("scene_id"));
    const { agent_id, display_name } = body;
    if (scene.agent_ids.includes(agent_id)) throw new Refused(409, `Agent ${agent_id} already registered in scene`);
    const agent: Agent = { ...body, source: SOURCES.has(source_type) ? source_type : "custom" };
    // One registry for all scenes: the last registration of an id is what every scene shows.
    store.agents.set(agent_id, agent);
    scene.agent_ids.push(agent_id);
    store.changed();
    return json({ agent_id, display_name, scene_id: scene.scene_id }, 201);
  });

  app.post("/v1/api/negotiations/submit", async (c) => {
    const body = await read(c, DEMAND);
    const scene = sceneOf(store, body.scene_id);
    return json(negotiationResponse(engine.submit(scene, body.user_id, body.intent, body.k_star, body.min_score)), 201);
  });

  app.post("/v1/api/negotiations/:id/confirm", async (c) => {
    const { confirmed_text } = await read(c, CONFIRMATION);
    return json(negotiationResponse(engine.confirm(c.req.param("id"), confirmed_text)));
  });

  app.post("/v1/api/negotiations/:id/action", async (c) => {
    const { action } = await read(c, ACTION);
    const id = c.req.param("id");
    engine.get(id);
    if (action !== "cancel") throw new Refused(400, `Unknown action: ${action}`);
    return json(negotiationResponse(engine.cancel(id)));
  });

  app.get("/v1/api/negotiations/:id", (c) => json(negotiationResponse(engine.get(c.req.param("id")))));

  if (!legacyRoutes) {
    app.get("/v1/api/scenes", (c) => {
      const status = c.req.query("status");
      const scenes = [...store.scenes.values()].filter((scene) => status === undefined || scene.status === status);
      return json({ scenes: scenes.map(sceneItem) });
    });

    app.get("/v1/api/scenes/:scene_id/agents", (c) => {
      const scene = sceneOf(store, c.req.param("scene_id"));
      const agents = store.sceneAgents(scene).map(({ profile_data, ...item }) => item);
      return json({ scene_id: scene.scene_id, agents });
    });

    app.post("/v1/api/auth/mcp-token", async (c) => {
      const { user_id } = await read(c, TOKEN_REQUEST);
      const bearer = bearerOf(c.req.header("authorization") ?? null);
      const { expiresAt, ...issued } = tokens.issue(user_id, bearer, (id) => store.agents.has(id));
      return json({ ...issued, expires_at: isoformat(expiresAt) });
    });
  }

  app.notFound((c) => {
    const path = c.req.path;
    const matching = routes.filter((route) => route.path.test(path));
    if (matching[0] !== undefined) return json({ detail: "Method Not Allowed" }, 405, { allow: matching[0].method });
    const bare = path.replace(/\/$/, "");
    if (bare !== path && routes.some((route) => route.path.test(bare))) {
      const url = new URL(c.req.url);
      return new Response(null, { status: 307, headers: { location: `${url.origin}${bare}${url.search}` } });
    }
    return json({ detail: "Not Found" }, 404);
  });

  app.onError((error) => {
    if (error instanceof Unprocessable) return json({ detail: error.detail }, 422);
    if (error instanceof Refused && error.status === 401) return unauthorized(error.message);
    if (error instanceof Refused) return json({ detail: error.message }, error.status);
    return new Response("Internal Server Error", {
      status: 500,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  });

  return app;
}

async function read<F extends Parameters<typeof readBody>[2]>(
  c: Context,
  fields: F,
): Promise<ReturnType<typeof readBody<F>>> {
  return readBody(await c.req.text(), c.req.header("content-type") ?? null, fields);
}

function sceneOf(store: Store, id: string): Scene {
  const scene = store.scenes.get(id);
  if (scene === undefined) throw new Refused(404, `Scene ${id} not found`);
  return scene;
}

function sceneItem({ agent_ids, organizer_id, ...scene }: Scene) {
  return { ...scene, agent_count: agent_ids.length };
}

/**
 * The NegotiationResponse, as every route shows it.
 * @throws TypeError where the real one cannot be built (a formulated text that is no string): the request then answers
 *   500, whatever it has already done
 */
export function negotiationResponse(negotiation: Negotiation) {
  const { demand_formulated: text } = negotiation;
  if (text !== null && typeof text !== "string") throw new TypeError("demand_formulated: str type expected");
  return {
    negotiation_id: negotiation.negotiation_id,
    state: negotiation.state,
    demand_raw: negotiation.demand_raw,
    demand_formulated: text,
    participants: negotiation.participants,
    plan_output: negotiation.plan_output,
    center_rounds: negotiation.center_rounds,
    parent_negotiation_id: negotiation.parent_negotiation_id,
    sub_session_ids: negotiation.sub_session_ids,
    depth: negotiation.depth,
  };
}

/**
 * JSON without a charset, UTF-8 unescaped.
 * @throws TypeError for half of a surrogate pair, which no UTF-8 can carry: the request then answers 500, whatever it has
 *   already done
 */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body, refuseHalves), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

function refuseHalves(key: string, value: unknown): unknown {
  if (key.isWellFormed() && (typeof value !== "string" || value.isWellFormed())) return value;
  throw new TypeError("'utf-8' codec can't encode character: surrogates not allowed");
}

function unauthorized(detail: string): Response {
  return json({ detail }, 401, { "www-authenticate": "Bearer" });
}
