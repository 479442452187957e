import fc from "fast-check";
import { HARMLESS, HOSTILE } from "../safety/hostile-corpus.ts";
import { WIRE } from "../support/wire.ts";

/** Names that JavaScript itself knows, and other text that parsers have stumbled over. */
const AWKWARD = [
  "",
  " ",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "null",
  "NaN",
  "-0",
  "1e309",
  "../../etc/passwd",
  "a\u0000b",
  "\ud800",
  "\u2028",
  "%00%2f..",
  "\r\nX-Injected: 1",
  "9".repeat(400),
  "[".repeat(3_000),
  '{"a":'.repeat(3_000),
  "ö".repeat(5_000),
];

/** Any text: usual, awkward, hostile, and half of a character. */
export const anyText = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 2, arbitrary: fc.constantFrom(...AWKWARD) },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE.map((h) => h.text), ...HARMLESS) },
);

/** Deeper than the stack of whoever walks it by calling itself. */
const deep: fc.Arbitrary<unknown> = fc
  .record({ levels: fc.integer({ min: 30, max: 4_000 }), list: fc.boolean() })
  .map(({ levels, list }) => {
    let value: unknown = 1;
    for (let i = 0; i < levels; i++) value = list ? [value] : { a: value };
    return value;
  });

const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    anyText,
    fc.constantFrom(null, true, false, 0, -0, 1, -1, 2 ** 53, 1e308, -1e-308, Number.MIN_VALUE),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie("json"), { maxLength: 5 }),
    fc.dictionary(anyText, tie("json"), { maxKeys: 5 }),
    deep,
  ),
}));
/** Any JSON value, deep ones among them. */
export const anyJson: fc.Arbitrary<unknown> = json as fc.Arbitrary<unknown>;

/** JSON text of a value that may be too deep for `JSON.stringify`. */
export function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return '{"a":'.repeat(20_000);
  }
}

type Change = { at: number; kind: "drop" | "replace" | "wrap" | "repeat"; value: unknown };
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(400),
  kind: fc.constantFrom("drop", "replace", "replace", "wrap", "repeat"),
  value: anyJson,
});

/** A known good value with some of its parts dropped, replaced, wrapped or repeated. */
export const mutatedJson = (seeds: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(seeds, fc.array(change, { maxLength: 4 }))
    .map(([value, changes]) => changes.reduce(changed, structuredClone(value)));

function changed(root: unknown, { at, kind, value }: Change): unknown {
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const walk = (holder: unknown): void => {
    if (typeof holder !== "object" || holder === null || places.length > 400) return;
    for (const key of Object.keys(holder)) {
      places.push({ holder: holder as Record<string, unknown>, key });
      if (places.length < 60) walk((holder as Record<string, unknown>)[key]);
    }
  };
  walk(root);
  const place = places[at % (places.length + 1)];
  if (place === undefined) return kind === "wrap" ? [root] : kind === "replace" ? value : root;
  const { holder, key } = place;
  if (kind === "drop") delete holder[key];
  if (kind === "replace") holder[key] = value;
  if (kind === "wrap") holder[key] = { [key]: holder[key] };
  if (kind === "repeat") holder[key] = Array.from({ length: 3 }, () => holder[key]);
  return root;
}

type Cut = { at: number; kind: "flip" | "cut" | "insert" | "copy"; bytes: Uint8Array };
const cut: fc.Arbitrary<Cut> = fc.record({
  at: fc.nat(100_000),
  kind: fc.constantFrom("flip", "flip", "cut", "insert", "copy"),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 6 }),
    fc.constantFrom(...["\u0000", "\uFEFF", '"', "\\", "\n", "\r", "}", "[", "\xff\xfe"].map((it) => Buffer.from(it))),
  ),
});

/** Bytes with some of them flipped, cut off, put in or copied. */
export const mutatedBytes = (seeds: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Buffer> =>
  fc.tuple(seeds, fc.array(cut, { maxLength: 4 })).map(([bytes, cuts]) => cuts.reduce(bent, Buffer.from(bytes)));

function bent(bytes: Buffer, { at, kind, bytes: more }: Cut): Buffer {
  const i = bytes.length === 0 ? 0 : at % bytes.length;
  const [head, tail] = [bytes.subarray(0, i), bytes.subarray(i)];
  if (kind === "cut") return head;
  if (kind === "insert") return Buffer.concat([head, more, tail]);
  if (kind === "copy") return Buffer.concat([head, tail, tail]);
  const flipped = Buffer.from(bytes);
  if (flipped.length > 0) flipped[i] = flipped[i]! ^ (more[0] ?? 1);
  return flipped;
}

/** A document of these values: well formed, bent in its bytes, or any bytes at all. */
export const document = (values: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> => {
  const good = values.map((value) => Buffer.from(textOf(value)));
  return fc.oneof(
    { weight: 5, arbitrary: good },
    { weight: 3, arbitrary: mutatedBytes(good) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
  );
};

/** The bodies that the real engine answered with. */
export const RECORDED_BODIES: readonly unknown[] = Object.values(WIRE)
  .map((recording) => recording as { response?: { body?: unknown } })
  .flatMap((recording) => (recording.response?.body == null ? [] : [recording.response.body]));
