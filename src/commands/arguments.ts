import { InvalidArgumentError } from "commander";
import type { HelpTexts } from "../text/help.ts";

/** What commander reads a count with: a whole number of at least `least`. */
export const wholeNumber =
  (least: number, { problem }: HelpTexts) =>
  (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < least)
      throw new InvalidArgumentError(problem.wholeNumber(least));
    return number;
  };
