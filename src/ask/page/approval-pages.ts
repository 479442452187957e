import type { Clock } from "../../clock.ts";
import { TowowError } from "../../errors.ts";
import { failureOf, type Log } from "../../log.ts";
import { formulatedText } from "../../negotiation/backend-states.ts";
import { tellDecision } from "../../negotiation/describe.ts";
import type { Negotiations } from "../../negotiation/service.ts";
import { toToolError } from "../../result/tool-error.ts";
import { type Texts, textsOf } from "../../text/index.ts";
import { deadlineSentence } from "../deadline-sentence.ts";
import type { ApprovalPages, PageRequest } from "../questions.ts";
import type { FormulationPage, Verdict } from "./app.ts";
import type { Shown } from "./html.ts";
import type { ApprovalSite } from "./site.ts";

export interface ApprovalPagesDeps {
  negotiations: Negotiations;
  site: ApprovalSite;
  /** Told apart from the pages of others on the same site. */
  owner: string;
  clock: Clock;
  log: Log;
  timeOfDay: (atMs: number) => string;
}

/** One user's pages (agent layer §3). */
export function createApprovalPages(deps: ApprovalPagesDeps): ApprovalPages {
  const { site, owner } = deps;
  return {
    open: (request) =>
      site.addressOf(`${owner}:${aboutOf(request)}`, request.lang, (token) => ({
        ...formulationPage(request, deps, () => site.forget(token)),
        token,
      })),
    openSend: (request) =>
      site.addressOf(`${owner}:${request.id}`, request.lang, (token) => ({
        kind: "send",
        token,
        request,
        texts: textsOf(request.lang),
        isOpen: request.isOpen,
        decide: request.decide,
      })),
  };
}

/** One page for the network's text, and one for each that the person's AI would send instead. */
const aboutOf = ({ negotiationId, candidate }: PageRequest) => JSON.stringify([negotiationId, candidate]);

/** What one page can see and do: its own negotiation, through the same gate as everything else. */
function formulationPage(
  { negotiationId, candidate, host, lang }: PageRequest,
  { negotiations, clock, timeOfDay, log }: ApprovalPagesDeps,
  forget: () => void,
): Omit<FormulationPage, "token"> {
  const texts = textsOf(lang);
  const say = { decideBy: texts.page.decideBy, autoAt: texts.page.autoAt, passed: texts.pause.passed };
  return {
    kind: "formulation",
    texts,
    async question(): Promise<Shown | undefined> {
      const negotiation = await negotiations.get(negotiationId);
      if ((await negotiations.stage(negotiationId, negotiation)).name !== "asking") return undefined;
      const original = formulatedText(negotiation);
      const { id: confirmationId, decideBy, runsOut } = await negotiations.question(negotiation, original);
      return {
        confirmationId,
        original,
        candidate,
        host,
        deadline: deadlineSentence(decideBy, { now: clock.now, timeOfDay, runsOut }, say),
      };
    },
    async decide(kind, confirmationId, text): Promise<Verdict> {
      try {
        const result = await negotiations.decide({
          negotiationId,
          kind,
          by: "page",
          confirmationId,
          editedText: text,
          editSeen: true,
        });
        if (result.kind === "changed") return { kind: "changed" };
        forget();
        if (result.kind === "confirmed") return { kind: kind === "edit" ? "edit" : "accept" };
        const stage = await negotiations.stage(negotiationId, result.negotiation);
        const hash = (one: string) => negotiations.hash(one);
        return { kind: "over", message: tellDecision(result.negotiation, stage, texts, hash) };
      } catch (error) {
        if (!(error instanceof TowowError)) log.error("approval_page_failed", { error: failureOf(error) });
        return { kind: "failed", message: messageOf(error, texts) };
      }
    },
  };
}

const messageOf = (error: unknown, texts: Texts): string =>
  toToolError(error, { texts, idempotent: false, callable: () => false }).message;
