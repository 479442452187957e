import * as z from "zod";
import {
  agentListSchema,
  negotiationSchema,
  registrationSchema,
  SENT_FIELDS,
  sceneListSchema,
  sceneSchema,
  tokenGrantSchema,
} from "../../src/backend/contract.ts";
import { isKnownDetail } from "../../src/backend/known-details.ts";
import { findPii, maskPii } from "../../src/safety/pii/pii.ts";
import { maskSecrets } from "../../src/safety/secrets.ts";

/** One exchange with a backend, in the form of the fixtures in `test/wire.json`. */
export const recordingSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,80}$/),
  note: z.string().optional(),
  request: z.strictObject({
    method: z.string(),
    path: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown(),
  }),
  response: z.strictObject({
    status: z.number(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown(),
  }),
});
export type Recording = z.output<typeof recordingSchema>;

/** All that a fixture needs of a head: nothing that names a person, a host or a session. */
const KEPT_HEADERS = new Set(["content-type", "retry-after"]);
/** Whose values are a person's. */
const PERSONS = new Set(["user_id", "organizer_id", "submitter_id", "agent_id", "agent_ids", "device_info"]);
/** What others may put anything into, under any name. */
const FREE = new Set(["profile_data", "payload", "offer_content", "offer_capabilities", "plan_output"]);

/** The only texts that stay as they are, by the name of their field, and what they must look like. */
const ID = /^(?:neg|scene)_[0-9a-f]+$/;
const WORD = /^[a-z][a-z._]{0,39}$/;
const KEPT_TEXTS: ReadonlyMap<string, RegExp> = new Map([
  ...["negotiation_id", "parent_negotiation_id", "sub_session_ids", "scene_id"].map((name) => [name, ID] as const),
  ...["state", "status", "source", "source_type", "action", "type"].map((name) => [name, WORD] as const),
  ["access_policy", /^(?:open|invite)$/],
  ["expires_at", /^\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:\d\d)?$/],
  ["loc", new RegExp(`^(?:body|query|path|${[...SENT_FIELDS].join("|")})$`)],
]);
/** The only numbers that do. */
const KEPT_NUMBERS = new Set([
  ...["resonance_score", "center_rounds", "depth", "expected_responders", "agent_count", "k_star", "min_score", "loc"],
]);
/** The only names of fields that do: another one may be somebody's own, as in a list of people by their names. */
const KEPT_NAMES = new Set([
  ...[...PERSONS, ...FREE, ...KEPT_TEXTS.keys(), ...KEPT_NUMBERS, ...SENT_FIELDS],
  ...["scenes", "agents", "participants", "demand_raw", "demand_formulated", "api_token", "detail", "msg"],
]);
/** The only parts of a path that do, beside ids. */
const KEPT_PARTS = /^(?:v1|api|ws|scenes|agents|negotiations?|submit|confirm|action|auth|mcp-token)?$/;

/**
 * Without secrets, personal data and other heads. What the contract knows to be no person's stays; of all else only the
 * shape does: people get a name each, and so does each other text, the same throughout one recording.
 */
export function cleaned({ name, note, request, response }: Recording): Recording {
  const [person, text] = [numbered("person"), numbered("text")];
  const part = (raw: string): string => (KEPT_PARTS.test(raw) || ID.test(raw) ? raw : text(raw));
  const path = (raw: string): string => {
    const [route = "", query] = raw.split("?", 2);
    const asked = [...new URLSearchParams(query)].map(([key, value]) => `${named(key)}=${one(value, key)}`);
    return route.split("/").map(part).join("/") + (query === undefined ? "" : `?${asked.join("&")}`);
  };
  const named = (key: string): string => (KEPT_NAMES.has(key) ? key : text(key));
  /** What a failure says of itself; ids may stand in it. */
  const sentence = (raw: string): string => {
    const { agent_id } = (request.body ?? {}) as { agent_id?: unknown };
    const isRegistered = typeof agent_id === "string" && raw.startsWith(`Agent ${agent_id} `);
    const renamed = isRegistered ? raw.replace(`Agent ${agent_id} `, () => `Agent ${person(agent_id)} `) : raw;
    const said = {
      ...{ negotiation_id: /neg_[0-9a-f]+/.exec(raw)?.[0] ?? "", scene_id: /scene_[0-9a-f]+/.exec(raw)?.[0] ?? "" },
      ...{ agent_id: /person_\d+/.exec(renamed)?.[0] ?? "", action: /[a-z._]+$/.exec(raw)?.[0] ?? "" },
    };
    return isKnownDetail(renamed, said) || isKnownDetail(`body: ${raw}`, {}) ? renamed : text(raw);
  };
  const one = (value: string, key: string): string => {
    if (value === "") return value;
    if (key === "api_token") return "***";
    if (PERSONS.has(key)) return person(value);
    if (key === "detail" || key === "msg" || key === "") return sentence(value);
    return KEPT_TEXTS.get(key)?.test(value) ? value : text(value);
  };
  const clean = (value: unknown, key = ""): unknown => {
    if (Array.isArray(value)) return value.map((item) => clean(item, key));
    if (value !== null && typeof value === "object")
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) =>
          FREE.has(key) ? [text(name), clean(item, key)] : [named(name), clean(item, name)],
        ),
      );
    if (typeof value === "number") return KEPT_NUMBERS.has(key) ? value : 0;
    return typeof value === "string" ? one(value, key) : value;
  };
  const heads = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(all).filter(([head]) => KEPT_HEADERS.has(head.toLowerCase())));
  return {
    name,
    ...(note !== undefined && { note: maskPii(maskSecrets(note), "[hidden]") }),
    request: {
      ...{ method: request.method, path: path(request.path) },
      headers: heads(request.headers),
      body: clean(request.body),
    },
    response: { status: response.status, headers: heads(response.headers), body: clean(response.body) },
  };
}

/** Gives each value a name of its own, the same each time. */
function numbered(what: string): (value: string) => string {
  const known = new Map<string, string>();
  return (value) => {
    const name = known.get(value) ?? `${what}_${known.size + 1}`;
    known.set(value, name);
    return name;
  };
}

/** What a good answer of each route reads as. */
const SHAPES: readonly (readonly [method: string, path: RegExp, shape: z.ZodType])[] = [
  ["GET", /\/scenes$/, sceneListSchema],
  ["POST", /\/scenes$/, sceneSchema],
  ["GET", /\/scenes\/[^/]+\/agents$/, agentListSchema],
  ["POST", /\/scenes\/[^/]+\/agents$/, registrationSchema],
  ["POST", /\/mcp-token$|\/auth\//, tokenGrantSchema],
  ["GET", /\/negotiations\/[^/]+$/, negotiationSchema],
  ["POST", /\/negotiations\//, negotiationSchema],
];

/** Why a recording is no fixture; empty where it is one. */
export function problemsOf(value: unknown): string[] {
  const parsed = recordingSchema.safeParse(value);
  if (!parsed.success) return [`not a recording: ${z.prettifyError(parsed.error)}`];
  const { data } = parsed;
  const text = JSON.stringify(data);
  const found = findPii(text).map(({ kind }) => kind);
  const { method, path } = data.request;
  const shape = SHAPES.find(([verb, route]) => verb === method && route.test(path.split("?")[0] ?? ""))?.[2];
  const isGood = data.response.status < 300;
  return [
    ...(JSON.stringify(cleaned(data)) === text ? [] : ["it is not clean: cleaning it once more changes it"]),
    ...(found.length > 0 ? [`personal data: ${[...new Set(found)].join(", ")}`] : []),
    ...(isGood && shape === undefined ? [`a route that is not known: ${method} ${path}`] : []),
    ...(isGood && shape?.safeParse(data.response.body).success === false
      ? ["its answer is not what the route gives"]
      : []),
  ];
}

/**
 * The text of the fixtures with more of them at its end, a line each as they are kept; every one was verified. @throws
 * Error that says what is wrong with which
 */
export function withPromoted(fixtures: string, recordings: readonly unknown[]): string {
  const taken = new Set(Object.keys(JSON.parse(fixtures)));
  const lines = recordings.map((recording) => {
    const name = String((recording as { name?: unknown }).name);
    const problems = problemsOf(recording);
    if (problems.length > 0) throw new Error(`${name.slice(0, 80)}: ${problems.join("; ")}`);
    if (taken.has(name)) throw new Error(`${name}: there is a fixture of that name`);
    taken.add(name);
    return `,\n${JSON.stringify(name)}: ${JSON.stringify(recording)}`;
  });
  // What stands there is not written anew: 0.0 would become 0.
  return fixtures.replace(/\n\}\s*$/, (end) => lines.join("") + end);
}
