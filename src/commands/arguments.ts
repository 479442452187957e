import { InvalidArgumentError } from "commander";

/** What commander reads a count with: a whole number of at least `least`. */
export const wholeNumber =
  (least: number) =>
  (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < least)
      throw new InvalidArgumentError(`It takes a whole number of at least ${least}.`);
    return number;
  };
