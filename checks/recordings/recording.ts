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

/** One exchange with a backend, in the form of the fixtures in `test/wire`. */
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
const PERSONS = new Set(["user_id", "organizer_id", "submitter_id", "api_token", "device_info"]);

/** Without secrets, personal data and other heads; people get a name each, the same throughout one recording. */
export function cleaned({ name, note, request, response }: Recording): Recording {
  const people = new Map<string, string>();
  const person = (id: string) => {
    const known = people.get(id) ?? `person_${people.size + 1}`;
    people.set(id, known);
    return known;
  };
  const clean = (value: unknown, key = ""): unknown => {
    if (Array.isArray(value)) return value.map((item) => clean(item, key));
    if (value !== null && typeof value === "object")
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clean(item, name)]));
    if (typeof value !== "string") return value;
    if (key === "api_token") return "***";
    if (PERSONS.has(key)) return person(value);
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
