import * as z from "zod";
import {
  type ActionInput,
  type AgentSummary,
  actionInput,
  agentListSchema,
  type ConfirmInput,
  type CreateSceneInput,
  confirmInput,
  createSceneInput,
  type Negotiation,
  negotiationSchema,
  type RegisterAgentInput,
  type Registration,
  registerAgentInput,
  registrationSchema,
  type Scene,
  type SceneSummary,
  type SubmitDemandInput,
  sceneListSchema,
  sceneSchema,
  submitDemandInput,
  type TokenGrant,
  type TokenInput,
  tokenGrantSchema,
  tokenInput,
} from "./contract.ts";
import { NotHttp, NotJson, NotTowow, OutcomeUnknown, RouteMissing, TokenUnavailable, WrongShape } from "./errors.ts";
import type { Auth, Http } from "./http.ts";
import {
  actionRejections,
  type CallOptions,
  confirmRejections,
  DryRun,
  negotiationRejections,
  type Operation,
  outbound,
  registrationRejections,
  sceneRejections,
} from "./operation.ts";
import { outcomeUnknown } from "./retry.ts";
import { isNegotiationId, type Routes, routes } from "./route.ts";

export type { Auth } from "./http.ts";

/**
 * The backend's endpoints, one method each (contract section 1, seed 004 §7). Each method returns the typed answer, or
 * throws a class of `errors.ts` or the reason of the caller's signal.
 */
export interface BackendClient {
  /** The backend's origin. Tokens go to this origin only. */
  readonly origin: string;
  createScene(input: CreateSceneInput, o?: CallOptions): Promise<Scene>;
  /**
   * Lists the scenes. A backend may ignore the filter, so scenes of another status are left out here.
   * @throws RouteMissing from today's backend, which has no such route
   */
  listScenes(filter: { status?: string }, o?: CallOptions): Promise<SceneSummary[]>;
  registerAgent(sceneId: string, input: RegisterAgentInput, o?: CallOptions): Promise<Registration>;
  /**
   * Lists the agents of a scene.
   * @throws RouteMissing from today's backend, which has no such route
   */
  listAgents(sceneId: string, o?: CallOptions): Promise<{ scene_id: string; agents: AgentSummary[] }>;
  submitDemand(input: SubmitDemandInput, o?: CallOptions): Promise<Negotiation>;
  getNegotiation(id: string, o?: CallOptions): Promise<Negotiation>;
  /** Confirms a text. The answer holds the state and the text from before the confirmation. */
  confirm(id: string, input: ConfirmInput, o?: CallOptions): Promise<Negotiation>;
  action(id: string, input: ActionInput, o?: CallOptions): Promise<Negotiation>;
}

/** Creates the client of one backend. `baseUrl` is as for `routes`. Creating a client sends nothing. */
export function createBackendClient(deps: {
  baseUrl: string;
  auth: Auth;
  http: Http;
  /**
   * Called with every operation before anything of it is sent. An error that it throws ends the call, as under the profile
   * `dry_run`.
   */
  beforeSend?: (operation: Operation<unknown>) => void;
}): BackendClient {
  const { auth, http, beforeSend } = deps;
  const { origin, at } = routes(deps.baseUrl);
  const call = async <T>(request: Request<T>, o: CallOptions | undefined): Promise<T> => {
    const operation = operationAt(at, request);
    if (o?.dryRun) throw new DryRun(operation);
    beforeSend?.(operation);
    return http.send(operation, auth, o);
  };
  /**
   * Sends a request about one negotiation. An answer about another negotiation is an error, because its text would be taken for
   * the text of this one.
   */
  async function about(id: string, request: Omit<Request<Negotiation>, "answer">, o?: CallOptions) {
    const negotiation = await call({ ...request, answer: negotiationSchema }, o);
    if (negotiation.negotiation_id === id) return negotiation;
    const { name } = request;
    const other = new WrongShape({ operation: name, field: "negotiation_id" });
    throw request.method === "GET" ? other : outcomeUnknown(name, other);
  }

  return {
    origin,

    async createScene(input, o) {
      const name = "createScene";
      const body = outbound(name, createSceneInput, input);
      return call({ name, method: "POST", path: ["scenes"], body, answer: sceneSchema }, o);
    },

    async listScenes(query, o) {
      const scenes = await call(
        { name: "listScenes", method: "GET", path: ["scenes"], query, answer: sceneListSchema },
        o,
      );
      const wanted = query.status?.trim().toLowerCase();
      return wanted === undefined ? scenes : scenes.filter(({ status }) => status === "" || status === wanted);
    },

    async registerAgent(sceneId, input, o) {
      const name = "registerAgent";
      const path = ["scenes", sceneId, "agents"];
      const body = outbound(name, registerAgentInput, input);
      const readRejection = registrationRejections(name, sceneId, body.agent_id);
      return call({ name, method: "POST", path, body, answer: registrationSchema, readRejection }, o);
    },

    async listAgents(sceneId, o) {
      const name = "listAgents";
      const path = ["scenes", sceneId, "agents"];
      const readRejection = sceneRejections(name, sceneId);
      return call({ name, method: "GET", path, answer: agentListSchema, readRejection }, o);
    },

    async submitDemand(input, o) {
      const name = "submitDemand";
      const path = ["negotiations", "submit"];
      const body = outbound(name, submitDemandInput, input);
      const readRejection = sceneRejections(name, body.scene_id);
      const submit = { name, method: "POST", path, body, answer: negotiationSchema, readRejection } as const;
      return call({ ...submit, readBeginning: submittedIn }, o);
    },

    async getNegotiation(id, o) {
      const name = "getNegotiation";
      const readRejection = negotiationRejections(name, id);
      return about(id, { name, method: "GET", path: ["negotiations", id], readRejection }, o);
    },

    async confirm(id, input, o) {
      const name = "confirm";
      const path = ["negotiations", id, "confirm"];
      const body = outbound(name, confirmInput, input);
      const readRejection = confirmRejections(name, id);
      return about(id, { name, method: "POST", path, body, readRejection }, o);
    },

    async action(id, input, o) {
      const name = "action";
      const path = ["negotiations", id, "action"];
      const body = outbound(name, actionInput, input);
      const readRejection = actionRejections(name, id, body.action);
      return about(id, { name, method: "POST", path, body, readRejection }, o);
    },
  };
}

const BEGINS_WITH_ID = /^\s*\{\s*"negotiation_id"\s*:\s*"([^"\\]+)"/;

/**
 * Reads the id from the beginning of an answer to a submit. The id is enough to know that the negotiation exists, and to
 * withdraw it in time.
 */
function submittedIn(text: string): Negotiation | undefined {
  const [, id] = BEGINS_WITH_ID.exec(text) ?? [];
  return id !== undefined && isNegotiationId(id)
    ? negotiationSchema.parse({ negotiation_id: id, state: "created" })
    : undefined;
}

/** Asks for a token (seed 004 §7.3). Resolves with `{ unsupported: true }` if the backend has no such route. */
export type TokenRequest = (
  request: TokenInput,
  /** The old token, which proves that the id is ours, or `undefined` the first time. */
  bearer?: string,
  signal?: AbortSignal,
) => Promise<TokenGrant | { unsupported: true }>;

/**
 * Creates the function that asks for a token. The function uses no Auth, because Auth itself calls the function, so a 401 is
 * TokenRejected at once.
 * @throws the classes of `errors.ts`
 */
export function createTokenRequest(deps: {
  baseUrl: string;
  http: Http;
  /** Called before each request, as in {@link createBackendClient}. */
  beforeSend?: (operation: Operation<unknown>) => void;
}): TokenRequest {
  const { at } = routes(deps.baseUrl);
  return async (request, bearer, signal) => {
    const name = "requestToken";
    const body = outbound(name, tokenInput, request);
    const operation = operationAt(at, {
      name,
      method: "POST",
      path: TOKEN_PATH,
      body,
      answer: tokenGrantSchema,
      answersToken: true,
    });
    const auth: Auth = { bearer: async () => bearer, renew: async () => undefined };
    deps.beforeSend?.(operation);
    return deps.http.send(operation, auth, signal && { signal }).catch((error: unknown) => {
      // A proxy that passes on only the routes it knows gives the same errors. If there is no backend at all, the call that
      // needed the token reports this.
      if (error instanceof RouteMissing || error instanceof NotTowow) return { unsupported: true };
      // An issued token would do no harm, and the call that needed it has certainly not been sent.
      if (!(error instanceof OutcomeUnknown)) throw error;
      // If something other than a backend answers at this address, waiting does not help.
      if (error.cause instanceof NotHttp || error.cause instanceof NotJson) throw error.cause;
      throw new TokenUnavailable({ operation: name, reason: error.params.reason }, { cause: error });
    });
  };
}

/**
 * Creates a function that resolves with whether the backend issues tokens, without asking for one. If the route exists,
 * a GET is refused for its method.
 * @throws the classes of `errors.ts` if that cannot be seen
 */
export function createTokenRouteLook(deps: { baseUrl: string; http: Http }): (o?: CallOptions) => Promise<boolean> {
  const { at } = routes(deps.baseUrl);
  const auth: Auth = { bearer: async () => undefined, renew: async () => undefined };
  return async (o) => {
    const request = { name: "tokenRoute", method: "GET", path: TOKEN_PATH, answer: z.unknown() } as const;
    try {
      await deps.http.send(operationAt(at, request), auth, o);
      return true;
    } catch (error) {
      if (error instanceof RouteMissing) return error.params.status === 405;
      if (error instanceof NotTowow || error instanceof NotJson) return false;
      throw error;
    }
  };
}

const TOKEN_PATH = ["auth", "mcp-token"];

type Request<T> = Omit<Operation<T>, "url"> & { path: string[]; query?: Record<string, string | undefined> };

/**
 * Returns the operation at its URL. An id that fits in no URL is one that no backend has, so it is refused like an
 * unknown id, without asking.
 */
function operationAt<T>(at: Routes["at"], { path, query, ...request }: Request<T>): Operation<T> {
  const url = at(path, query);
  if (url !== undefined) return { ...request, url };
  throw request.readRejection?.(404, "not an id") ?? new RouteMissing({ operation: request.name, status: 404 });
}

/** Returns the same client with the id of the tool call on each request (agent layer §9). */
export function withRequestId(client: BackendClient, requestId: string): BackendClient {
  const named = (o?: CallOptions): CallOptions => ({ requestId, ...o });
  return {
    origin: client.origin,
    createScene: (input, o) => client.createScene(input, named(o)),
    listScenes: (filter, o) => client.listScenes(filter, named(o)),
    registerAgent: (sceneId, input, o) => client.registerAgent(sceneId, input, named(o)),
    listAgents: (sceneId, o) => client.listAgents(sceneId, named(o)),
    submitDemand: (input, o) => client.submitDemand(input, named(o)),
    getNegotiation: (id, o) => client.getNegotiation(id, named(o)),
    confirm: (id, input, o) => client.confirm(id, input, named(o)),
    action: (id, input, o) => client.action(id, input, named(o)),
  };
}
