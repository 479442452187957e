import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { homeOf, localeOf } from "../app/home-folder.ts";
import type { Io } from "../app/io.ts";
import { createSandbox } from "../app/sandbox/sandbox.ts";
import { ProxyInvalid } from "../backend/errors.ts";
import { isLeftOut, proxyFor, proxyVariable } from "../backend/proxy.ts";
import { currentUser } from "../home/current-user.ts";
import { readConfigFile } from "../home/file.ts";
import { isLoopback, SANDBOX } from "../home/origin.ts";
import { resolveAll } from "../home/settings.ts";
import { maskForLog } from "../log.ts";
import { cliTexts } from "../text/cli.ts";
import { doctorTexts } from "../text/doctor.ts";
import { checkBackend } from "./doctor/backend.ts";
import { clientEntries } from "./doctor/client-entries.ts";
import { checkDocuments } from "./doctor/documents.ts";
import type { DoctorContext, Finding } from "./doctor/finding.ts";
import { checkConfig, checkHome, checkHomeLimits, checkSettings } from "./doctor/home.ts";
import { checkLog } from "./doctor/log.ts";
import { checkIdentity, checkPauses } from "./doctor/self.ts";
import { environmentFindings } from "./environment.ts";
import { failureSentence } from "./failure.ts";
import { langOf } from "./home.ts";
import { leaveSuspendedUntil } from "./leave-suspended.ts";
import { logTable } from "./log-table.ts";
import { printJson } from "./print.ts";
import { Printer, terminalOf } from "./printer.ts";

export interface DoctorOptions {
  io: Io;
  root: URL;
  json?: boolean;
}

/** The indentation of lines below a finding. */
const INDENT = "  ";

const PROBLEM = 1;
const UNCHECKED = 2;

/**
 * `towow-mcp doctor` prints each finding as it comes, with its fix. The command only reads, sends only GETs, and sends a token
 * only to the origin to which the token belongs. The exit status is 1 if there is a problem, and 2 if there is none but
 * something could not be checked.
 */
export async function doctor({ io, root, json }: DoctorOptions): Promise<void> {
  const context = await contextOf(io, root);
  const { texts, home, version } = context;
  const printer = new Printer(terminalOf(io.stdout, io.env));
  const findings: Finding[] = [];
  const told = new Set<string>();
  if (!json) printer.text(texts.title, { style: "bold" });
  for await (const finding of examine(context, root)) {
    findings.push(finding);
    if (json) continue;
    tell(finding, printer, told);
    const layout = { width: printer.width - INDENT.length, paint: printer.style };
    for (const line of logTable(finding.failures ?? [], cliTexts(context.lang).logs, layout))
      printer.line(`${INDENT}${line}`);
  }
  const count = (wanted: Finding["level"]) => findings.filter(({ level }) => level === wanted).length;
  const [problems, warnings, unchecked] = [count("problem"), count("warning"), count("unchecked")];
  if (json) void printJson(io, { version, home, problems, warnings, unchecked, findings }, 2);
  else printer.text(texts.done(problems, warnings, unchecked), { style: "bold" });
  io.exitCode = problems > 0 ? PROBLEM : unchecked > 0 ? UNCHECKED : 0;
}

async function* examine(context: DoctorContext, root: URL): AsyncGenerator<Finding> {
  const { texts, version, io, lang, file } = context;
  yield { check: "program", level: "ok", message: texts.program(version) };
  yield { check: "node", level: "ok", message: texts.node(process.versions.node, process.execPath) };
  yield* checkHome(context);
  yield* checkConfig(context);
  yield* checkSettings(context);
  yield* checkHomeLimits(context);
  yield* checkIdentity(context);
  yield* environmentFindings(io.env, lang);
  yield* checkProxy(context);
  yield* checkBackend(context);
  yield* checkDocuments(context);
  yield* checkPauses(context);
  yield* await clientEntries({ io, root, lang, file: file.values });
  yield* checkLog(context);
}

async function contextOf(io: Io, root: URL): Promise<DoctorContext> {
  const { version } = JSON.parse(await readFile(new URL("package.json", root), "utf8")) as { version: string };
  const home = homeOf(io.env);
  const configPath = join(home, "config.json");
  const file = readConfigFile(configPath, { tighten: false });
  const settings = resolveAll({ env: io.env, file: file.values, locale: localeOf(io.env) });
  const lang = langOf(settings);
  const { who, bearer } = currentUser(settings, file.values, home, io.clock.now());
  const sandbox = createSandbox({ home, root, env: io.env });
  const isLeaveSuspended = (await leaveSuspendedUntil(home, io.clock)) !== undefined;
  const texts = doctorTexts(lang);
  return { io, home, configPath, file, settings, who, bearer, isLeaveSuspended, lang, texts, version, sandbox };
}

const SIGNS = {
  ok: ["✓", "green"],
  unchecked: ["?", "cyan"],
  warning: ["!", "yellow"],
  problem: ["✗", "red"],
} as const;

/** Prints a finding. A fix that several findings share is printed only with the first of them. */
function tell({ level, message, fix }: Finding, printer: Printer, told: Set<string>): void {
  const [sign, colour] = SIGNS[level];
  printer.text(message, { first: `${printer.style(colour, sign)} ` });
  if (fix !== undefined && !told.has(fix)) printer.command([`→ ${fix}`]);
  if (fix !== undefined) told.add(fix);
}

function* checkProxy({ io: { env }, who, lang, texts: { proxy: texts } }: DoctorContext): Generator<Finding> {
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
