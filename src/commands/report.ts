import { constants } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { extname } from "node:path";
import type { Io } from "../app/io.ts";
import { createRuntime, type Runtime, type RuntimeOptions } from "../app/runtime.ts";
import type { BackendClient } from "../backend/client.ts";
import { type Negotiation, negotiationSchema } from "../backend/contract.ts";
import { UnknownNegotiation } from "../backend/errors.ts";
import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import { errnoOf, isForeign } from "../home/file.ts";
import { hostLabel } from "../home/origin.ts";
import { requireBackend } from "../home/settings.ts";
import { phaseOf } from "../negotiation/backend-states.ts";
import { isKnown } from "../negotiation/records.ts";
import type { Negotiations } from "../negotiation/service.ts";
import { collect, sourcesOf } from "../report/collect.ts";
import type { Dossier } from "../report/dossier.ts";
import { FORMATS, type Format } from "../report/formats.ts";
import { SANITIZE_DEFAULTS, type SanitizeOptions } from "../safety/sanitize/options.ts";
import { localTime } from "../terminal/local-time.ts";
import { textsForPerson } from "../text/index.ts";
import { reportTexts } from "../text/report.ts";
import { heardToItsEnd } from "./heard.ts";
import { notePiped } from "./piped.ts";
import { print, printError } from "./print.ts";
import { inWorkingFolder } from "./working-folder.ts";

export interface ReportArguments extends RuntimeOptions {
  ids: readonly string[];
  /** The format. By default it follows the ending of the file's name, and otherwise it is HTML. */
  format?: Format;
  /** The name of the file, or `-` for stdout. */
  out?: string | undefined;
  open?: boolean;
  /** True if phone numbers, e-mail addresses and identity numbers are shown. */
  contacts?: boolean;
  need: readonly string[];
  lang?: "zh" | "en";
}

/**
 * Limits in characters, which are longer than any text that is written for a person, because a report shows offers and plans
 * whole.
 */
const LIMITS = { offerChars: 20_000, planChars: 64_000, nameChars: 80 };

/**
 * `towow-mcp report [ids…]` makes one file about one or several negotiations, for people, and decides nothing. The exit status
 * is 0 if the report is written, and 1 if there is nothing to report on, no access, or no place to write to.
 */
export async function report({ lang, ids, format, ...given }: ReportArguments): Promise<void> {
  const { io, root } = given;
  const ending = extname(given.out ?? "").slice(1);
  const options = { ...given, format: format ?? FORMATS.find((one) => one === ending) ?? "html" };
  const flags = lang && { flags: { lang } };
  const runtime = await createRuntime({ io, root, ...flags, fallbackBackend: { negotiationId: ids[0] } });
  try {
    runtime.io.exitCode = await reportOn(runtime, ids, options);
  } finally {
    await runtime.close("leave");
  }
}

type Options = Omit<ReportArguments, "ids" | "lang" | "env" | "root" | "format"> & { format: Format };

async function reportOn(runtime: Runtime, named: readonly string[], options: Options): Promise<number> {
  const { deps, live } = runtime;
  const { clock } = deps;
  const refused = live.problem();
  if (refused !== undefined && live.current().backend_url === undefined) throw refused;
  const settings = requireBackend(live.current());
  const texts = reportTexts(settings.lang);
  const { negotiations, ...account } = runtime.account();
  const last = settings.last_negotiation_id;
  const ids = named.length > 0 ? [...new Set(named)] : last === undefined ? [] : [last];
  if (ids.length === 0) {
    void printError(runtime.io, `${texts.command.nothing}\n`);
    return 1;
  }
  const backend = await account.backend();
  const isMasked = options.contacts !== true;
  const sanitizing = { ...SANITIZE_DEFAULTS, limits: LIMITS, redactPii: isMasked };
  const dossiers: Dossier[] = [];
  for (const id of ids) {
    await negotiations.refuseOtherBackend(id);
    dossiers.push(await dossierFor(id, { backend, negotiations, clock, settings }, sanitizing));
  }
  const about = {
    lang: settings.lang,
    host: hostLabel(account.origin, textsForPerson(settings.lang)),
    madeAt: clock.now(),
    timeOf: (atMs: number) => localTime(atMs, { seconds: true }),
    needs: options.need,
    isMasked,
  };
  const text = await render(options.format, dossiers, about);
  await notePiped(runtime);
  return put(text, placeFor(ids, options, runtime.io), options.open === true, runtime);
}

interface Reading {
  backend: BackendClient;
  negotiations: Negotiations;
  clock: Clock;
  settings: { lang: "zh" | "en"; user_id?: string | undefined; low_resonance: number };
}

/** Collects one negotiation for a report. If the backend no longer knows it, the facts of this home are used. */
export async function dossierFor(id: string, reading: Reading, options: SanitizeOptions): Promise<Dossier> {
  const { negotiations, clock, settings } = reading;
  const { negotiation, isGone } = await readOrGone(id, reading);
  const reader = {
    isGone,
    ownId: settings.user_id,
    observedAt: clock.now(),
    texts: textsForPerson(settings.lang),
    lowScore: settings.low_resonance,
    timeOf: (atMs: number) => localTime(atMs, { seconds: true }),
  };
  return (await collect(await sourcesOf(negotiation, negotiations, reader), options)).value;
}

/**
 * Reads a negotiation. If the backend does not know it but this home does, the result is an empty negotiation with `isGone`.
 * @throws the backend's error about a negotiation that this home does not know
 */
async function readOrGone(id: string, reading: Reading): Promise<{ negotiation: Negotiation; isGone: boolean }> {
  try {
    return { negotiation: await read(id, reading), isGone: false };
  } catch (error) {
    const isOurs = error instanceof UnknownNegotiation && isKnown(await reading.negotiations.facts(id));
    if (!isOurs) throw error;
    return { negotiation: negotiationSchema.parse({ negotiation_id: id, state: "not_found" }), isGone: true };
  }
}

/**
 * Reads a negotiation. A running negotiation is not registered here, because this program soon ends and cannot watch over an
 * undecided demand. The live feed adds the plan's tasks to a negotiation that is over.
 */
async function read(id: string, { backend, negotiations, clock }: Reading): Promise<Negotiation> {
  const negotiation = await backend.getNegotiation(id);
  if (phaseOf(negotiation.state) !== "over" || negotiation.plan_output === null) return negotiation;
  return heardToItsEnd(id, negotiations, clock);
}

type About = Parameters<typeof import("../report/page/report.ts")["reportPage"]>[1];

async function render(format: Format, dossiers: readonly Dossier[], about: About): Promise<string> {
  switch (format) {
    case "html":
      return (await import("../report/page/report.ts")).reportPage(dossiers, about);
    case "svg":
      return (await import("../report/page/report.ts")).reportSvg(dossiers, about.lang);
    case "md":
      return (await import("../report/markdown.ts")).reportMarkdown(dossiers, about);
    case "json":
      return (await import("../report/json.ts")).reportJson(dossiers, about);
  }
}

/**
 * Returns the file to write, or undefined for stdout. HTML and SVG are unreadable in a terminal, and `--open` needs a
 * file, so these go to a file in the working folder.
 */
function placeFor(ids: readonly string[], { out, open, format }: Options, io: Io): ReportPlace | undefined {
  if (out !== undefined) return out === "-" ? undefined : { path: inWorkingFolder(io, out), isNamed: true };
  const isFile = open === true || ((format === "html" || format === "svg") && io.stdout.isTTY === true);
  const name = (ids.length === 1 ? (ids[0] ?? "") : `${ids.length}-negotiations`).replaceAll(/[^\w.-]+/g, "_");
  return isFile ? { path: inWorkingFolder(io, `towow-report-${name}.${format}`), isNamed: false } : undefined;
}

async function put(text: string, place: ReportPlace | undefined, isOpened: boolean, runtime: Runtime): Promise<number> {
  const { io } = runtime;
  const { command } = reportTexts(runtime.live.current().lang);
  if (place === undefined) {
    await print(io, text);
    return 0;
  }
  let path: string;
  try {
    path = await writeReport(place, text);
  } catch (error) {
    const reason = errnoOf(error);
    if (reason === undefined) throw error;
    const code = isLink(reason) ? "tool.config.blocked.report_link" : "tool.config.unavailable.report_file";
    throw new Failure(code, { path: place.path, reason }, { cause: error });
  }
  void print(io, `${command.written(path)}\n`);
  if (isOpened && !(await runtime.openFile(path))) void printError(io, `${command.notOpened}\n`);
  return 0;
}

/** The file of a report. `isNamed` is true if the person named it, and false if this program did. */
interface ReportPlace {
  path: string;
  isNamed: boolean;
}

/**
 * Writes a report that only its owner can read, and returns its path. Nothing is written through a link or into another user's
 * file, because in a shared folder another user may have put a file or a link there first. A file that the person named is
 * replaced if they own it. If the name that this program chose is taken, the next free name is used. Throws the system's error,
 * which is `ELOOP` or `EMLINK` for a link.
 */
async function writeReport({ path, isNamed }: ReportPlace, text: string): Promise<string> {
  if (!isNamed) return writeBeside(path, text);
  const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    const stat = await file.stat();
    if (isForeign(stat.uid)) throw Object.assign(new Error("another user's file"), { code: "EPERM" });
    if (stat.isFile()) {
      if (stat.nlink > 1) throw Object.assign(new Error("a file with another name"), { code: "EMLINK" });
      await file.chmod(0o600);
      await file.truncate();
    }
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  return path;
}

/** Returns whether a file was not written because it is a link. */
const isLink = (reason: string): boolean => reason === "ELOOP" || reason === "EMLINK";

async function writeBeside(path: string, text: string): Promise<string> {
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  for (let n = 1; ; n++) {
    const free = n === 1 ? path : `${stem}-${n}${extension}`;
    try {
      await writeFile(free, text, { mode: 0o600, flag: "wx" });
      return free;
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  }
}
