import { inputRequired } from "@modelcontextprotocol/server";
import type { Question } from "../ask/questions.ts";

/** A question as it goes to a client: a form, or a page that it opens. */
export function requestOf(question: Question, elicitationId: string | undefined) {
  const { message } = question;
  if (!("url" in question))
    return inputRequired.elicit({ mode: "form", message, requestedSchema: question.schema as never });
  return inputRequired.elicitUrl({ message, url: question.url, ...(elicitationId !== undefined && { elicitationId }) });
}
