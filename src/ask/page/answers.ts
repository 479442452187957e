import { authorOf, type BrowserProof } from "../../negotiation/display.ts";
import type { Texts } from "../../text/index.ts";
import { candidatePage, MAX_TEXT_LENGTH, messagePage, previewPage, questionPage, sendPage } from "./html.ts";
import type { FormulationPage, OpenPage, PageDecision, SendPage, Shown } from "./open-page.ts";

type Html = ReturnType<typeof messagePage>;
type Form = Readonly<Record<string, unknown>>;

export interface Answer {
  html: Html;
  status: 200 | 409 | 410 | 422 | 502;
  /** Nothing is decided here any more. */
  isFinal?: true;
}

const answer = (html: Html, status: Answer["status"] = 200): Answer => ({ html, status });

/** What somebody sees who may decide on this page. */
export async function showPage(page: OpenPage): Promise<Answer> {
  const { texts } = page;
  if (page.kind === "send")
    return (await page.isOpen()) ? answer(sendPage(page.request, texts)) : answer(gone(texts), 410);
  const shown = await page.question();
  if (shown === undefined) return answer(moved(texts), 410);
  return shown.candidate === undefined ? showQuestion(page, shown) : showCandidate(page, shown, shown.candidate);
}

/** What becomes of a form that somebody fills in who may decide; `browser`: why they may. */
export const answerForm = (page: OpenPage, form: Form, browser: BrowserProof): Promise<Answer> =>
  page.kind === "send" ? answerSend(page, form) : answerFormulation(page, form, browser);

const gone = (texts: Texts) => messagePage(texts.page.refused.gone, texts);
const moved = (texts: Texts) => messagePage(texts.page.done.moved, texts);

async function answerSend(page: SendPage, { decision }: Form): Promise<Answer> {
  const { texts } = page;
  if (!(await page.isOpen())) return answer(gone(texts), 410);
  if (decision !== "accept" && decision !== "reject") return answer(sendPage(page.request, texts), 422);
  await page.decide(decision);
  const { sendAccepted, sendRejected } = texts.page;
  return { ...answer(messagePage(decision === "accept" ? sendAccepted : sendRejected, texts)), isFinal: true };
}

interface Again {
  status?: Answer["status"];
  note?: string | undefined;
  /** What stands in the editor. */
  draft?: string | undefined;
}

/** From here on the text can be sent: it has been rendered, all of it. */
async function showQuestion(page: FormulationPage, shown: Shown, { status, note, draft }: Again = {}): Promise<Answer> {
  page.rendered.add(shown.original);
  return answer(await questionPage(shown, page.texts, note, draft), status);
}

async function showCandidate(page: FormulationPage, shown: Shown, candidate: string): Promise<Answer> {
  page.rendered.add(candidate);
  return answer(await candidatePage(shown, candidate, page.texts));
}

async function showPreview(page: FormulationPage, shown: Shown, text: string, status?: Answer["status"]) {
  page.rendered.add(text);
  return answer(await previewPage(shown, text, authorOf(text, shown, "page", shown.candidate), page.texts), status);
}

async function answerFormulation(page: FormulationPage, form: Form, browser: BrowserProof): Promise<Answer> {
  const { texts } = page;
  const say = texts.page;
  const typed = typeof form.text === "string" ? form.text.replaceAll("\r\n", "\n") : "";
  const shown = await page.question();
  if (shown === undefined) return answer(moved(texts), 410);
  // What is decided is what was shown: a form that was filled in for an older text is asked again.
  if (form.confirmation_id !== shown.confirmationId)
    return showQuestion(page, shown, { status: 409, note: say.changed });
  if (typed.length > MAX_TEXT_LENGTH) return showQuestion(page, shown, { status: 422, note: say.tooLong });
  switch (form.decision) {
    case "original":
      return showQuestion(page, shown);
    case "back":
      return showQuestion(page, shown, { draft: typed });
    case "preview":
    case "edit":
      if (typed.trim() === "") return showQuestion(page, shown, { status: 422, note: say.empty });
      if (form.decision === "preview") return showPreview(page, shown, typed);
  }
  const decision = decisionOf(page, shown, form.decision, typed, browser);
  if (decision === "unknown") return showQuestion(page, shown, { status: 422 });
  if (decision === "unseen")
    return typed === "" ? showQuestion(page, shown, { status: 409 }) : showPreview(page, shown, typed, 409);
  const verdict = await page.decide(decision);
  if (verdict.kind === "failed") {
    const note = say.refused.failed(verdict.message);
    return showQuestion(page, shown, { status: 502, note, draft: typed || undefined });
  }
  if (verdict.kind === "over") return { ...answer(messagePage(verdict.message, texts)), isFinal: true };
  if (verdict.kind !== "changed") return { ...answer(messagePage(say.done[verdict.kind], texts)), isFinal: true };
  const now = await page.question();
  return now === undefined ? answer(moved(texts), 410) : showQuestion(page, now, { status: 409, note: say.changed });
}

/** What the person has decided; `unseen`: about a text that this page has not shown them whole. */
function decisionOf(
  { rendered }: FormulationPage,
  shown: Shown,
  decision: unknown,
  typed: string,
  browser: BrowserProof,
): PageDecision | "unknown" | "unseen" {
  const { confirmationId, original, candidate } = shown;
  if (decision === "reject") return { kind: "reject", confirmationId, by: "page" };
  // A browser writes line breaks in its own way: an AI's text goes out as it was shown, and not as it came back.
  const text = new Map<unknown, string | undefined>([
    ["accept", original],
    ["candidate", candidate],
    ["edit", typed],
  ]).get(decision);
  if (text === undefined) return "unknown";
  const rendered_hash = rendered.hashOf(text);
  if (rendered_hash === undefined) return "unseen";
  const rendering = { surface: "page", rendered_hash, browser } as const;
  return decision === "accept"
    ? { kind: "accept", confirmationId, rendering }
    : { kind: "edit", confirmationId, rendering, text, candidate };
}
