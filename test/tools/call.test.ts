import { describe, expect, it } from "vitest";
import * as z from "zod";
import { DryRun } from "../../src/backend/operation.ts";
import { silentLog } from "../../src/log.ts";
import type { Mode } from "../../src/session/session.ts";
import { textsOf } from "../../src/text/index.ts";
import { callTool } from "../../src/tools/call.ts";
import type { ToolContext } from "../../src/tools/define.ts";
import { TOOLS } from "../../src/tools/index.ts";
import { type InvalidArguments, validateArguments } from "../../src/tools/validate.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { resolveSettings } from "../support/resolve-settings.ts";
import { testSession } from "../support/session.ts";
import { createWorld } from "../support/world.ts";

const tool = (name: string) => TOOLS.find((one) => one.name === name)!;
const refusal = (name: string, args: unknown): InvalidArguments => {
  try {
    validateArguments(tool(name), args);
  } catch (error) {
    return error as InvalidArguments;
  }
  throw new Error("accepted");
};

/** A context that holds only what the call under test touches. */
const context = (mode: Mode, parts: Record<string, unknown> = {}): ToolContext =>
  ({
    settings: resolveSettings({ locale: "en_US" }),
    texts: textsOf("en"),
    mode,
    negotiations: { recover: async () => {}, recoverSoon() {} },
    client: { passesNoWord: false, isCommandLine: false },
    subject: () => undefined,
    session: testSession(new ManualClock()),
    notices: async () => [],
    userId: async () => "user_1",
    signal: new AbortController().signal,
    ...parts,
  }) as unknown as ToolContext;

async function resultOf(name: string, args: unknown, ctx: ToolContext) {
  const called = await callTool(name, args, ctx, silentLog);
  if (!("result" in called)) throw new Error("asked");
  return called.result;
}

/** What every object answers to. */
const INHERITED = ["constructor", "hasOwnProperty", "toString", "__proto__"];

it.each(INHERITED)("an argument called %s is refused as any other that nobody knows", (name) => {
  for (const value of ["", "1", null, {}, { ref: "towow://scenes/a" }]) {
    const given = Object.fromEntries([[name, value]]);
    const known = { field: name, known: Object.keys(tool("towow_docs_list").input.shape) };
    if (value !== null)
      expect(refusal("towow_docs_list", given)).toMatchObject({
        code: "tool.input.invalid.unknown_argument",
        params: known,
      });
  }
  const missing = { code: "tool.input.invalid.argument_missing", params: { fields: ["name", "description"] } };
  expect(refusal("towow_create_scene", {})).toMatchObject(missing);
});

describe("what cannot happen is still told", () => {
  const scene = { name: "A", description: "B" };

  it("a result that is not what the tool promises", async () => {
    const backend = async () => ({ createScene: async () => ({ scene_id: 5, name: "A" }) });
    const result = await resultOf("towow_create_scene", scene, context("developer", { backend }));
    expect(result.error).toMatchObject({ code: "tool.backend.internal.output_invalid", can_retry: false });
    expect(result.error?.message).toContain("towow_create_scene");
  });

  it("a defect, without its words", async () => {
    const backend = async () => {
      throw new TypeError("Cannot read properties of undefined (reading 'hunter2')");
    };
    const result = await resultOf("towow_create_scene", scene, context("developer", { backend }));
    expect(result.error?.code).toBe("tool.backend.internal.unexpected");
    expect(JSON.stringify(result)).not.toMatch(/hunter2|TypeError|\bat /);
  });

  it("a client that has gone is told nothing", async () => {
    const gone = AbortSignal.abort(new DOMException("gone", "AbortError"));
    const backend = async () => Promise.reject(gone.reason);
    const call = callTool("towow_create_scene", scene, context("developer", { backend, signal: gone }), silentLog);
    await expect(call).rejects.toThrow("gone");
  });
});

describe("what a policy stops", () => {
  const scene = { name: "A", description: "B" };
  const untouched = () => {
    throw new Error("the backend was asked");
  };

  it("dry_run tells the request and not a failure", async () => {
    const url = new URL("http://127.0.0.1/v1/api/scenes");
    const backend = async () => {
      throw new DryRun({ name: "createScene", method: "POST", url, body: scene, answer: z.any() });
    };
    const result = await resultOf("towow_create_scene", scene, context("developer", { backend }));
    expect(result).toMatchObject({ status: "ok", error: null, warnings: ["dry_run"] });
    expect(result.meta).toEqual({ would_send: { method: "POST", url: url.href, body: scene } });
    expect(JSON.stringify(result)).not.toContain("tool.policy.blocked.dry_run"); // an exit of ours, told as a success
  });

  it.each([
    ["budget_max_negotiations", "towow_demand", { intent: "x" }, "tool.budget.blocked.negotiations"],
    ["budget_max_backend_requests", "towow_list_scenes", {}, "tool.budget.blocked.backend_requests"],
  ])("%s used up: %s is refused before anything is asked", async (key, name, args, code) => {
    const session = testSession(new ManualClock());
    const { ledger } = session;
    ledger.takeNegotiation({});
    ledger.countRequest("GET");
    const settings = resolveSettings({ flags: { [key]: 1 } });
    const result = await resultOf(name, args, context("developer", { backend: untouched, settings, session }));
    expect(result.error).toMatchObject({ code, can_retry: false });
    expect(result.error?.message).not.toMatch(/[{}?]/);
    expect(await ledger.snapshot({})).toMatchObject({ blocked_actions: [name] });
  });
});

describe("arguments as clients send them", () => {
  const submit = { scene_id: "scene_1", intent: "I need a designer" };

  it("numbers, booleans, lists and objects sent as text are taken as what they are", () => {
    expect(
      validateArguments(tool("towow_submit_demand"), {
        ...submit,
        k_star: "3",
        min_score: "0.5",
        allow_duplicate: "true",
      }),
    ).toMatchObject({ k_star: 3, min_score: 0.5, allow_duplicate: true });
    const profile = { skills: '["a","b"]', interests: "[]", bio: "5" };
    expect(validateArguments(tool("towow_join"), { scene: "x", profile_data: profile })).toMatchObject({
      profile_data: { skills: ["a", "b"], interests: [], bio: "5" },
    });
    const whole = JSON.stringify({ skills: ["a"], bio: "b" });
    expect(validateArguments(tool("towow_join"), { scene: "x", profile_data: whole })).toMatchObject({
      profile_data: { skills: ["a"], bio: "b" },
    });
  });

  it("text stays text, whatever it looks like", () => {
    for (const intent of ["5", "true", "null", '{"a":1}', "[1]"])
      expect(validateArguments(tool("towow_demand"), { intent })).toMatchObject({ intent });
  });

  it.each([
    ["3.5", "a fraction"],
    ["1e999", "infinite"],
    ["three", "a word"],
    ["[3]", "a list"],
    ["NaN", "not a number"],
    ["0", "too small"],
    ["1001", "too large"],
  ])("k_star %j (%s) is refused and named", (k_star) => {
    const { code, params } = refusal("towow_submit_demand", { ...submit, k_star });
    expect([code, params.field]).toEqual(["tool.input.invalid.arguments", "k_star"]);
  });

  it.each([[[]], ["text"], [5]])("arguments that are no object (%j) are refused", (args) => {
    expect(refusal("towow_status", args).code).toBe("tool.input.invalid.arguments");
  });

  it("what is missing is named, all of it, and is no wrong type", () => {
    const { code, params } = refusal("towow_register_agent", { display_name: "Lin" });
    expect([code, params.fields]).toEqual(["tool.input.invalid.argument_missing", ["scene_id", "profile_data"]]);
    const inner = refusal("towow_graph_merge", { graphs: [{ name: "notes", graph: { nodes: [] } }] });
    expect([inner.code, inner.params.fields]).toEqual([
      "tool.input.invalid.argument_missing",
      ["graphs.0.graph.edges"],
    ]);
  });

  it("an unknown argument is named with those that there are, at its own level", () => {
    const top = refusal("towow_status", { negotiation: "x" }).params;
    expect(top).toEqual({ field: "negotiation", known: ["negotiation_id", "wait", "view"] });
    const inner = refusal("towow_join", { scene: "x", profile_data: { name: "Lin" } }).params;
    expect(inner.field).toBe("profile_data.name");
    expect(inner.known).toContain("capabilities");
    expect(inner.known).not.toContain("raw_content");
  });

  it("arguments that are no JSON need no JSON Schema, which is costly to make", () => {
    const inputSchema = {
      get(): never {
        throw new Error("made");
      },
    };
    const status = Object.create(tool("towow_status"), { inputSchema });
    expect(validateArguments(status, { negotiation_id: "neg_1" })).toMatchObject({ negotiation_id: "neg_1" });
    expect(() => validateArguments(status, { negotiation_id: "1" })).toThrow("made");
  });

  it("a prototype is no argument", () => {
    const args = JSON.parse('{"__proto__": {"wait": "done"}, "constructor": 1}');
    expect(refusal("towow_status", args).code).toBe("tool.input.invalid.unknown_argument");
    expect(({} as { wait?: string }).wait).toBeUndefined();
  });
});

it("a payload that is nested too deep to be read is refused as one that is too long", async () => {
  const world = await createWorld();
  const p = await world.process({ flags: { mode: "developer" } });
  let payload: Record<string, unknown> = {};
  for (let depth = 0; depth < 9_000; depth++) payload = { payload };
  const { result } = await p.call("towow_action", { negotiation_id: "neg_0", action: "cancel", payload });
  expect(result.error?.code).toBe("tool.input.invalid.text_too_long");
});
