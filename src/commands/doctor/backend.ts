import { proxyOf } from "../../app/environment.ts";
import { isTlsRefusal } from "../../backend/failure.ts";
import { createHttp } from "../../backend/http.ts";
import { systemClock } from "../../clock.ts";
import type { TowowError } from "../../errors.ts";
import { BackendUrlMissing, OfflineOnly } from "../../home/errors.ts";
import { isLoopback } from "../../home/origin.ts";
import { type DoctorContext, type Finding, sentenceOf } from "./finding.ts";
import { type Endpoint, type Head, PROBES, type Presence, probe } from "./probe.ts";
import { RENEW } from "./self.ts";

const SET_URL = "towow-mcp config set backend_url https://…";
/** A clock that is off by less does no harm. */
const SKEW_S = 60;

export async function* checkBackend(context: DoctorContext): AsyncGenerator<Finding> {
  const { settings, texts, version, env, bearer } = context;
  const { value, problem, source, where } = settings.get("backend_url")!;
  if (problem !== undefined) return; // shown among the settings
  const change = source === "environment" ? `export ${where}=https://…` : SET_URL;
  if (typeof value !== "string")
    return yield {
      check: "backend",
      level: "problem",
      message: sentenceOf(new BackendUrlMissing(), context),
      fix: SET_URL,
    };
  const url = new URL(value);
  if (settings.get("profile")?.value === "offline" && !isLoopback(url)) {
    const message = sentenceOf(new OfflineOnly({ host: url.host }), context);
    return yield { check: "backend", level: "problem", message, fix: "towow-mcp config set profile live" };
  }
  const http = createHttp({ version, clock: systemClock, random: Math.random, proxy: proxyOf(env) });
  try {
    const ask = (endpoint: Endpoint) => probe(endpoint, { baseUrl: value, bearer, http });
    const first = await ask("negotiation");
    yield judge(first.presence, first.error, { context, url: value, source, change });
    if (first.error !== undefined || first.presence === "missing") return;
    const rest = PROBES.filter((endpoint) => endpoint !== "negotiation");
    const answers = await Promise.all(rest.map(async (endpoint) => [endpoint, await ask(endpoint)] as const));
    yield* endpoints([["negotiation", first], ...answers], context, change);
    yield clock(first.head, texts.clock);
  } finally {
    await http.close();
  }
}

function judge(
  presence: Presence,
  error: TowowError | undefined,
  about: { context: DoctorContext; url: string; source: keyof DoctorContext["texts"]["source"]; change: string },
): Finding {
  const { context, url, source, change } = about;
  const { texts, who } = context;
  const check = "backend";
  if (error !== undefined)
    return { check, level: "problem", message: sentenceOf(error, context), fix: fixOf(error, change) };
  if (presence === "missing") return { check, level: "problem", message: texts.backend.foreign(url), fix: change };
  if (presence === "present") return { check, level: "ok", message: texts.backend.ok(url, texts.source[source]) };
  const { present, expired, source: from } = who.token;
  // Without one, or with one that is over, a refusal is what must come: the next call asks for a new one.
  if (!present || expired || context.bearer === undefined)
    return { check, level: "ok", message: texts.backend.wantsToken(url) };
  const given = from === "environment";
  return {
    check: "backend.token",
    level: "warning",
    message: given ? texts.backend.rejectedGiven("TOWOW_API_TOKEN") : texts.backend.rejected,
    fix: given ? "unset TOWOW_API_TOKEN" : RENEW,
  };
}

/** What a person changes: the address, or what stands in the way. */
function fixOf({ code, params }: TowowError, change: string): string {
  const here = String(params.origin ?? "");
  const reason = String(params.reason ?? "");
  if (isTlsRefusal(reason)) return "export NODE_EXTRA_CA_CERTS=/path/to/ca.pem";
  if (reason.startsWith("proxy_")) return new URL(here).protocol === "http:" ? "unset HTTP_PROXY" : "unset HTTPS_PROXY";
  if (reason === "ECONNREFUSED" && here !== "" && isLoopback(new URL(here)))
    return `towow-mcp mock --port ${new URL(here).port || 80}`;
  if (code.includes(".timeout.") || code.endsWith(".server_error") || code.endsWith(".rate_limited"))
    return "towow-mcp doctor";
  return change;
}

type Answers = readonly (readonly [Endpoint, { presence: Presence; error: TowowError | undefined }])[];

function* endpoints(answers: Answers, context: DoctorContext, change: string): Generator<Finding> {
  const { backend: texts } = context.texts;
  const names = (wanted: Presence, among?: readonly Endpoint[]) =>
    answers
      .filter(([endpoint, { presence }]) => presence === wanted && (among?.includes(endpoint) ?? true))
      .map(([endpoint]) => texts.names[endpoint])
      .join(texts.names.between);
  const check = "backend.endpoints";
  for (const [, { error }] of answers)
    if (error !== undefined)
      yield { check, level: "problem", message: sentenceOf(error, context), fix: fixOf(error, change) };
  const [has, lacks, pause, unclear] = [
    names("present"),
    names("missing", ["scenes", "agents", "token"]),
    names("missing", ["confirm", "action"]),
    names("unclear"),
  ];
  if (has !== "") yield { check, level: "ok", message: texts.endpoints(has) };
  if (lacks !== "") yield { check, level: "ok", message: texts.missing(lacks) };
  if (pause !== "") yield { check, level: "problem", message: texts.lacksPause(pause), fix: change };
  if (unclear !== "") yield { check, level: "ok", message: texts.unclear(unclear) };
}

function clock(head: Head | undefined, texts: DoctorContext["texts"]["clock"]): Finding {
  const check = "clock";
  const theirs = Date.parse(head?.date ?? "");
  if (head === undefined || Number.isNaN(theirs)) return { check, level: "ok", message: texts.unknown };
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
