import * as z from "zod";
import { agentListSchema, negotiationSchema, sceneListSchema } from "../../backend/contract.ts";
import { NotTowow, RouteMissing, TokenRejected, UnknownNegotiation, UnknownScene } from "../../backend/errors.ts";
import type { Http } from "../../backend/http.ts";
import { type CallOptions, negotiationRejections, type Operation, sceneRejections } from "../../backend/operation.ts";
import { routes } from "../../backend/route.ts";
import { TowowError } from "../../errors.ts";

export type Endpoint = "negotiation" | "scenes" | "agents" | "token" | "confirm" | "action";
/** The result of looking for a route. `unclear` means that the backend wants a token before it answers. */
export type Presence = "present" | "missing" | "unclear";

/** What is known of an answer before its body is read. */
export interface Head {
  status: number;
  /** The `Date` header. */
  date: string | null;
  /** The time at which the answer came, in milliseconds since the epoch. */
  at: number;
}

/** What one probe showed. */
export interface Probed {
  /** Undefined if the answer, or its absence, says nothing about the route. */
  presence: Presence | undefined;
  /** Undefined if nothing answered. */
  head: Head | undefined;
  /** The error with which the probe failed, even if that proves that the route is there. */
  error: TowowError | undefined;
}

/** The time limit for all tries of a probe, which is short because a person is waiting. */
const PATIENCE_MS = 8_000;

/** No backend issues such ids, so a probe can touch nothing. */
const NO_NEGOTIATION = "neg_doctor_looks";
const NO_SCENE = "scene_000000000000";

interface Question extends Pick<Operation<unknown>, "name" | "answer" | "readRejection"> {
  path: string[];
}

/** The GET for each endpoint, whose refusal shows whether the route is there. */
const QUESTIONS: Record<Endpoint, Question> = {
  negotiation: {
    name: "getNegotiation",
    path: ["negotiations", NO_NEGOTIATION],
    answer: negotiationSchema,
    readRejection: negotiationRejections("doctor", NO_NEGOTIATION),
  },
  scenes: { name: "listScenes", path: ["scenes"], answer: sceneListSchema },
  agents: {
    name: "listAgents",
    path: ["scenes", NO_SCENE, "agents"],
    answer: agentListSchema,
    readRejection: sceneRejections("doctor", NO_SCENE),
  },
  // These routes take only POST, so a 405 shows that they are there.
  token: { name: "requestToken", path: ["auth", "mcp-token"], answer: z.unknown() },
  confirm: { name: "confirm", path: ["negotiations", NO_NEGOTIATION, "confirm"], answer: z.unknown() },
  action: { name: "action", path: ["negotiations", NO_NEGOTIATION, "action"], answer: z.unknown() },
};
const POST_ONLY: readonly Endpoint[] = ["token", "confirm", "action"];

export const PROBES = Object.keys(QUESTIONS) as Endpoint[];

/**
 * Sends one GET, which has no side effects. `bearer` must belong to the origin of `baseUrl`. The result describes every answer
 * of the backend, even a refusal.
 */
export async function probe(
  endpoint: Endpoint,
  { baseUrl, bearer, http, now }: { baseUrl: string; bearer: string | undefined; http: Http; now: () => number },
): Promise<Probed> {
  const { path, ...question } = QUESTIONS[endpoint];
  const operation: Operation<unknown> = { method: "GET", url: routes(baseUrl).at(path)!, ...question };
  const auth = { bearer: async () => bearer, renew: async () => undefined };
  let head: Head | undefined;
  const onHead: NonNullable<CallOptions["onHead"]> = ({ status, headers }) => {
    head = { status, date: headers.get("date"), at: now() };
  };
  try {
    await http.send(operation, auth, { timeoutMs: PATIENCE_MS, onHead });
    return { presence: "present", head, error: undefined };
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    return { presence: presenceOf(endpoint, error), head, error };
  }
}

/** Returns what a refusal shows about the route, or undefined if it is a failure. */
function presenceOf(endpoint: Endpoint, error: TowowError): Presence | undefined {
  if (error instanceof UnknownNegotiation || error instanceof UnknownScene) return "present";
  if (error instanceof TokenRejected) return "unclear";
  if (error instanceof NotTowow) return "missing";
  if (!(error instanceof RouteMissing)) return undefined;
  return POST_ONLY.includes(endpoint) && error.params.status === 405 ? "present" : "missing";
}
