import type * as z from "zod";
import { TowowError } from "../errors.ts";
import { illFormedIn, isEmpty, jsonIn } from "../json.ts";
import { own } from "../own.ts";
import { argumentProblem } from "../text/argument-problem.ts";
import type { JsonSchema, Tool } from "./define.ts";

/** Thrown for arguments that do not fit a tool's schema. The code says what is wrong, and the param `field` says where. */
export class InvalidArguments extends TowowError {
  readonly code: string;
  constructor(code: string, params: TowowError["params"]) {
    super(params);
    this.code = code;
  }
}

/**
 * Returns the arguments that a call really gives. Many clients and models fill in every field, and use null or an
 * empty value for a field that they do not give.
 */
export function givenArguments(tool: Tool | undefined, raw: unknown): unknown {
  if (tool === undefined) return raw;
  const given = parseStringified(raw ?? {}, () => tool.inputSchema);
  if (!isFields(given)) return given;
  const shape: Readonly<Record<string, z.ZodType>> = tool.input.shape;
  const isOptional = (name: string) => own(shape, name)?.safeParse(undefined).success === true;
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => !isEmpty(value) || !isOptional(name)));
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/**
 * Checks a call's arguments against the tool's own schema.
 * @throws InvalidArguments with the code of the first problem
 */
export function validateArguments(tool: Tool, raw: unknown, lang: "zh" | "en" = "en"): unknown {
  const given = givenArguments(tool, raw);
  const broken = illFormedIn(given);
  if (broken !== undefined)
    throw new InvalidArguments("tool.input.invalid.ill_formed", { field: broken || "arguments" });
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return parsed.data;
  throw explain(parsed.error.issues, given, tool.inputSchema, lang);
}

function explain(
  issues: readonly z.core.$ZodIssue[],
  given: unknown,
  schema: JsonSchema,
  lang: "zh" | "en",
): InvalidArguments {
  const own = issues.find((i) => i.message.startsWith("tool."));
  const issue = own ?? issues[0];
  const path = issue?.path.join(".") || "arguments";
  if (own !== undefined) return new InvalidArguments(own.message, { field: path });
  if (issue?.code === "unrecognized_keys")
    return new InvalidArguments("tool.input.invalid.unknown_argument", {
      field: [...issue.path, issue.keys[0] ?? "?"].join("."),
      known: keysAt(schema, issue.path),
    });
  const missing = issues.filter((one) => one.path.length > 0 && isMissing(given, one.path));
  if (missing.length > 0)
    return new InvalidArguments("tool.input.invalid.argument_missing", {
      fields: [...new Set(missing.map((one) => one.path.join(".")))],
    });
  return new InvalidArguments("tool.input.invalid.arguments", {
    field: path,
    problem: argumentProblem(issue, lang),
  });
}

const isMissing = (given: unknown, path: readonly PropertyKey[]): boolean =>
  path.reduce<unknown>((at, key) => own(at as Readonly<Record<string, unknown>> | undefined, String(key)), given) ===
  undefined;

/** Returns the names of the arguments that the tool takes at a path, which is empty or leads into a nested object. */
function keysAt(schema: JsonSchema, path: readonly PropertyKey[]): string[] {
  const properties = (at: JsonSchema | undefined) => (at?.properties ?? {}) as Record<string, JsonSchema>;
  const inner = path.reduce<JsonSchema | undefined>((at, key) => own(properties(at), String(key)), schema);
  return Object.keys(properties(inner));
}

/**
 * Parses arguments that some clients send as JSON text, such as numbers, booleans, lists and objects, if the schema
 * wants that type. The schema is built only for an argument that is JSON, because building it is costly and most
 * arguments are plain text.
 */
function parseStringified(raw: unknown, schema: () => JsonSchema): unknown {
  if (!isFields(raw)) return raw;
  const properties = () => (schema().properties ?? {}) as Record<string, JsonSchema>;
  return Object.fromEntries(
    Object.entries(raw)
      .filter(([, value]) => value !== null) // Several clients send null for an argument that is not given.
      .map(([key, value]) => [key, parseOne(value, () => own(properties(), key))]),
  );
}

function parseOne(value: unknown, schemaOf: () => JsonSchema | undefined): unknown {
  if (typeof value === "object" && value !== null) {
    const schema = schemaOf();
    return schema?.type === "object" ? parseStringified(value, () => schema) : value;
  }
  const parsed = typeof value === "string" && JSON_START.test(value) ? jsonIn(value) : undefined;
  if (parsed === undefined) return value; // A value that is not JSON is left to the schema.
  const wanted = schemaOf()?.type as string | undefined;
  if (wanted === undefined || wanted === "string") return value;
  const type = Array.isArray(parsed) ? "array" : typeof parsed;
  return type === wanted || (wanted === "integer" && Number.isInteger(parsed)) ? parsed : value;
}

/**
 * Matches the beginning of JSON text. Most arguments do not match, which saves an exception that would cost more than
 * all checks of the call.
 */
const JSON_START = /^\s*(?:[[{"\d-]|true|false|null)/;
