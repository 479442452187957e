import { InvalidArgumentError } from "commander";
import { Failure } from "../errors.ts";
import type { HelpTexts } from "../text/help.ts";

/** Returns commander's parser of a count, which accepts a whole number of at least `least`. */
export const wholeNumber =
  (least: number, { problem }: HelpTexts) =>
  (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < least)
      throw new InvalidArgumentError(problem.wholeNumber(least));
    return number;
  };

/**
 * Parses a port number, in which 0 means any free port. An error names `listener`, the command that wants the port.
 * @throws `tool.config.unavailable.port` for a text that is no port
 */
export function portOf(port: string, listener: string): number {
  const wanted = Number(port);
  if (port.trim() === "" || Number.isNaN(wanted))
    throw new Failure("tool.config.unavailable.port", { port, listener, reason: "not_a_number" });
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535)
    throw new Failure("tool.config.unavailable.port", { port, listener, reason: "out_of_range" });
  return wanted;
}
