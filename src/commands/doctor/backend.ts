import { platformOf } from "../../app/platform.ts";
import { sandboxData } from "../../app/sandbox/running-file.ts";
import { connectionsIn } from "../../backend/connections.ts";
import { Forbidden, ProxyInvalid, RelativePath, Unreachable } from "../../backend/errors.ts";
import { isUnknownAuthority } from "../../backend/failure.ts";
import { createHttp } from "../../backend/http.ts";
import { isLeftOut, proxyVariable } from "../../backend/proxy.ts";
import { Failure, type TowowError } from "../../errors.ts";
import { BackendUrlMissing } from "../../home/errors.ts";
import { hostOf, isHere, isLoopback, SANDBOX } from "../../home/origin.ts";
import { shellWord } from "../../terminal/shell-word.ts";
import { networkTexts } from "../../text/network.ts";
import { failureSentence } from "../failure.ts";
import { sandboxDataOf } from "../sandbox/data.ts";
import { checkToken } from "./backend-token.ts";
import type { DoctorContext, Finding } from "./finding.ts";
import { type Endpoint, type Head, PROBES, type Presence, type Probed, probe } from "./probe.ts";

const SET_URL = "towow-mcp network";
const AGAIN = "towow-mcp doctor";
const TOO_MANY_REQUESTS = 429;
/** The largest clock error, in seconds, that does no harm. */
const SKEW_S = 60;

export async function* checkBackend(context: DoctorContext): AsyncGenerator<Finding> {
  const { settings, texts, version, io, bearer } = context;
  const { value, problem, source, where } = settings.get("backend_url")!;
  if (problem !== undefined) return; // The problem is shown among the settings.
  const change = source === "environment" ? `export ${where}=https://…` : SET_URL;
  if (typeof value !== "string")
    return yield {
      check: "backend",
      level: "problem",
      message: failureSentence(new BackendUrlMissing(), context.lang),
      fix: SET_URL,
    };
  if (settings.get("profile")?.value === "offline" && !isHere(value)) {
    const message = failureSentence(new Failure("tool.policy.blocked.offline", { host: hostOf(value) }), context.lang);
    return yield { check: "backend", level: "problem", message, fix: "towow-mcp config set profile live" };
  }
  const isSandbox = value === SANDBOX;
  const running = isSandbox ? await context.sandbox.running() : undefined;
  if (isSandbox) yield* checkData(context);
  if (isSandbox && running === undefined) return yield { check: "backend", level: "ok", message: texts.backend.asleep };
  const baseUrl = running?.url ?? value;
  const through = isSandbox ? {} : connectionsIn(io.env);
  const http = createHttp(platformOf(io), { version, ...through });
  try {
    const ask = (endpoint: Endpoint) => probe(endpoint, { baseUrl, bearer, http, now: io.clock.now });
    const first = await ask("negotiation");
    // The proxy check has shown this already.
    if (first.error instanceof ProxyInvalid || first.error instanceof RelativePath) return;
    const isFirst = awaitsFirstCall(first, context, isSandbox);
    if (isFirst) yield { check: "backend", level: "ok", message: firstCallText(value, context) };
    else yield reached(first, { context, url: value, source, change });
    if (first.presence === undefined || first.presence === "missing") return;
    if (!isFirst)
      yield* checkToken(first, context, () =>
        probe("negotiation", { baseUrl, bearer: undefined, http, now: io.clock.now }),
      );
    const rest = PROBES.filter((endpoint) => endpoint !== "negotiation");
    const answers = await Promise.all(rest.map(async (endpoint) => [endpoint, await ask(endpoint)] as const));
    // An endpoint that needs a token cannot be checked as long as there is no token.
    const shown = isFirst ? answers.filter(([, { presence }]) => presence !== "unclear") : answers;
    yield* endpoints(isFirst ? shown : [["negotiation", first], ...shown], { context, url: value, change });
    yield clock(first.head, texts.clock);
  } finally {
    await http.close();
  }
}

/**
 * Returns whether nothing is wrong except that no call has been made yet. Without a token a Towow backend answers "Not
 * authenticated", and the first call gets a token.
 */
const awaitsFirstCall = ({ presence, error }: Probed, { who }: DoctorContext, isSandbox: boolean): boolean =>
  presence === "unclear" && !who.token.present && (isSandbox || error?.detail === "Not authenticated");

/** Returns the sentence that `setup` uses if the first call will get the token. */
const firstCallText = (url: string, { lang }: DoctorContext): string =>
  networkTexts(lang).check.wantsToken(networkTexts(lang).name(hostOf(url)));

/** Reports data that keep the sandbox from starting, or that it would set aside at its start. */
function* checkData({ home, lang }: DoctorContext): Generator<Finding> {
  const path = sandboxData(home);
  const found = sandboxDataOf(home);
  const texts = networkTexts(lang).sandbox;
  if (found.state === "broken") yield { check: "sandbox", level: "warning", message: texts.broken(path) };
  if (found.state !== "unreadable") return;
  const fix = `mv ${shellWord(path)} ${shellWord(`${path}.old`)}`;
  yield { check: "sandbox", level: "problem", message: texts.unreadable(path, found.reason), fix };
}

interface About {
  context: DoctorContext;
  /** The backend's URL. */
  url: string;
  /** The command with which a person changes the address. */
  change: string;
}

/** Reports whether a Towow backend answers at the URL, as far as one answer shows that. */
function reached(
  { presence, error, head }: Probed,
  about: About & { source: keyof DoctorContext["texts"]["source"] },
): Finding {
  const { url, source, change } = about;
  const { texts } = about.context;
  const check = "backend";
  if (presence === "missing") return { check, level: "problem", message: texts.backend.foreign(url), fix: change };
  if (presence === "present") return { check, level: "ok", message: texts.backend.ok(url, texts.source[source]) };
  if (presence === "unclear") return { check, level: "unchecked", message: texts.backend.wantsToken(url) };
  return { check, level: "problem", ...failure(error!, head, about) };
}

/** Describes a failure. The description of a backend that answered names its status and never calls it unreachable. */
function failure(
  error: TowowError,
  head: Head | undefined,
  { context, url, change }: About,
): Pick<Finding, "message" | "fix"> {
  const { backend: texts } = context.texts;
  const status = head?.status ?? 0;
  if (error instanceof Forbidden)
    return context.bearer === undefined
      ? { message: texts.refuses(url, status), fix: change }
      : { message: texts.forbidden(url), fix: change };
  if (status >= 500) return { message: texts.fails(url, status), fix: AGAIN };
  if (status === TOO_MANY_REQUESTS) return { message: texts.busy(url, status), fix: AGAIN };
  if (status >= 400) return { message: texts.refuses(url, status), fix: change };
  return {
    message: failureSentence(error, context.lang),
    fix: fixOf(error, change, url === SANDBOX ? {} : context.io.env),
  };
}

/** Returns the command that fixes the failure by changing the backend's address, or what keeps requests from reaching it. */
function fixOf(error: TowowError, change: string, env: NodeJS.ProcessEnv): string {
  const { code, params } = error;
  const here = String(params.origin ?? "");
  const reason = String(params.reason ?? "");
  if (isUnknownAuthority(reason)) return "export NODE_EXTRA_CA_CERTS=/path/to/ca.pem";
  // With a proxy, the failed connection was the connection to the proxy.
  const proxy = error instanceof Unreachable ? proxyVariable(new URL(here), env) : undefined;
  if (proxy !== undefined && !isLeftOut(new URL(here), env)) return `unset ${proxy}`;
  if (reason === "ECONNREFUSED" && here !== "" && isLoopback(new URL(here)))
    return `towow-mcp mock --port ${new URL(here).port || 80}`;
  return code.includes(".timeout.") ? AGAIN : change;
}

type Answers = readonly (readonly [Endpoint, Probed])[];

function* endpoints(answers: Answers, about: About): Generator<Finding> {
  const { backend: texts } = about.context.texts;
  const names = (wanted: Presence, among?: readonly Endpoint[]) =>
    answers
      .filter(([endpoint, { presence }]) => presence === wanted && (among?.includes(endpoint) ?? true))
      .map(([endpoint]) => texts.names[endpoint])
      .join(texts.names.between);
  const check = "backend.endpoints";
  for (const [, { presence, error, head }] of answers)
    if (presence === undefined) yield { check, level: "problem", ...failure(error!, head, about) };
  const [has, lacks, pause, unclear] = [
    names("present"),
    names("missing", ["scenes", "agents", "token"]),
    names("missing", ["confirm", "action"]),
    names("unclear"),
  ];
  if (has !== "") yield { check, level: "ok", message: texts.endpoints(has) };
  if (lacks !== "") yield { check, level: "ok", message: texts.missing(lacks) };
  if (pause !== "") yield { check, level: "problem", message: texts.lacksPause(pause), fix: about.change };
  if (unclear !== "") yield { check, level: "unchecked", message: texts.unclear(unclear) };
}

function clock(head: Head | undefined, texts: DoctorContext["texts"]["clock"]): Finding {
  const check = "clock";
  const theirs = Date.parse(head?.date ?? "");
  if (head === undefined || Number.isNaN(theirs)) return { check, level: "unchecked", message: texts.unknown };
  const seconds = Math.round((theirs - head.at) / 1000);
  if (Math.abs(seconds) <= SKEW_S) return { check, level: "ok", message: texts.ok };
  return {
    check,
    level: "warning",
    message: texts.skewed(seconds),
    fix: SET_CLOCK[process.platform] ?? "timedatectl set-ntp true",
  };
}

const SET_CLOCK: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "sudo sntp -sS time.apple.com",
  win32: "w32tm /resync",
  linux: "sudo timedatectl set-ntp true",
};
