/**
 * Request bodies as FastAPI 0.92 with pydantic 1 reads them: what is missing or of another type is refused
 * with 422, numbers and strings are coerced, ranges are nobody's business, unknown fields are ignored.
 */
export interface Problem {
  loc: (string | number)[];
  msg: string;
  type: string;
  ctx?: Record<string, unknown>;
}

export class Unprocessable extends Error {
  override readonly name = "Unprocessable";
  readonly detail: Problem[];

  constructor(detail: Problem[]) {
    super("unprocessable");
    this.detail = detail;
  }
}

type Mistake = Pick<Problem, "msg" | "type">;

export interface Field<T> {
  /** The value, or what is wrong with it. */
  read: (value: unknown) => { value: T } | Mistake;
  /** Undefined: the field is required. */
  fallback?: () => T;
  nullable: boolean;
}

type Parsed<F> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never };

const wrong = (what: string, type: string): Mistake => ({ msg: what, type: `type_error.${type}` });

export const str: Field<string> = {
  read: (value) => {
    if (typeof value === "string") return { value };
    if (typeof value === "number") return { value: String(value) };
    if (typeof value === "boolean") return { value: value ? "True" : "False" };
    return wrong("str type expected", "str");
  },
  nullable: false,
};

export const int: Field<number> = {
  read: (value) => {
    if (typeof value === "number" && Number.isFinite(value)) return { value: Math.trunc(value) };
    if (typeof value === "boolean") return { value: Number(value) };
    if (typeof value === "string" && /^\s*[+-]?\d+\s*$/.test(value)) return { value: Number(value) };
    return wrong("value is not a valid integer", "integer");
  },
  nullable: false,
};

export const float: Field<number> = {
  read: (value) => {
    if (typeof value === "number") return { value };
    if (typeof value === "boolean") return { value: Number(value) };
    if (typeof value === "string" && value.trim() !== "" && !Number.isNaN(Number(value)))
      return { value: Number(value) };
    return wrong("value is not a valid float", "float");
  },
  nullable: false,
};

export const dict: Field<Record<string, unknown>> = {
  read: (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? { value: value as Record<string, unknown> }
      : wrong("value is not a valid dict", "dict"),
  nullable: false,
};

export function withDefault<T>(field: Field<T>, fallback: T): Field<T> {
  return { ...field, fallback: () => fallback };
}

/** Absent and null are the same: null. */
export function optional<T>(field: Field<T>): Field<T | null> {
  return { read: field.read, nullable: true, fallback: () => null };
}

const MISSING: Mistake = { msg: "field required", type: "value_error.missing" };

/** The fields of a body. Throws `Unprocessable` with every problem, in the order of the fields. */
export function readBody<F extends Record<string, Field<unknown>>>(
  text: string,
  contentType: string | null,
  fields: F,
): Parsed<F> {
  if (text === "") throw new Unprocessable([{ loc: ["body"], ...MISSING }]);
  const isJson = contentType === null || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType);
  const body = isJson ? parseJson(text) : text;
  if (body === null) throw new Unprocessable([{ loc: ["body"], ...MISSING }]);
  const object = dict.read(body);
  if (!("value" in object)) throw new Unprocessable([{ loc: ["body"], ...object }]);
  const problems: Problem[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const given = Object.hasOwn(object.value, name) ? object.value[name] : undefined;
    const read = readField(field, given);
    if ("value" in read) values[name] = read.value;
    else problems.push({ loc: ["body", name], ...read });
  }
  if (problems.length > 0) throw new Unprocessable(problems);
  return values as Parsed<F>;
}

function readField(field: Field<unknown>, given: unknown): { value: unknown } | Mistake {
  if (given === undefined) return field.fallback ? { value: field.fallback() } : MISSING;
  if (given !== null) return field.read(given);
  return field.nullable ? { value: null } : wrong("none is not an allowed value", "none.not_allowed");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const pos = Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? text.length);
    const lines = text.slice(0, pos).split("\n");
    const [lineno, colno] = [lines.length, lines.at(-1)!.length + 1];
    const msg =
      text[pos - 1] === "{" || text[pos - 1] === ","
        ? "Expecting property name enclosed in double quotes"
        : "Expecting value";
    throw new Unprocessable([
      {
        loc: ["body", pos],
        msg: `${msg}: line ${lineno} column ${colno} (char ${pos})`,
        type: "value_error.jsondecode",
        ctx: { msg, doc: text, pos, lineno, colno },
      },
    ]);
  }
}
