import fc from "fast-check";
import { ERROR_CODES } from "../../src/result/tool-error.ts";
import type { JsonSchema } from "../../src/tools/define.ts";
import { TOOLS } from "../../src/tools/index.ts";
import { createWorld, PROFILE, type Process } from "../support/world.ts";
import { anyJson, anyText } from "./material.ts";
import { target } from "./target.ts";

/** Stands for a value that only the running world knows. */
const KNOWN = ["<scene>", "<negotiation>", "<confirmation>"] as const;

/** Arguments that fit a schema mostly: right and wrong values, missing and unknown keys. */
function argumentsOf(schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema & { enum?: unknown[] }>);
  const known = Object.fromEntries(properties.map(([key, of]) => [key, valueFor(key, of)]));
  const required = (schema.required ?? []) as string[];
  return fc.oneof(
    { weight: 8, arbitrary: fc.record(known, { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record(known, { requiredKeys: [] }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.record(known, { requiredKeys: required }), fc.dictionary(anyText, anyJson, { maxKeys: 2 }))
        .map(([args, more]) => ({ ...args, ...more })),
    },
  );
}

function valueFor(key: string, schema: { type?: unknown; enum?: unknown[] }): fc.Arbitrary<unknown> {
  const right: fc.Arbitrary<unknown>[] = [];
  if (schema.enum) right.push(fc.constantFrom(...schema.enum));
  if (key === "profile_data")
    right.push(fc.constant(PROFILE), fc.dictionary(fc.constantFrom(...Object.keys(PROFILE)), anyJson));
  if (/_id$|^scene$/.test(key)) right.push(fc.constantFrom(...KNOWN, "scene_000000000000", "neg_000000000000"));
  if (schema.type === "boolean") right.push(fc.boolean());
  if (schema.type === "integer" || schema.type === "number") right.push(fc.integer({ min: -2, max: 1_001 }));
  if (right.length === 0) right.push(fc.constant("I need a designer"), anyText);
  return fc.oneof(
    { weight: 20, arbitrary: fc.oneof(...right) },
    { weight: 1, arbitrary: anyText },
    { weight: 1, arbitrary: anyJson },
    { weight: 1, arbitrary: fc.oneof(...right).map((it) => JSON.stringify(it)) },
  );
}

const call = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.oneof(
      ...TOOLS.map((tool) => fc.record({ name: fc.constant(tool.name), args: argumentsOf(tool.inputSchema) })),
    ),
  },
  { weight: 1, arbitrary: fc.record({ name: anyText, args: fc.dictionary(anyText, anyJson) }) },
);

/** What a model may send: always a result, with a documented code or none. */
export const toolArguments = target({
  name: "tool arguments",
  batch: 100,
  input: fc.array(call, { minLength: 1, maxLength: 4 }),
  async open() {
    let over = () => {};
    const world = await createWorld({}, (close) => {
      over = () => void close();
    });
    const config = { toolset: "all", wait_budget_s: 1 };
    const silent = await world.process({ config });
    const answering = await world.process({
      config,
      answer: () => ({ action: "accept", content: { decision: "accept" } }),
    });
    let last: { negotiation_id?: string; confirmation_id?: string } = {};
    let count = 0;
    const fill = (value: unknown): unknown =>
      value === "<scene>"
        ? world.sceneId
        : value === "<negotiation>"
          ? (last.negotiation_id ?? "neg_000000000000")
          : value === "<confirmation>"
            ? (last.confirmation_id ?? "none")
            : value;
    return {
      async check(calls) {
        const process: Process = count++ % 2 === 0 ? silent : answering;
        for (const { name, args } of calls) {
          const given = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, fill(value)]));
          const isKnown = TOOLS.some((tool) => tool.name === name);
          const called = await process.call(name, given).catch((error) => {
            if (isKnown || error.code !== -32602) throw error;
          });
          if (called === undefined) continue; // no such tool: the protocol's own error
          const { result } = called;
          expectDocumented(result, name);
          last = { ...last, ...result?.data?.resume_with?.params };
        }
      },
      close: over,
    };
  },
});

/** A result that `docs/errors.md` knows, and that is not a defect of ours. */
export function expectDocumented(result: unknown, what: string): void {
  const { status, error } = (result ?? {}) as { status?: string; error?: { code: string; message: string } | null };
  if (status === undefined) throw new Error(`${what}: no result`);
  if (status !== "error") return;
  if (error == null || !Object.hasOwn(ERROR_CODES, error.code)) throw new Error(`${what}: no documented code`);
  if (error.code.includes(".internal.")) throw new Error(`${what}: ${error.code}: ${error.message}`);
}
