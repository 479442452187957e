import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TowowError } from "../../src/errors.ts";
import { explainSettings } from "../../src/home/explain.ts";
import { CONFIG_KEYS, type ConfigKey, declarationOf, environmentNames } from "../../src/home/schema.ts";
import { parseConfigValue, type ResolveInput, requireBackend } from "../../src/home/settings.ts";
import { resolveSettings } from "../support/resolve-settings.ts";

function refusal(input: ResolveInput): TowowError {
  try {
    resolveSettings(input);
  } catch (error) {
    if (error instanceof TowowError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("precedence", () => {
  const everywhere = { flags: { mode: "developer" }, env: { TOWOW_MODE: "normal" }, file: { mode: "developer" } };

  test.each([
    [everywhere, "developer", "flag"],
    [{ ...everywhere, flags: {} }, "normal", "environment"],
    [{ file: { mode: "developer" } }, "developer", "file"],
    [{}, "normal", "default"],
    [{ flags: { mode: undefined }, env: { TOWOW_MODE: " " }, file: { mode: null } }, "normal", "default"],
  ] as const)("%j is %s by %s", (input, mode, source) => {
    const settings = resolveSettings(input);
    expect([settings.mode, settings.sources.mode]).toEqual([mode, source]);
  });

  test("the defaults are the contract's", () => {
    const { sources, ...values } = resolveSettings({});
    expect(new Set(Object.values(sources))).toEqual(new Set(["default"]));
    expect(JSON.parse(JSON.stringify(values))).toEqual({
      mode: "normal",
      lang: "en",
      confirmation_policy: "auto",
      on_unconfirmed: "cancel",
      confirm_deadline_s: 300,
      wait_budget_s: 45,
      profile: "live",
      allow_http: false,
      feed: "on",
      redact_pii: true,
      offer_chars: 4_000,
      plan_chars: 16_000,
      low_resonance: 0.55,
    });
  });

  test.each([
    ["zh_CN.UTF-8", "zh"],
    ["zh-Hant-TW", "zh"],
    ["zh", "zh"],
    ["zhx", "en"],
    ["de_DE", "en"],
    [undefined, "en"],
  ])("the language of locale %s is %s", (locale, lang) => {
    expect(resolveSettings({ locale }).lang).toBe(lang);
    expect(resolveSettings({ locale, file: { language: "zh" } }).lang).toBe("zh");
  });
});

describe("environment names", () => {
  const samples: Partial<Record<ConfigKey, [string, unknown]>> = {
    user_id: ["u-1", "u-1"],
    api_token: ["t-1", "t-1"],
    backend_url: ["https://towow.example/", "https://towow.example"],
    mode: ["developer", "developer"],
    last_scene_id: ["scene_1", "scene_1"],
    last_negotiation_id: ["neg_1", "neg_1"],
    lang: ["zh", "zh"],
    confirmation_policy: ["strict", "strict"],
    on_unconfirmed: ["leave", "leave"],
    confirm_deadline_s: ["120", 120],
    wait_budget_s: ["1.5", 1.5],
    profile: ["read_only", "read_only"],
    toolset: ["readonly", "readonly"],
    allow_tools: ["towow_status,towow_demand", "towow_status,towow_demand"],
    exclude_tools: ["towow_join", "towow_join"],
    feed: ["off", "off"],
    redact_pii: ["no", false],
    offer_chars: ["500", 500],
    plan_chars: ["900", 900],
    low_resonance: ["0.7", 0.7],
    budget_max_negotiations: ["3", 3],
    budget_max_backend_requests: ["500", 500],
    allow_http: ["yes", true],
  };

  test.each(CONFIG_KEYS.filter((key) => !declarationOf(key).fileOnly))("%s is TOWOW_ and its capitals", (key) => {
    const [text, value] = samples[key]!;
    const settings = resolveSettings({ env: { [`TOWOW_${key.toUpperCase()}`]: text } });
    expect([settings[key], settings.sources[key]]).toEqual([value, "environment"]);
  });

  test("the language has its second name; state that is the file's own has none", () => {
    expect(resolveSettings({ env: { TOWOW_LANGUAGE: "zh" } }).lang).toBe("zh");
    expect(environmentNames("identities")).toEqual([]);
    expect(resolveSettings({ env: { TOWOW_IDENTITIES: "{}" } }).identities).toBeUndefined();
  });
});

describe("bad values", () => {
  test("are an error that names the key, the source and what is taken, never the value", () => {
    const error = refusal({ env: { TOWOW_BACKEND_URL: "https://me:secret@towow.example" } });
    expect(error.code).toBe("tool.config.invalid.value");
    expect(error.params).toMatchObject({ key: "backend_url", source: "environment", where: "TOWOW_BACKEND_URL" });
    expect(JSON.stringify(error) + error.message).not.toContain("secret");
  });

  test.each<[ConfigKey, unknown]>([
    ["mode", "expert"],
    ["mode", 3],
    ["confirm_deadline_s", 0],
    ["confirm_deadline_s", "soon"],
    ["wait_budget_s", -1],
    ["wait_budget_s", Number.NaN],
    ["allow_http", "perhaps"],
    ["api_token", "two\r\nlines"],
    ["user_id", "a\u0000b"],
    ["backend_url", "ftp://towow.example"],
    ["backend_url", "towow.example"],
    ["backend_url", "https://towow.example/?a=1"],
    ["backend_url", {}],
  ])("%s = %j", (key, value) => {
    expect(refusal({ file: { [key]: value } }).params).toMatchObject({ key, source: "file", where: "config.json" });
    expect(() => parseConfigValue(key, value)).toThrow(TowowError);
  });

  test("nothing else is ever thrown", () => {
    const anything = fc.dictionary(fc.constantFrom(...CONFIG_KEYS, "other"), fc.anything());
    const env = fc.dictionary(
      fc.constantFrom(...CONFIG_KEYS.flatMap(environmentNames)),
      fc.oneof(fc.string(), fc.webUrl()),
    );
    fc.assert(
      fc.property(anything, env, anything, fc.string(), (flags, env, file, locale) => {
        const input = { flags, env, file, locale };
        expect(explainSettings(input)).toHaveLength(CONFIG_KEYS.length);
        try {
          expect(resolveSettings(input).sources.mode).toBeDefined();
        } catch (error) {
          expect(error).toBeInstanceOf(TowowError);
        }
      }),
    );
  });
});

describe("the backend's URL", () => {
  test.each([
    ["https://towow.example/api/", "https://towow.example/api"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["http://127.0.0.1:80/", "http://127.0.0.1"],
    ["http://127.1:9", "http://127.0.0.1:9"],
    ["http://[::1]:9", "http://[::1]:9"],
    ["HTTPS://Towow.Example", "https://towow.example"],
  ])("%s is %s", (given, normal) => {
    expect(resolveSettings({ flags: { backend_url: given } }).backend_url).toBe(normal);
  });

  test.each([
    "http://towow.example",
    "http://localhost.evil.example",
    "http://127.0.0.1.evil.example",
    "http://10.0.0.1",
  ])("plain %s is refused, unless that is allowed", (backend_url) => {
    expect(refusal({ file: { backend_url } }).code).toBe("tool.config.blocked.http_refused");
    expect(resolveSettings({ file: { backend_url, allow_http: true } }).backend_url).toBe(backend_url);
  });

  test("is missing only when it is needed", () => {
    expect(() => requireBackend(resolveSettings({}))).toThrow(
      expect.objectContaining({ code: "tool.config.invalid.backend_url_missing" }),
    );
    expect(requireBackend(resolveSettings({ file: { backend_url: "https://a.example" } })).backend_url).toMatch(
      /^https/,
    );
  });
});

test("what is shown has every key with its source, and no secret", () => {
  const rows = explainSettings({
    env: { TOWOW_API_TOKEN: "secret-1", TOWOW_MODE: "bad" },
    file: { identities: { "https://a.example": { user_id: "u", api_token: "secret-2", other: "secret-3" } } },
  });
  expect(rows.map((row) => row.key)).toEqual(CONFIG_KEYS);
  expect(JSON.stringify(rows)).not.toMatch(/secret-\d/);
  expect(rows.find((row) => row.key === "api_token")).toMatchObject({ value: "***", source: "environment" });
  expect(rows.find((row) => row.key === "mode")?.problem?.code).toBe("tool.config.invalid.value");
  for (const { description } of rows)
    expect(description.en !== "" && /\p{Script=Han}/u.test(description.zh)).toBe(true);
});
