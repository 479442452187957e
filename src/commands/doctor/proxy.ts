import { ProxyInvalid } from "../../backend/errors.ts";
import { isLeftOut, proxyFor, proxyVariable } from "../../backend/proxy.ts";
import { isLoopback, SANDBOX } from "../../home/origin.ts";
import { maskForLog } from "../../log.ts";
import { failureSentence } from "../failure.ts";
import type { DoctorContext, Finding } from "./finding.ts";

export function* checkProxy({ io: { env }, who, lang, texts: { proxy: texts } }: DoctorContext): Generator<Finding> {
  const check = "proxy";
  const url = who.backend_url === null || who.backend_url === SANDBOX ? undefined : new URL(who.backend_url);
  const name = url && proxyVariable(url, env);
  if (url === undefined || name === undefined) return yield { check, level: "ok", message: texts.none };
  if (isLeftOut(url, env)) return yield { check, level: "ok", message: texts.bypassed(url.hostname) };
  try {
    proxyFor(url, env);
  } catch (error) {
    if (!(error instanceof ProxyInvalid)) throw error;
    return yield { check, level: "problem", message: failureSentence(error, lang), fix: `unset ${name}` };
  }
  const proxy = maskForLog(env[name] ?? "");
  if (!isLoopback(url)) return yield { check, level: "ok", message: texts.used(name, proxy) };
  const message = texts.loopback(proxy, url.hostname);
  yield { check, level: "warning", message, fix: `export NO_PROXY=${url.hostname}` };
}
