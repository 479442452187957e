import * as z from "zod";
import {
  agentListSchema,
  negotiationSchema,
  registrationSchema,
  sceneListSchema,
  sceneSchema,
  tokenGrantSchema,
} from "../../src/backend/contract.ts";
import { findPii, maskPii } from "../../src/safety/pii/pii.ts";
import { maskSecretField, maskSecrets } from "../../src/safety/secrets.ts";

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
/** Whose values are a person's, whatever they read like. */
const PERSONS = new Set(["user_id", "organizer_id", "submitter_id", "agent_id", "agent_ids", "device_info"]);
/** What somebody wrote, whatever it says: a fixture needs its shape, and whether two texts are the same. */
const WORDS = new Set([
  ...["name", "description", "display_name", "profile_data", "intent", "payload"],
  ...["demand_raw", "demand_formulated", "confirmed_text", "offer_content", "offer_capabilities", "plan_output"],
]);

/**
 * Without secrets, personal data and other heads: people get a name each and so does each text that somebody wrote, the
 * same throughout one recording.
 */
export function cleaned({ name, note, request, response }: Recording): Recording {
  const [person, text] = [numbered("person"), numbered("text")];
  const clean = (value: unknown, key = ""): unknown => {
    if (Array.isArray(value)) return value.map((item) => clean(item, key));
    if (value !== null && typeof value === "object")
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, clean(item, WORDS.has(key) ? key : name)]),
      );
    if (typeof value !== "string" || value === "") return value;
    if (key === "api_token") return "***";
    if (PERSONS.has(key)) return person(value);
    if (WORDS.has(key)) return text(value);
    return maskPii(maskSecrets(maskSecretField(key, value)), "[hidden]");
  };
  const heads = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(all).filter(([head]) => KEPT_HEADERS.has(head.toLowerCase())));
  return {
    name,
    ...(note !== undefined && { note: String(clean(note)) }),
    request: {
      ...{ method: request.method, path: String(clean(request.path)) },
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
