import type { Texts } from "../../text/index.ts";
import { messagePage, sendPage } from "./html.ts";
import type { SendPage } from "./open-page.ts";

type Html = ReturnType<typeof messagePage>;
type Form = Readonly<Record<string, unknown>>;

export interface PageAnswer {
  html: Html;
  status: 200 | 410 | 422;
  /** Nothing is decided here any more. */
  isFinal?: true;
}

const answer = (html: Html, status: PageAnswer["status"] = 200): PageAnswer => ({ html, status });
const gone = (texts: Texts) => answer(messagePage(texts.page.refused.gone, texts), 410);

/** The page for the person who decides whether something may be sent. */
export const showSend = async ({ isOpen, request, texts }: SendPage): Promise<PageAnswer> =>
  (await isOpen()) ? answer(sendPage(request, texts)) : gone(texts);

/** What becomes of the form that they fill in. */
export async function answerSend(
  { isOpen, decide, request, texts }: SendPage,
  { decision }: Form,
): Promise<PageAnswer> {
  if (!(await isOpen())) return gone(texts);
  if (decision !== "accept" && decision !== "reject") return answer(sendPage(request, texts), 422);
  await decide(decision);
  const { accepted, rejected } = texts.page[request.kind];
  return { ...answer(messagePage(decision === "accept" ? accepted : rejected, texts)), isFinal: true };
}
