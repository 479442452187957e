import type { Foreign } from "../ask/context.ts";
import { flagOrders, isOwnPause, TEXT_NOT_SHOWN } from "../ask/shown-text.ts";
import { wholeInResult } from "../ask/whole.ts";
import type { Negotiation } from "../backend/contract.ts";
import { hasSeen, type Stage } from "../negotiation/stage.ts";
import { showInvisible } from "../safety/invisible.ts";
import { sanitizeInTurns } from "../safety/sanitize/foreign.ts";
import type { Sanitized } from "../safety/sanitize/options.ts";
import { rememberedSha256 } from "../sha256.ts";
import type { Warning } from "../text/warnings.ts";
import { turn } from "../turn.ts";
import type { ToolContext } from "./define.ts";
import { sanitizing } from "./fields.ts";

/** The session whose model will read the result. */
type ReadingModel = Pick<ToolContext, "settings"> & {
  session: Pick<ToolContext["session"], "taint">;
};

/**
 * Returns a negotiation in the form in which a result holds it. Everything is cleaned and marked as data, except a
 * demand that waits for its own person's decision, which is shown whole (contract §6).
 */
export async function negotiationInResult(
  n: Negotiation,
  stage: Stage,
  ctx: ReadingModel,
): Promise<Sanitized<Negotiation> & Foreign> {
  if (!isOwnPause(stage)) {
    const clean = await sanitizeInTurns(n, sanitizing(ctx), turn);
    return { ...clean, ...foreignIn(n, stage) };
  }
  const { demand_raw, demand_formulated } = n;
  const clean = await sanitizeInTurns(withoutDemand(n), sanitizing(ctx), turn);
  const orders = await flagOrders([demand_raw, demand_formulated], ctx);
  const formulated = demand_formulated === null ? null : wholeInResult(demand_formulated);
  return {
    value: {
      ...clean.value,
      demand_raw: showInvisible(demand_raw),
      demand_formulated: formulated ?? null,
    },
    warnings: [
      ...new Set<Warning>([...orders, ...(formulated === undefined ? [TEXT_NOT_SHOWN] : []), ...clean.warnings]),
    ],
    meta: clean.meta,
    ...(clean.masked !== undefined && { masked: clean.masked }),
    ...foreignIn(n, stage),
  };
}

const withoutDemands = new WeakMap<Negotiation, Negotiation>();

/**
 * Returns a negotiation without its demand, which is shown apart. The same negotiation always gives the same object,
 * so that its cleaned form is found in the cache.
 */
function withoutDemand(n: Negotiation): Negotiation {
  const rest = withoutDemands.get(n) ?? { ...n, demand_raw: "", demand_formulated: null };
  withoutDemands.set(n, rest);
  return rest;
}

/** Returns which fields of a negotiation others wrote, and whether these hold text that may give orders to a model. */
function foreignIn(n: Negotiation, stage: Stage): Foreign {
  const here = {
    "/demand_raw": !isOwnPause(stage),
    "/demand_formulated": !isOwnPause(stage) && n.demand_formulated !== null,
    "/participants": n.participants.length > 0,
    "/plan_output": n.plan_output !== null,
    "/parent_negotiation_id": n.parent_negotiation_id !== null,
    "/sub_session_ids": n.sub_session_ids.length > 0,
  };
  const foreign = Object.entries(here).flatMap(([path, isForeign]) => (isForeign ? [path] : []));
  if (foreign.length === 0) return {};
  return { foreign, ...(!holdsOthersText(n, stage) && { taints: false as const }) };
}

/**
 * Returns whether a negotiation holds text of other agents. Names do not count, because they are cut to a maximum
 * length, nor does the person's own demand if they have seen it.
 */
export const holdsOthersText = (n: Negotiation, stage: Stage): boolean =>
  !stage.isOwn ||
  n.plan_output !== null ||
  !(n.demand_formulated === null || isOwnPause(stage) || hasSeen(stage, rememberedSha256(n.demand_formulated))) ||
  n.participants.some(
    ({ offer_content, offer_capabilities: able }) => offer_content !== null || (able ?? []).length > 0,
  );
