import type { Server } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Settings } from "../home/settings.ts";
import type { Log } from "../log.ts";
import { stripControls } from "../safety/sanitize/text.ts";
import { type PromptTexts, promptTexts } from "../text/prompts.ts";
import { invalidParams, LIST_PARAMS, onlyPage } from "./list-params.ts";

/**
 * The dependencies of prompts. A backend is not among them, because a prompt starts a flow and calls nothing (agent
 * layer §7).
 */
export interface PromptDeps {
  settings: () => Settings;
  /** Reads the text of `prompts/<name>.<lang>.md`. */
  prompt: (name: string, lang: "zh" | "en") => Promise<string>;
  log: Log;
}

/** A prompt. Its body is `prompts/<name>.<lang>.md`, and its title and descriptions are in `src/text/prompts.ts`. */
export interface Prompt {
  name: keyof PromptTexts["descriptions"];
  /**
   * The names of the arguments. All of them are optional, because a client would refuse the bare command if an argument
   * were required, and the person's AI can ask for what is missing.
   */
  arguments: readonly (keyof PromptTexts["arguments"])[];
}

/** Every prompt (agent layer §7). */
export const PROMPTS: readonly Prompt[] = [
  { name: "join_scene", arguments: ["scene", "profile_source"] },
  { name: "submit_demand", arguments: ["intent", "scene"] },
  { name: "review_plan", arguments: ["negotiation_id"] },
  { name: "compare_offers", arguments: ["negotiation_id", "needs"] },
  { name: "onboarding", arguments: [] },
];

/** The longest argument, in UTF-16 units. */
const MAX_ARGUMENT_LENGTH = 4_000;

/** The parameters of `prompts/get`. With the SDK's schema, an argument that is not a string would become an internal error. */
const GET_PARAMS = z.looseObject({
  name: z.string("name is a text"),
  arguments: z.record(z.string(), z.string("every argument is a text").nullable(), "arguments is an object").optional(),
});

/** Serves the list of prompts and each prompt's text, on a server that declares the capability. */
export function servePrompts(server: Server, deps: PromptDeps): void {
  server.setRequestHandler("prompts/list", { params: LIST_PARAMS }, (params) => {
    onlyPage(params);
    const texts = promptTexts(deps.settings().lang);
    return {
      prompts: PROMPTS.map((prompt) => ({
        name: prompt.name,
        title: texts.titles[prompt.name],
        description: texts.descriptions[prompt.name],
        arguments: prompt.arguments.map((name) => ({ name, required: false, description: texts.arguments[name] })),
      })),
    };
  });

  server.setRequestHandler("prompts/get", { params: GET_PARAMS }, async (params) => {
    const { lang } = deps.settings();
    const texts = promptTexts(lang);
    const prompt = PROMPTS.find(({ name }) => name === params.name);
    if (prompt === undefined) throw invalidParams(texts.noSuchPrompt(PROMPTS.map(({ name }) => name).join(", ")));
    const given = argumentsOf(prompt, params.arguments ?? {}, texts);
    deps.log.info("prompt_given", { prompt: prompt.name });
    const text = [(await deps.prompt(prompt.name, lang)).trimEnd(), ...dataOf(prompt, given, texts)].join("\n\n");
    return {
      description: texts.descriptions[prompt.name],
      messages: [{ role: "user" as const, content: { type: "text" as const, text: `${text}\n` } }],
    };
  });
}

/**
 * Returns the arguments that were given, cleaned. An empty argument counts as not given. @throws ProtocolError for an
 * unknown or too long argument
 */
function argumentsOf(
  prompt: Prompt,
  sent: Readonly<Record<string, string | null>>,
  texts: PromptTexts,
): [string, string][] {
  const { name, arguments: taken } = prompt;
  if (Object.keys(sent).some((key) => !taken.some((one) => one === key)))
    throw invalidParams(texts.noSuchArgument(name, taken.join(", ")));
  const given: [string, string][] = [];
  for (const one of taken) {
    const text = Object.hasOwn(sent, one) ? (sent[one] ?? "") : "";
    if (text.length > MAX_ARGUMENT_LENGTH) throw invalidParams(texts.tooLong(one, MAX_ARGUMENT_LENGTH));
    const clean = stripControls(text).trim();
    if (clean !== "") given.push([one, clean]);
  }
  return given;
}

/**
 * Returns the given arguments as the end of the prompt, after all instructions. Each is a JSON string on one line, so
 * that no text can break out of its quotes.
 */
function dataOf({ arguments: taken }: Prompt, given: readonly [string, string][], texts: PromptTexts): string[] {
  if (taken.length === 0) return [];
  if (given.length === 0) return [texts.nothingGiven];
  return [texts.given, given.map(([name, text]) => `- ${name}: ${JSON.stringify(text)}`).join("\n")];
}
