import { asksUnchecked, nodeVariablesIn, relativePathIn, UNCHECKED } from "../node-variables.ts";
import { doctorTexts } from "../text/doctor.ts";
import type { Finding } from "./doctor/finding.ts";

/** Returns what the environment changes in Node itself, for `doctor` and `config` to report. */
export function environmentFindings(env: NodeJS.ProcessEnv, lang: "zh" | "en"): Finding[] {
  const texts = doctorTexts(lang).environment;
  const [check, relative] = ["environment", relativePathIn(env)];
  const full = nodeVariablesIn(env).filter((one) => one.relative === undefined);
  const read = full.map(({ name, value }) => `${name}=${value}`).join(texts.between);
  return [
    ...(full.length === 0 ? [] : [{ check, level: "ok" as const, message: texts.read(read) }]),
    ...(asksUnchecked(env)
      ? [{ check, level: "warning" as const, message: texts.unchecked(`${UNCHECKED}=0`), fix: `unset ${UNCHECKED}` }]
      : []),
    ...(env.NODE_DEBUG
      ? [{ check, level: "warning" as const, message: texts.debug("NODE_DEBUG"), fix: "unset NODE_DEBUG" }]
      : []),
    ...(relative === undefined
      ? []
      : [
          {
            check,
            level: "problem" as const,
            message: texts.relative(relative.variable, relative.value),
            fix: `unset ${relative.variable}`,
          },
        ]),
  ];
}
