import { budgetOf } from "../../session/ledger.ts";
import { TOOLS } from "../../tools/index.ts";
import { isListed, mayRun } from "../../tools/policy.ts";
import type { Contents, Reading } from "./reading.ts";

/**
 * Reads what an agent may do now, which it should know first (agent layer §7). That is the mode and profile, which
 * tools run and which do not, which of them ask the person first, and what is left of the budget.
 */
export async function readPolicy({ settings, deps }: Reading): Promise<Contents> {
  const { session, account, mode } = deps;
  const current = mode();
  const spent = await session.ledger.snapshot(budgetOf(settings));
  const listed = TOOLS.filter((tool) => isListed(tool, current, settings));
  const policy = {
    mode: current,
    profile: settings.profile,
    toolset: settings.toolset ?? current,
    backend: account().provider,
    confirmation: {
      policy: settings.confirmation_policy,
      on_unconfirmed: settings.on_unconfirmed,
      deadline_s: settings.confirm_deadline_s,
      /**
       * True if text of other agents has been read. A yes must then come from the person themselves, and a model cannot
       * pass it on.
       */
      tainted: await session.taint.isTainted(deps.sessionless !== true),
    },
    tools: {
      active: listed.filter((tool) => mayRun(tool, settings)).map(({ name }) => name),
      inactive: listed.filter((tool) => !mayRun(tool, settings)).map(({ name }) => name),
      asks_first: listed.filter(({ asks }) => asks !== "nothing").map(({ name }) => name),
    },
    limits: {
      wait_budget_s: settings.wait_budget_s,
      offer_chars: settings.offer_chars,
      plan_chars: settings.plan_chars,
      low_resonance: settings.low_resonance,
      negotiations: settings.budget_max_negotiations ?? null,
      backend_requests: settings.budget_max_backend_requests ?? null,
    },
    used: spent ?? null,
    redact_pii: settings.redact_pii,
  };
  return { text: JSON.stringify(policy, null, 1), holdsOthersText: false };
}
