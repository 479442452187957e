import { isLoopback, SANDBOX } from "../../home/origin.ts";
import { maskForLog } from "../../log.ts";
import type { DoctorContext, Finding } from "./finding.ts";

export function* checkProxy({ env, who, texts: { proxy: texts } }: DoctorContext): Generator<Finding> {
  const check = "proxy";
  const url = who.backend_url === null || who.backend_url === SANDBOX ? undefined : new URL(who.backend_url);
  const name = url && variableOf(url, env);
  if (url === undefined || name === undefined) return yield { check, level: "ok", message: texts.none };
  const proxy = maskForLog(env[name] ?? "");
  if (isLeftOut(url, env.no_proxy || env.NO_PROXY || ""))
    return yield { check, level: "ok", message: texts.bypassed(url.hostname) };
  if (!isLoopback(url)) return yield { check, level: "ok", message: texts.used(name, proxy) };
  const message = texts.loopback(proxy, url.hostname);
  yield { check, level: "warning", message, fix: `export NO_PROXY=${url.hostname}` };
}

/** The variable that names the proxy on the way to this address; undefined where requests go straight. */
export function proxyVariable(url: URL, env: NodeJS.ProcessEnv): string | undefined {
  return isLeftOut(url, env.no_proxy || env.NO_PROXY || "") ? undefined : variableOf(url, env);
}

/** As the HTTP client reads them: a proxy for http is one for https too where that has none of its own. */
function variableOf({ protocol }: URL, env: NodeJS.ProcessEnv): string | undefined {
  const names = ["http_proxy", "HTTP_PROXY"];
  return (protocol === "https:" ? ["https_proxy", "HTTPS_PROXY", ...names] : names).find((name) => env[name]);
}

/** As the HTTP client reads NO_PROXY: a name covers what ends in it, a port only its own. */
function isLeftOut({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const wanted = port || (protocol === "https:" ? "443" : "80");
  return noProxy.split(/[,\s]+/).some((entry) => {
    const [, name = "", only] = /^(.+?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const host = name.replace(/^\*?\./, "");
    if (only !== undefined && only !== wanted) return false;
    return name === "*" || (host !== "" && (hostname === host || hostname.endsWith(`.${host}`)));
  });
}
