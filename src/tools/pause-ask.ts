import { askForm, askPage } from "../agent/human.ts";
import type { Negotiation } from "../backend/contract.ts";
import { HumanSurfaceRequired } from "../negotiation/errors.ts";
import { formulatedText } from "../negotiation/states.ts";
import type { Outcome, ToolContext } from "./define.ts";

type Asked = Extract<Outcome<never>, { ask: unknown }>;

/** The page shows the text whole and has a real editor: for every text that no form can show. */
export async function askOnPage(negotiation: Negotiation, ctx: ToolContext): Promise<Asked> {
  const text = formulatedText(negotiation);
  const record = await ctx.negotiations.question(negotiation, text);
  const url = await pageFor(negotiation, ctx);
  if (url === undefined) throw new HumanSurfaceRequired();
  const decideBy = deadlineSentence(ctx.negotiations.decideBy(record), ctx);
  return {
    ask: {
      about: aboutText(record),
      message: askPage(text, ctx.texts, decideBy),
      url,
    },
  };
}

/** The page about a text, where pages can be opened at all. */
export const pageFor = async (negotiation: Negotiation, ctx: ToolContext): Promise<string | undefined> =>
  ctx.pages?.open({ negotiationId: negotiation.negotiation_id, host: unusualHost(ctx), lang: ctx.texts.lang });

const aboutText = (record: { negotiation_id: string; confirmation: { id: string } }) => ({
  kind: "formulation" as const,
  negotiation_id: record.negotiation_id,
  confirmation_id: record.confirmation.id,
});

/** A question names the backend's host when it is not the file's (contract §3). */
export const unusualHost = (ctx: ToolContext) =>
  ctx.settings.sources.backend_url === "file" ? undefined : hostOf(ctx.settings.backend_url);

/** A form that shows the text, or asks about one that was shown whole before. */
export async function askInForm(negotiation: Negotiation, text: string, ctx: ToolContext): Promise<Asked> {
  const record = await ctx.negotiations.question(negotiation, text);
  const host = unusualHost(ctx);
  const decideBy = deadlineSentence(ctx.negotiations.decideBy(record), ctx);
  return {
    ask: {
      about: aboutText(record),
      ...askForm(text, ctx.texts, {
        ...(decideBy !== undefined && { decideBy }),
        ...(host !== undefined && { host }),
      }),
    },
  };
}

const hostOf = (url: string | undefined) => (url === undefined ? undefined : new URL(url).host);

/** By when the person must decide, and what happens then. */
export function deadlineSentence(at: number | undefined, ctx: ToolContext): string | undefined {
  if (at === undefined) return undefined;
  if (at <= ctx.now()) return ctx.texts.pause.passed;
  const time = ctx.timeOfDay(at);
  return ctx.settings.on_unconfirmed === "cancel" ? ctx.texts.pause.decideBy(time) : ctx.texts.pause.autoAt(time);
}
