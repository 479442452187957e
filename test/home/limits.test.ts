import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { LIMITED_KEYS, LIMITS, loosens } from "../../src/home/limits.ts";
import { createLiveSettings } from "../../src/home/live-settings.ts";
import { CONFIG_KEYS, type ConfigKey } from "../../src/home/schema.ts";
import { type ResolveInput, resolveAll } from "../../src/home/settings.ts";
import { Reached } from "../support/reached.ts";
import { homeWith, storeAt } from "./support.ts";

/** What `config.json` restricts is tightened by a variable or a flag, and never loosened. */

const resolved = (key: ConfigKey, input: ResolveInput) => {
  const { value, source, ignored, problem } = resolveAll(input).get(key)!;
  return { value, source, notFollowed: ignored?.where, refused: problem?.params.where };
};
const variable = (key: string) => `TOWOW_${key.toUpperCase()}`;
const STRICT = { confirmation_policy: "strict" };

it("every setting is a limit, or known to be none", () => {
  const none = [
    ...["user_id", "api_token", "identities", "backend_url", "last_scene_id", "last_negotiation_id"],
    "last_name_hash",
    ...["mode", "toolset", "lang", "feed", "wait_budget_s", "offer_chars", "plan_chars", "low_resonance"],
  ];
  expect([...LIMITED_KEYS, ...none].sort(byCodeUnits)).toEqual([...CONFIG_KEYS].sort(byCodeUnits));
});

/** Key, what the file says, what would loosen it, what tightens it, and what comes of the two. */
const ROWS: [ConfigKey, unknown, unknown, unknown, unknown?][] = [
  ["confirmation_policy", "strict", "auto", "strict"],
  ["on_unconfirmed", "cancel", "leave", "cancel"],
  ["confirm_deadline_s", 60, "86400", "20", 20],
  ["profile", "read_only", "live", "dry_run"],
  ["profile", "read_only", "offline", "dry_run"],
  ["profile", "dry_run", "read_only", "dry_run"],
  ["profile", "offline", "live", "offline"],
  ["profile", "offline", "read_only", "offline"],
  ["allow_tools", "towow_status,towow_join", "towow_demand", "towow_join"],
  ["redact_pii", true, "no", "yes", true],
  ["allow_http", false, "on", "off", false],
  ["budget_max_negotiations", 2, "3", "1", 1],
  ["budget_max_backend_requests", 50, "51", "5", 5],
];

describe.each(ROWS)("%s: %j in the file", (key, inFile, looser, stricter, followed = stricter) => {
  const file = { ...STRICT, [key]: inFile };
  const loosened = { value: inFile, source: "file", refused: undefined };

  it("stands against a variable and a flag that would loosen it, and names them", () => {
    const env = { [variable(key)]: String(looser) };
    expect(resolved(key, { file, env })).toEqual({ ...loosened, notFollowed: variable(key) });
    const flag = `--${key.replaceAll("_", "-")}`;
    expect(resolved(key, { file, env, flags: { [key]: looser } })).toEqual({ ...loosened, notFollowed: flag });
  });

  it("is tightened by either", () => {
    expect(resolved(key, { file, env: { [variable(key)]: String(stricter) } }).value).toBe(followed);
    expect(resolved(key, { file, flags: { [key]: stricter } }).value).toBe(followed);
  });

  it("a flag of a one-shot command at a terminal loosens all but what strict stands on; a variable nothing", () => {
    const terminalFlags = true;
    const loose = resolved(key, { file, terminalFlags, flags: { [key]: looser } });
    expect(loose.source).toBe(LIMITS[key]?.loosenedBy === "nothing" ? "file" : "flag");
    expect(resolved(key, { file, terminalFlags, env: { [variable(key)]: String(looser) } })).toMatchObject(loosened);
  });

  it("misspelt, it is an error and no permission", () => {
    const input = { file: { ...STRICT, [key]: "odd!" }, env: { [variable(key)]: String(looser) } };
    expect(resolved(key, input)).toMatchObject({ value: undefined, refused: "config.json" });
  });
});

it("of two lists of tools what both allow; of two that leave out, both", () => {
  const file = { allow_tools: "towow_status, towow_join", exclude_tools: "towow_demand" };
  const env = { TOWOW_ALLOW_TOOLS: "towow_join,towow_demand", TOWOW_EXCLUDE_TOOLS: "towow_action" };
  expect(resolved("allow_tools", { file, env })).toMatchObject({
    value: "towow_join",
    notFollowed: "TOWOW_ALLOW_TOOLS",
  });
  expect(resolved("exclude_tools", { file, env })).toMatchObject({
    value: "towow_demand,towow_action",
    notFollowed: undefined,
  });
});

describe("under strict", () => {
  const env = { TOWOW_ON_UNCONFIRMED: "leave", TOWOW_CONFIRM_DEADLINE_S: "86400" };
  const both = (input: ResolveInput) => [resolved("on_unconfirmed", input), resolved("confirm_deadline_s", input)];

  it.each<[string, ResolveInput]>([
    ["of the file", { file: STRICT, env }],
    ["of a variable", { env: { ...env, TOWOW_CONFIRMATION_POLICY: "strict" } }],
    ["with blanks", { file: { confirmation_policy: " strict " }, env }],
    ["misspelt", { file: { confirmation_policy: "Strict" }, env }],
  ])("%s, the defaults bind where the file is silent", (_, input) => {
    expect(both(input)).toMatchObject([{ value: "cancel" }, { value: 300 }]);
  });

  it("the file alone may say leave; without strict nothing of it binds", () => {
    expect(resolved("on_unconfirmed", { file: { ...STRICT, on_unconfirmed: "leave" } }).value).toBe("leave");
    expect(both({ file: { on_unconfirmed: "cancel", confirm_deadline_s: 60 }, env })).toMatchObject([
      { value: "leave" },
      { value: 86_400 },
    ]);
  });
});

it("a policy that is refused counts as strict, and not as the default", () => {
  const live = createLiveSettings(storeAt(homeWith({ confirmation_policy: "Strict" })), {});
  expect([live.current().confirmation_policy, live.problem()?.params.key]).toEqual(["strict", "confirmation_policy"]);
});

it("whatever flags and environment say, nothing that the file restricts is loosened", () => {
  const drawnFor = (key: ConfigKey) => {
    const own = ROWS.filter(([name]) => name === key).flatMap(([, a, b, c]) => [a, b, c].map(String));
    return own.length === 0 ? fc.string() : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...own) }, fc.string());
  };
  const all = Object.fromEntries(LIMITED_KEYS.map((key) => [key, drawnFor(key)]));
  const pairs = fc.record(all, { requiredKeys: [] }) as fc.Arbitrary<Record<string, string>>;
  const [refused, followed] = [new Reached(), new Reached()];
  fc.assert(
    fc.property(pairs, pairs, pairs, (file, flags, byKey) => {
      const env = Object.fromEntries(Object.entries(byKey).map(([key, value]) => [variable(key), value]));
      const [alone, all] = [resolveAll({ file }), resolveAll({ file, flags, env })];
      const isStrict = all.get("confirmation_policy")?.value === "strict";
      for (const key of LIMITED_KEYS) {
        const [inFile, now] = [alone.get(key)!, all.get(key)!];
        if (LIMITS[key]?.underStrict ? !isStrict : inFile.source !== "file") continue;
        if (refused.when(inFile.problem !== undefined)) expect(now.problem).toBeDefined();
        else if (followed.when(now.problem === undefined))
          expect(loosens(LIMITS[key]!, inFile.value, now.value)).toBe(false);
      }
    }),
  );
  refused.atLeast(20);
  followed.atLeast(200);
});

describe("one key twice", () => {
  const read = (text: string) => storeAt(homeWith(text)).read();

  it.each([
    ['{"confirmation_policy":"strict","confirmation_policy":"auto"}', { confirmation_policy: "strict" }],
    [
      String.raw`{"confirmation\u005fpolicy":"strict","mode":"normal","confirmation_policy":"auto"}`,
      { confirmation_policy: "strict", mode: "normal" },
    ],
    [
      '{"profile":"read_only", "x":{"profile":"live"}, "profile":"live"}',
      { profile: "read_only", x: { profile: "live" } },
    ],
    ['{"profile":"offline","profile":"read_only"}', { profile: "read_only" }],
    ['{"on_unconfirmed":"cancel","on_unconfirmed":"leave"}', { on_unconfirmed: "cancel" }],
    ['{"confirm_deadline_s":60,"confirm_deadline_s":"600","confirm_deadline_s":null}', { confirm_deadline_s: 60 }],
    ['{"allow_tools":"towow_join","allow_tools":"towow_join,towow_demand"}', { allow_tools: "towow_join" }],
    ['{"exclude_tools":"towow_join","exclude_tools":"towow_demand"}', { exclude_tools: "towow_demand,towow_join" }],
    ['{"redact_pii":true,"redact_pii":false}', { redact_pii: true }],
    ['{"allow_http":"off","allow_http":true}', { allow_http: "off" }],
    ['{"budget_max_negotiations":1,"budget_max_negotiations":9}', { budget_max_negotiations: 1 }],
    ['{"mode":"developer","mode":"normal"}', { mode: "normal" }],
  ])("%s: the stricter, else the last one, and it is said", (text, values) => {
    expect(read(text)).toMatchObject({ values, warnings: [{ code: "config_key_twice" }] });
  });

  it("a value in it that is misspelt is refused, not passed over", () => {
    expect(read('{"confirmation_policy":"auto","confirmation_policy":"Strict"}').values).toEqual({
      confirmation_policy: "Strict",
    });
  });

  it("the next write leaves one, and this program goes on saying it", async () => {
    const store = storeAt(homeWith('{"profile":"read_only","profile":"live"}'));
    await store.update((file) => file);
    expect(storeAt(store.home).read()).toEqual({ values: { profile: "read_only" }, warnings: [] });
    expect(store.read().warnings).toMatchObject([{ code: "config_key_twice", params: { keys: '"profile"' } }]);
  });

  it("nothing that is whole is changed by looking for it", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (values) => {
        const text = JSON.stringify(values, null, 1);
        expect(read(text)).toEqual({ values: JSON.parse(text), warnings: [] });
      }),
      { numRuns: 50 },
    );
  });
});

describe("a file that is broken", () => {
  it.each([
    [
      '{"redact_pii": true, "allow_http": false, "budget_max_negotiations": 2, "allow_tools": "towow_join"',
      { redact_pii: true, allow_http: false, budget_max_negotiations: 2, allow_tools: "towow_join" },
    ],
    ['{"allow_http": true, "redact_pii": false, "on_unconfirmed": "leave", "confirm_deadline_s": 900,', {}],
    ['{"confirm_deadline_s": 60, "on_unconfirmed": "cancel",', { confirm_deadline_s: 60, on_unconfirmed: "cancel" }],
    ["{'confirmation_policy': 'strict', 'redact_pii': true,}", { confirmation_policy: "strict", redact_pii: true }],
    ["{confirmation_policy: `strict`, budget_max_negotiations: 2}", { ...STRICT, budget_max_negotiations: 2 }],
    ["confirmation_policy: strict\nprofile: read_only\n", { ...STRICT, profile: "read_only" }],
    ["{“confirmation_policy”：“strict”，“profile”：“live”}", STRICT],
    ['{"lang": "en", "confirmation_policy" /* mine */ : "auto",', STRICT],
    ['{"lang": "en", "confirmation_policy": "stri', STRICT],
    ['{"confirmation_policy": "Strict",', { confirmation_policy: "Strict" }],
    ['{"confirmation_policy": "auto",', { confirmation_policy: "auto" }],
    ['{"profile" : "read_only" "mode": "developer"', { profile: "read_only" }],
    ['{"profile":"offline","profile":"read_only",,', { profile: "read_only" }],
    // In a file that is no JSON, what only looks like the policy is not told apart from it: the stricter reading stands.
    [String.raw`{"note":"\"confirmation_policy\":\"strict\"",`, STRICT],
  ])("%s still restricts what it restricts, also once it is replaced", async (text, values) => {
    const store = storeAt(homeWith(text));
    expect(store.read().values).toEqual(values);
    await store.update((current) => ({ ...current, mode: "normal" }));
    expect(store.read().values).toEqual({ ...values, mode: "normal" });
  });

  it("in the encoding of another shell, too", () => {
    const home = homeWith("");
    writeFileSync(join(home, "config.json"), `\uFEFF${JSON.stringify(STRICT)}`, "utf16le");
    expect(storeAt(home).read()).toMatchObject({ values: STRICT, warnings: [{ code: "config_corrupt" }] });
  });
});

it("a variable or a flag that is refused lifts nothing", () => {
  const file = { ...STRICT, confirm_deadline_s: 30, profile: "read_only", allow_tools: "towow_join" };
  const env = { TOWOW_CONFIRM_DEADLINE_S: "soon", TOWOW_PROFILE: "writes", TOWOW_ALLOW_TOOLS: "!" };
  const store = storeAt(homeWith(file));
  for (const input of [{ env }, { flags: { confirm_deadline_s: "soon", profile: "writes", allow_tools: "!" } }]) {
    const live = createLiveSettings(store, input);
    expect(live.current()).toMatchObject(file);
    expect(live.problem()?.code).toBe("tool.config.invalid.value");
  }
});
