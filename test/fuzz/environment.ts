import fc from "fast-check";
import { TowowError } from "../../src/errors.ts";
import { explainSettings } from "../../src/home/explain.ts";
import { CONFIG_KEYS, environmentNames } from "../../src/home/schema.ts";
import { parseConfigValue, resolveAll } from "../../src/home/settings.ts";
import { resolveSettings } from "../support/resolve-settings.ts";
import { anyJson, anyText } from "./material.ts";
import { target } from "./target.ts";

const text = fc.oneof(
  anyText,
  fc.constantFrom("http://[::1]:9/", "http://u:p@h/", "HTTPS://X", "1e3", "0x10", "on", "developer"),
);
const values = (names: readonly string[], value: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });

/** Values of variables, flags and the file: taken, or refused with the key and the place that was meant. */
export const environment = target({
  name: "environment and flags",
  batch: 1_000,
  input: fc.record({
    env: values(CONFIG_KEYS.flatMap(environmentNames), text),
    flags: values(CONFIG_KEYS, text),
    file: values([...CONFIG_KEYS, "language", "__proto__"], anyJson),
    locale: fc.option(text, { nil: undefined }),
  }),
  open: () => ({
    check({ env, flags, file, locale }) {
      const input = { env: env as Record<string, string>, flags, file, locale };
      for (const { problem } of resolveAll(input).values()) expectTold(problem);
      explainSettings(input);
      for (const key of CONFIG_KEYS) attempt(() => parseConfigValue(key, flags[key] ?? env[key]));
      attempt(() => resolveSettings(input));
    },
  }),
});

function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    expectTold(error);
  }
}

function expectTold(problem: TowowError | undefined): void {
  if (problem !== undefined && problem.params.where === undefined) throw new Error(`says not where: ${problem.code}`);
}
