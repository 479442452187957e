import { Help, type HelpConfiguration } from "commander";
import { paintWith } from "../../terminal/paint.ts";
import { indentOf, paragraph } from "../../terminal/paragraph.ts";
import { wrap } from "../../terminal/wrap.ts";
import type { HelpTexts } from "../../text/help.ts";
import { stringWidth } from "../../text-width.ts";

const INDENT = "  ";
const COMMENT = "  # ";
const BELOW_INDENT = "      ";
/** A description with less room than this is put below its term. */
const NARROWEST = 24;

const FIRST_WIDE_COLON = /^([^：\n]*：\S*) /;

const plain = paintWith(false);
/** Returns bold text. Commander removes the style if the output has no colours. */
const bold = (text: string): string => paintWith(true)("bold", text);

/**
 * Returns the layout of help. Both scripts are wrapped between words, and a narrow terminal gets two lines for an item.
 */
export function helpFormat(texts: HelpTexts): HelpConfiguration {
  const { titles } = texts;
  const given: Readonly<Record<string, string>> = {
    "Usage:": titles.usage,
    "Arguments:": titles.arguments,
    "Options:": titles.options,
    "Commands:": titles.commands,
  };
  return {
    commandUsage(command) {
      const usage = new Help().commandUsage(command);
      const words = usage.replace("[options]", `[${titles.option}]`).replace("[command]", `[${titles.command}]`);
      const hang = stringWidth(`${titles.usage} `);
      return wrap(words, (this.helpWidth ?? 80) - hang).join(`\n${" ".repeat(hang)}`);
    },
    formatHelp(command, helper) {
      // Chinese punctuation includes its own space.
      return Help.prototype.formatHelp.call(this, command, helper).replace(FIRST_WIDE_COLON, "$1");
    },
    subcommandTerm: (command) => command.name(),
    styleTitle: (title) => bold(given[title] ?? title),
    displayWidth: (text) => stringWidth(text),
    boxWrap: (text, width) => paragraph(text, { width, paint: plain }).join("\n"),
    optionDescription: (option) => withValues(option.description, option, texts),
    argumentDescription: (argument) => withValues(argument.description, argument, texts),
    formatItem(term, termWidth, description) {
      const width = this.helpWidth ?? 80;
      const column = INDENT.length + termWidth + INDENT.length;
      if (description === "") return INDENT + term;
      if (width - column < NARROWEST)
        return [INDENT + term, ...paragraph(description, { width, paint: plain, first: BELOW_INDENT })].join("\n");
      const first = `${INDENT}${term}${" ".repeat(column - INDENT.length - stringWidth(term))}`;
      return paragraph(description, { width, paint: plain, first }).join("\n");
    },
  };
}

/** The parts of an option or an argument that describe its values. */
interface Valued {
  argChoices?: string[] | undefined;
  defaultValue?: unknown;
  envVar?: string | undefined;
}

/** Adds to a description the allowed values, the default, and the variable that gives it. */
function withValues(
  description: string,
  { argChoices, defaultValue, envVar }: Valued,
  { choices, preset, environment, note }: HelpTexts,
): string {
  const more = [
    ...(argChoices ? [choices(argChoices.join(", "))] : []),
    ...(typeof defaultValue === "boolean" || String(defaultValue ?? "") === "" ? [] : [preset(String(defaultValue))]),
    ...(envVar === undefined ? [] : [environment(envVar)]),
  ];
  return more.length === 0 ? description : description + note(more);
}

/** Lays out lines to type, each below its purpose. The lines are never wrapped, so that they can be copied. */
export function examplesText(examples: readonly (readonly string[])[], { titles }: HelpTexts, width: number): string {
  const comment = (meaning: string) => wrap(meaning, width - COMMENT.length).map((line) => COMMENT + line);
  const lines = examples.flatMap(([line = "", meaning = ""]) => [
    ...comment(meaning),
    indentOf(line, INDENT, width) + line,
  ]);
  return ["", bold(titles.examples), ...lines].join("\n");
}
