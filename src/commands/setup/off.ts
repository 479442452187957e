import type { Plan } from "../../setup/change-plan.ts";
import type { SwitchedOff } from "../../setup/switched-off.ts";
import { type SetupTexts, setupTexts } from "../../text/setup.ts";
import type { Finding } from "../doctor/finding.ts";
import type { SetupRun } from "./run.ts";

/** Returns whether this program is switched off in the client for all projects. */
export const isOff = ({ off }: Pick<Plan, "off">): boolean => off.some(({ projects }) => projects === undefined);

/** Returns a sentence for each place in which this program is switched off in a client, with the fix. */
export function offSentences({ client, off }: Plan, lang: "zh" | "en"): Required<Pick<Finding, "message" | "fix">>[] {
  const texts = setupTexts(lang);
  return off.map((one) => {
    const { path, key, projects } = one;
    const message =
      projects === undefined
        ? texts.off(client.title, key, path)
        : texts.offIn(client.title, projects.join(texts.between), key, path);
    return { message, fix: onText(one, texts) };
  });
}

/** Prints a warning for each place in which this program is switched off in the client. */
export function showOff({ home, printer }: SetupRun, plan: Plan): void {
  for (const { message, fix } of offSentences(plan, home.lang)) {
    printer.text(message, { first: printer.style("yellow", "! ") });
    printer.command([`→ ${fix}`]);
  }
}

function onText({ on, key }: SwitchedOff, { on: texts }: SetupTexts): string {
  if (typeof on === "object") return on.command.startsWith("/") ? texts.typed(on.command) : on.command;
  return { "no key": texts.noKey, "not listed": texts.notListed, listed: texts.listed }[on](key);
}
