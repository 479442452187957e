import { readFile } from "node:fs/promises";
import { localeOf } from "../app/home-folder.ts";
import type { Io } from "../app/io.ts";
import { TowowError } from "../errors.ts";
import { resolveAll } from "../home/settings.ts";
import { messageOf } from "../result/tool-error.ts";
import { shellLine } from "../terminal/shell-word.ts";
import { type DemoTexts, demoTexts } from "../text/demo.ts";
import { textsForPerson } from "../text/index.ts";
import { joinSentences } from "../text/join.ts";
import { DECISION_WORDS } from "../text/terminal.ts";
import { attribute } from "../view/authorship.ts";
import { type DemoForm, type DemoSession, entryOf, type FormAnswer, openSession } from "./demo/client.ts";
import { DemoPrinter, type Participant } from "./demo/print.ts";
import { endNow, onEnd } from "./ending.ts";
import { atTerminal, langOf } from "./home.ts";
import { print } from "./print.ts";
import { terminalOf } from "./printer.ts";
import { typedLine } from "./terminal.ts";

export interface DemoArguments {
  io: Io;
  /** The package's folder. */
  root: URL;
  yes?: boolean;
  lang?: "zh" | "en";
}

/** Ends the demo. Its message is a sentence for the person that says why the demo cannot go on. */
class DemoFailed extends Error {}

/** `towow-mcp demo` shows one negotiation from joining to the plan, against the mock, and leaves nothing behind. */
export async function demo({ io, root, yes, lang: flag }: DemoArguments): Promise<void> {
  // The language is found as in every other command, by flag, environment and locale, but the config file is not read.
  const lang = langOf(resolveAll({ env: io.env, locale: localeOf(io.env), flags: { lang: flag } }));
  const texts = demoTexts(lang);
  let session: DemoSession | undefined;
  let isStopping = false;
  onEnd(io, {
    isPatient: true, // The demo has a server and a folder to remove.
    async end() {
      isStopping = true;
      await (await opening.catch(() => undefined))?.close();
    },
  });

  const printer = new DemoPrinter(terminalOf(io.stdout, io.env));
  const asks = !yes && atTerminal(io);
  let intent = "";
  const ask = async (form: DemoForm) => {
    if (form.asks === "decision") {
      printer.step(texts.steps.pause);
      printer.text(texts.shown);
      printer.quote(form.message);
      printer.text(texts.added(addedTo(intent, form.message)));
      if (form.beside !== undefined) printer.text(form.beside, { style: "dim" });
    }
    if (asks) return askAtTerminal(io, form.asks, texts);
    printer.text(texts.byItself, { style: "dim" });
    return { action: "accept" as const, content: { decision: "accept" } };
  };
  const startedAt = Date.now();
  const opening = openSession({ io, root, lang, ask });
  try {
    session = await opening;
    intent = (await promptOf(root, `demand.${lang}.txt`)).trim();
    await run(session, printer, { texts, root, lang, intent });
    await session.close();
    next(printer, texts, root);
    printer.gap();
    printer.text(texts.done(((Date.now() - startedAt) / 1000).toFixed(1)), { style: "dim" });
  } catch (error) {
    await session?.close();
    if (isStopping) return;
    const reason = error instanceof DemoFailed ? error.message : reasonOf(error, lang);
    new DemoPrinter(terminalOf(io.stderr, io.env)).text(texts.failed(reason), { style: "red" });
    io.exitCode = 1;
  }
}

/** Runs the whole conversation as a client would. */
async function run(
  session: DemoSession,
  printer: DemoPrinter,
  { texts, root, lang, intent }: { texts: DemoTexts; root: URL; lang: "zh" | "en"; intent: string },
): Promise<void> {
  const call = async (...args: Parameters<DemoSession["call"]>) => {
    const result = await session.call(...args);
    if (result.error !== null) throw new DemoFailed(result.summary);
    return result;
  };
  printer.text(texts.title, { style: "bold" });
  printer.text(texts.intro(new URL(session.backendUrl).port));

  printer.step(texts.steps.join);
  const resume = await promptOf(root, `resume.${lang}.txt`);
  printer.call("towow_join", `{ scene: "${texts.scene}", raw_content: ${texts.resume([...resume].length)} }`);
  const guided = await call("towow_join", { scene: texts.scene, raw_content: resume });
  printer.text(texts.guided(guided.data.guiding_prompt.trimEnd().split("\n").length));
  const profile = JSON.parse(await promptOf(root, `profile.${lang}.json`)) as Record<string, unknown>;
  printer.text(texts.standIn, { style: "yellow" });
  printer.call("towow_join", `{ scene: "${guided.data.scene_id}", display_name, profile_data }`);
  const shown = await call("towow_join", { ...guided.data.resume_with.params, ...profile });
  printer.quote(shown.summary);
  printer.text(texts.profileShown);
  printer.call("towow_join", `{ scene: "${guided.data.scene_id}", display_name, profile_data, profile_hash }`);
  await call("towow_join", { ...shown.data.resume_with.params, profile_hash: shown.data.profile_hash });
  printer.text(texts.joined);

  printer.step(texts.steps.demand);
  printer.call("towow_demand", `{ intent: "${intent}" }`);
  const submittedAt = Date.now();
  let lastMessage = "";
  const live = (message: string) => {
    if (message === lastMessage) return; // A call begins by repeating the last message of the call before.
    lastMessage = message;
    printer.progress(Date.now() - submittedAt, message);
  };
  const demanded = await call("towow_demand", { intent }, live);
  if (demanded.data.decision === "reject") return printer.text(texts.rejected, { style: "yellow" });
  if (demanded.data.decision === null) throw new DemoFailed(demanded.summary);

  printer.step(texts.steps.network);
  printer.call("towow_status", '{ wait: "done" }');
  const { data, summary } = await call("towow_status", { wait: "done" }, live);
  if (!data.plan_output) throw new DemoFailed(joinSentences([texts.noPlan, summary]));
  printer.step(texts.steps.offers);
  for (const participant of data.participants as Participant[])
    printer.offer(participant, texts.resonance, texts.noOffer);
  printer.step(texts.steps.plan);
  printer.plan(data.plan_output);
}

const promptOf = (root: URL, name: string) => readFile(new URL(`prompts/demo/${name}`, root), "utf8");

/** Returns what the network added to the text. */
const addedTo = (intent: string, formulated: string): string =>
  (attribute(intent, formulated) ?? [])
    .filter(({ by }) => by === "network")
    .map(({ text }) => text.trim())
    .join(" … ");

/**
 * Shows how to use the program for real. The command names the program if it is installed, and otherwise its path and the Node
 * that runs here.
 */
function next(printer: DemoPrinter, texts: DemoTexts, root: URL): void {
  const path = entryOf(root);
  const program = path.includes("node_modules") ? "towow-mcp" : shellLine([process.execPath, path]);
  printer.step(texts.steps.next);
  printer.text(texts.setUp);
  printer.command([`${program} setup claude-code`]);
  printer.text(texts.say);
}

function reasonOf(error: unknown, lang: "zh" | "en"): string {
  if (error instanceof TowowError) return messageOf(error, textsForPerson(lang));
  return error instanceof Error ? error.message : String(error);
}

/**
 * Asks the person at the terminal to accept, edit or reject, or for their own text if `asks` says so. Leaving ends the demo.
 */
async function askAtTerminal(io: Io, asks: DemoForm["asks"], texts: DemoTexts): Promise<FormAnswer> {
  const say = (text: string) => void print(io, `${text}\n`);
  for (;;) {
    const line = await typedLine(io, () => (asks === "text" ? texts.edit : texts.question));
    if (line === undefined) {
      void endNow(io, "person_left", { status: 130, isPatient: true });
      return { action: "cancel" };
    }
    const decision = DECISION_WORDS.get(line.toLowerCase());
    if (asks === "text" && line !== "") return { action: "accept", content: { confirmed_text: line } };
    if (asks === "decision" && decision !== undefined) return { action: "accept", content: { decision } };
    say(asks === "text" ? texts.empty : texts.again);
  }
}
