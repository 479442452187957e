import type { Clock } from "../../clock.ts";
import { TowowError } from "../../errors.ts";
import { failureOf, type Log } from "../../log.ts";
import { tellDecision } from "../../negotiation/describe.ts";
import { formulatedOf } from "../../negotiation/display.ts";
import type { Negotiations } from "../../negotiation/service.ts";
import { toToolError } from "../../result/tool-error.ts";
import { type Texts, textsOf } from "../../text/index.ts";
import { deadlineSentence } from "../deadline-sentence.ts";
import type { ApprovalPages, PageRequest } from "../questions.ts";
import { type FormulationPage, type PageOwner, Rendered, type Shown, type Verdict } from "./open-page.ts";
import type { ApprovalSite } from "./site.ts";

export interface ApprovalPagesDeps {
  negotiations: Negotiations;
  site: ApprovalSite;
  owner: PageOwner;
  clock: Clock;
  log: Log;
  timeOfDay: (atMs: number) => string;
}

/** One user's pages (agent layer §3). */
export function createApprovalPages(deps: ApprovalPagesDeps): ApprovalPages {
  const { site, owner } = deps;
  return {
    open: (request) =>
      site.addressesOf(`${owner.id}:${aboutOf(request)}`, request.lang, (forget) =>
        formulationPage(request, deps, forget),
      ),
    openSend: (request) =>
      site.addressesOf(`${owner.id}:${request.id}`, request.lang, () => ({
        kind: "send",
        owner,
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
  { negotiations, owner, clock, timeOfDay, log }: ApprovalPagesDeps,
  forget: () => void,
): FormulationPage {
  const texts = textsOf(lang);
  const say = { decideBy: texts.page.decideBy, autoAt: texts.page.autoAt, passed: texts.pause.passed };
  return {
    kind: "formulation",
    texts,
    owner,
    negotiationId,
    rendered: new Rendered((text) => negotiations.hash(text)),
    async question(): Promise<Shown | undefined> {
      const negotiation = await negotiations.get(negotiationId);
      if ((await negotiations.stage(negotiationId, negotiation)).name !== "asking") return undefined;
      const formulated = formulatedOf(negotiation);
      const { id, decideBy, runsOut } = await negotiations.question(negotiation, formulated.original);
      return {
        confirmationId: id,
        ...formulated,
        candidate,
        host,
        deadline: deadlineSentence(decideBy, { now: clock.now, timeOfDay, runsOut }, say),
      };
    },
    async decide(decision): Promise<Verdict> {
      const { kind } = decision;
      try {
        const result = await negotiations.decide({ negotiationId, ...decision });
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
