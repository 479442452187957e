import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { toToolError } from "../agent/errors.ts";
import type { ApprovalPages, PageRequest } from "../agent/human.ts";
import type { Clock } from "../clock.ts";
import { TowowError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Negotiations } from "../negotiation/service.ts";
import { formulatedText, phaseOf } from "../negotiation/states.ts";
import { type Texts, textsOf } from "../text/index.ts";
import type { FormulationPage, OpenPage, Verdict } from "./app.ts";
import type { Shown } from "./html.ts";

export interface ApprovalPagesDeps {
  negotiations: Negotiations;
  clock: Clock;
  log: Log;
  /** Fresh unguessable text: the page's address is its key. */
  newId: () => string;
  timeOfDay: (atMs: number) => string;
  /** What becomes of an undecided demand, for the sentence on the page. */
  onUnconfirmed: () => "cancel" | "leave";
}

/** A page is forgotten this long after it was asked for, decided or not. */
const LIFETIME_MS = 24 * 3_600_000;

/**
 * The local approval page (agent layer §3): loopback only, one random address per question. The server starts with the
 * first question and ends with the process; nothing listens before.
 */
export function createApprovalPages(deps: ApprovalPagesDeps): ApprovalPages & { close(): Promise<void> } {
  const pages = new Map<string, OpenPage & { about: string; expiresAt: number }>();
  let listening: Promise<{ server: Server; port: number }> | undefined;
  let port = 0;

  async function listen() {
    const [{ createAdaptorServer }, { createApprovalApp }] = await Promise.all([
      import("@hono/node-server"),
      import("./app.ts"),
    ]);
    const app = createApprovalApp({
      find(token) {
        const page = pages.get(token);
        return page !== undefined && page.expiresAt > deps.clock.now() ? page : undefined;
      },
      hosts: () => [`127.0.0.1:${port}`, `localhost:${port}`],
      newId: deps.newId,
      fallback: textsOf("en"),
    });
    const server = createAdaptorServer({ fetch: app.fetch }) as Server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    server.unref(); // a page nobody answers does not keep the process
    port = (server.address() as AddressInfo).port;
    return { server, port };
  }

  /** The address of the page about something: the one that nobody has opened yet, or a new one. */
  async function addressOf(about: string, lang: "zh" | "en", make: (token: string) => OpenPage): Promise<string> {
    listening ??= listen();
    await listening;
    const standing = [...pages.values()].find(
      (page) => page.about === about && page.browser === undefined && page.texts.lang === lang,
    );
    const token = standing?.token ?? deps.newId() + deps.newId();
    if (standing === undefined) pages.set(token, { ...make(token), about, expiresAt: deps.clock.now() + LIFETIME_MS });
    return `http://127.0.0.1:${port}/approve/${token}`;
  }

  return {
    open: (request) =>
      addressOf(request.negotiationId, request.lang, (token) => ({
        ...formulationPage(request, deps, () => pages.delete(token)),
        token,
      })),
    openSend: (request) =>
      addressOf(request.id, request.lang, (token) => ({
        kind: "send",
        token,
        request,
        texts: textsOf(request.lang),
        isOpen: request.isOpen,
        decide: request.decide,
      })),
    async close() {
      const running = await listening?.catch(() => undefined);
      running?.server.closeAllConnections();
      running?.server.close();
    },
  };
}

/** What one page can see and do: its own negotiation, through the same gate as everything else. */
function formulationPage(
  { negotiationId, host, lang }: PageRequest,
  { negotiations, clock, timeOfDay, onUnconfirmed, log }: ApprovalPagesDeps,
  forget: () => void,
): Omit<FormulationPage, "token"> {
  const texts = textsOf(lang);
  return {
    kind: "formulation",
    texts,
    async question(): Promise<Shown | undefined> {
      const [negotiation, decision] = await Promise.all([
        negotiations.get(negotiationId),
        negotiations.decision(negotiationId),
      ]);
      if (decision !== undefined || phaseOf(negotiation.state) !== "asking") return undefined;
      const record = await negotiations.question(negotiation, formulatedText(negotiation));
      const at = negotiations.decideBy(record);
      const { id: confirmationId } = record.confirmation;
      return { confirmationId, original: formulatedText(negotiation), host, deadline: sentence(at, texts) };
    },
    async decide(kind, confirmationId, text): Promise<Verdict> {
      try {
        const result = await negotiations.gate.decide({
          negotiationId,
          kind,
          by: "page",
          confirmationId,
          editedText: text,
          editSeen: true,
        });
        if (result.kind === "changed") return { kind: "changed" };
        forget();
        return { kind: result.kind === "moved" ? "moved" : kind };
      } catch (error) {
        if (!(error instanceof TowowError)) log.error("approval_page_failed", { error: String(error) });
        return { kind: "failed", message: messageOf(error, texts) };
      }
    },
  };

  function sentence(at: number | undefined, { page, pause }: Texts): string | undefined {
    if (at === undefined) return undefined;
    if (at <= clock.now()) return pause.passed;
    return onUnconfirmed() === "cancel" ? page.decideBy(timeOfDay(at)) : page.autoAt(timeOfDay(at));
  }
}

const messageOf = (error: unknown, texts: Texts): string =>
  toToolError(error, { texts, idempotent: false, callable: () => false }).message;
