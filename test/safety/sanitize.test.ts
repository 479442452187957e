import { describe, expect, test } from "vitest";
import type { Negotiation, Participant, SceneSummary } from "../../src/backend/contract.ts";
import { sanitizeLine, sanitizeListedItem, sanitizeNegotiation } from "../../src/safety/sanitize/foreign.ts";
import { sanitizePage } from "../../src/safety/sanitize/full-text.ts";
import { MAX_SHOWN, SANITIZE_DEFAULTS, type Sanitized } from "../../src/safety/sanitize/options.ts";
import { atOnce } from "../../src/turn.ts";
import { sanitizeAny } from "../support/sanitize-any.ts";
import { HARMLESS, HOSTILE, type Hostile } from "./hostile-corpus.ts";

const participant = (over: Partial<Participant>): Participant => ({
  agent_id: "agent_a",
  display_name: "Alice",
  resonance_score: 0.9,
  state: "offered",
  offer_content: null,
  offer_capabilities: null,
  ...over,
});

const negotiation = (over: Partial<Negotiation>): Negotiation => ({
  negotiation_id: "neg_1",
  state: "completed",
  demand_raw: "raw",
  demand_formulated: "formulated",
  participants: [],
  plan_output: null,
  center_rounds: 1,
  depth: 0,
  parent_negotiation_id: null,
  sub_session_ids: [],
  ...over,
});

const scene: SceneSummary = {
  scene_id: "scene_1",
  name: "n",
  description: "d",
  status: "active",
  expected_responders: 3,
  access_policy: "open",
  agent_count: 2,
};

type Put = (text: string) => Sanitized<unknown>;
const of = (over: Partial<Participant>) =>
  sanitizeNegotiation(negotiation({ participants: [participant(over)] }), SANITIZE_DEFAULTS);
const LONG: Record<string, Put> = {
  "a string": (text) => sanitizeAny(text, SANITIZE_DEFAULTS),
  "a nested value": (text) => sanitizeAny({ a: [{ b: text }] }, SANITIZE_DEFAULTS),
  "an offer": (text) => of({ offer_content: text }),
  "an offer's field": (text) => of({ offer_content: { offer: { summary: text } } }),
  "an offer's list": (text) => of({ offer_content: ["x", text] }),
  "a capability": (text) => of({ offer_capabilities: [text] }),
  "a plan": (text) => sanitizeNegotiation(negotiation({ plan_output: text }), SANITIZE_DEFAULTS),
  "a page of a whole text": (text) => atOnce(sanitizePage(text, SANITIZE_DEFAULTS)),
  "a scene's description": (text) => atOnce(sanitizeListedItem({ ...scene, description: text }, SANITIZE_DEFAULTS)),
};
const SHORT: Record<string, Put> = {
  "a key": (text) => sanitizeAny({ [text]: 1 }, SANITIZE_DEFAULTS),
  "a display name": (text) => of({ display_name: text }),
  "an agent's state": (text) => of({ state: text }),
  "a scene's name": (text) => atOnce(sanitizeListedItem({ ...scene, name: text }, SANITIZE_DEFAULTS)),
  "a scene's policy": (text) => atOnce(sanitizeListedItem({ ...scene, access_policy: text }, SANITIZE_DEFAULTS)),
  "an agent's name": (text) =>
    atOnce(sanitizeListedItem({ agent_id: "a", display_name: text, source: "" }, SANITIZE_DEFAULTS)),
  "an agent's source": (text) =>
    atOnce(sanitizeListedItem({ agent_id: "a", display_name: "", source: text }, SANITIZE_DEFAULTS)),
  "a line": (text) => sanitizeLine(text, SANITIZE_DEFAULTS),
};

/** Every string of a value, keys too, as a model reads them. */
const read = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...read(item)]);
};

function holds({ loses, warns }: Hostile, { value, warnings, meta }: Sanitized<unknown>, where: string) {
  for (const text of read(value))
    for (const bad of loses)
      if (bad instanceof RegExp ? bad.test(text) : text.includes(bad)) expect.fail(`${where}: ${bad} in ${text}`);
  if (warns) expect(warnings, where).toContain(warns);
  if (warns === "pii_redacted") expect(meta.redaction_applied, where).toBe(true);
}

describe("hostile texts", () => {
  test.each(Object.entries(LONG))("in %s", (slot, put) => {
    for (const hostile of HOSTILE) {
      const where = `${hostile.name} in ${slot}`;
      const result = put(hostile.text);
      holds(hostile, result, where);
      // Full-width letters and line ends may be written otherwise, nothing else of the meaning may go.
      for (const kept of hostile.keeps ?? []) expect(read(result.value).join("\n"), where).toContain(kept);
    }
  });
  test.each(Object.entries(SHORT))("in %s", (slot, put) => {
    for (const hostile of HOSTILE) {
      const where = `${hostile.name} in ${slot}`;
      const result = put(hostile.text);
      holds(hostile, result, where);
      expect(read(result.value).join(""), where).not.toContain("\n");
    }
  });
});

test.each(Object.entries(LONG))("harmless texts come through %s as they are", (slot, put) => {
  for (const text of HARMLESS) {
    const where = `${text} in ${slot}`;
    const { value, warnings, meta } = put(text);
    expect(read(value), where).toContain(text);
    expect({ warnings, meta }, where).toEqual({ warnings: [], meta: {} });
  }
});

test("the corpus is as large as promised, and no text is in it twice", () => {
  expect(HOSTILE.length).toBeGreaterThanOrEqual(60);
  expect(HARMLESS.length).toBeGreaterThanOrEqual(30);
  expect(new Set(HOSTILE.map((h) => h.name)).size).toBe(HOSTILE.length);
});

test("ids stay exact, also where they look like a telephone number", () => {
  const ids = {
    negotiation_id: "neg_13812345678",
    parent_negotiation_id: "13812345678",
    sub_session_ids: ["neg_4111111111111111"],
  };
  const given = negotiation({ ...ids, participants: [participant({ agent_id: "zhang@example.com" })] });
  const { value, warnings } = sanitizeNegotiation(given, SANITIZE_DEFAULTS);
  expect(value).toMatchObject(ids);
  expect(value.participants[0]?.agent_id).toBe("zhang@example.com");
  expect(warnings).toEqual([]);
});

test("what is no id, in the place of one, is a name; a secret there is masked", () => {
  const put = (agent_id: string) => of({ agent_id }).value.participants[0]?.agent_id;
  expect(put("<script> x\ny")).toBe("‹script› x y");
  expect(put("sk-proj-Ab12Cd34Ef56Gh78Ij90Kl")).toBe("***");
  expect(put("call 13812345678 now")).toBe("call [phone hidden] now");
});

test("of more participants than are shown the rest is cut, and that is said", () => {
  const many = (length: number) => negotiation({ participants: Array.from({ length }, () => participant({})) });
  const { value, warnings, meta } = sanitizeNegotiation(many(MAX_SHOWN + 1), SANITIZE_DEFAULTS);
  expect(value.participants).toHaveLength(MAX_SHOWN);
  expect([warnings, meta.truncated]).toEqual([["truncated_output"], true]);
  expect(sanitizeNegotiation(many(MAX_SHOWN), SANITIZE_DEFAULTS).meta.truncated).toBeUndefined();
});

test("a demand is cleaned like every other text: its pause alone shows it as it is (contract §6)", () => {
  const raw = { demand_raw: "打 13812345678 <b>", demand_formulated: "https://a.example?token=abc\u200B" };
  const { value, warnings } = sanitizeNegotiation(negotiation(raw), SANITIZE_DEFAULTS);
  expect(JSON.stringify(value)).not.toMatch(/1381234|<b>|https:|token=abc|\u200B/);
  expect(warnings).toContain("pii_redacted");
});

test("a name that is nothing but invisible reads as the id", () => {
  expect(of({ display_name: "\u200B\u2060" }).value.participants[0]?.display_name).toBe("agent_a");
});

test("without redactPii personal data stays and secrets still go", () => {
  const { value, warnings } = sanitizeAny("13812345678 ghp_0123456789abcdefABCDEF0123456789abcd", {
    ...SANITIZE_DEFAULTS,
    redactPii: false,
  });
  expect(value).toBe("13812345678 ***");
  expect(warnings).toEqual([]);
});

test("a field's name is a label, and a number without quotes is a number of somebody too", () => {
  const given = {
    wechat: "zhangsan",
    phone: 62345678,
    mobile: 13812345678,
    api_key: "short",
    days: 62345678,
    rate: 0.5,
  };
  expect(sanitizeAny(given, SANITIZE_DEFAULTS).value).toEqual({
    wechat: "[WeChat hidden]",
    phone: "[phone hidden]",
    mobile: "[phone hidden]",
    api_key: "***",
    days: 62345678,
    rate: 0.5,
  });
});

test("two keys that read the same once they are clean are both kept; __proto__ is a key like any other", () => {
  const given = JSON.parse('{"a":1,"a\\u200b":2,"__proto__":{"x":3}}');
  const { value } = sanitizeAny(given, SANITIZE_DEFAULTS);
  expect(JSON.stringify(value)).toBe('{"a":1,"a~2":2,"__proto__":{"x":3}}');
});
