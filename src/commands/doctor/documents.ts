import { createDocumentFetch } from "../../app/endpoint/client-documents.ts";
import { connectionsIn } from "../../backend/connections.ts";
import type { FetchDocument } from "../../mcp/http/sign-in/clients.ts";
import type { DoctorContext, Finding } from "./finding.ts";

const CLAUDE = new URL("https://claude.ai/oauth/claude-code-client-metadata");

/**
 * Fetches the document that describes Claude as an OAuth client, as the endpoint would. A program whose document cannot be
 * fetched is refused and tries no other way to sign in. The check runs only for the operator of an endpoint, whose environment
 * names an https address at which programs sign in.
 */
export async function* checkDocuments(
  { io: { env, clock }, version, texts: { documents: texts } }: Pick<DoctorContext, "io" | "version" | "texts">,
  fetchDocument: FetchDocument = createDocumentFetch({ version, clock, through: connectionsIn(env) }),
): AsyncGenerator<Finding> {
  const isServed = env.TOWOW_SIGN_IN !== "off" && env.TOWOW_PUBLIC_URL?.startsWith("https:") === true;
  if (!isServed || env.TOWOW_CLIENT_DOCUMENTS === "off") return;
  const check = "documents";
  const isFetched = await fetchDocument(CLAUDE).then(
    () => true,
    () => false,
  );
  if (isFetched) return yield { check, level: "ok", message: texts.fetched(CLAUDE.host) };
  const message = texts.notFetched(CLAUDE.host);
  yield { check, level: "warning", message, fix: "export TOWOW_CLIENT_DOCUMENTS=off" };
}
