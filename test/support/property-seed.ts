import fc from "fast-check";

/**
 * Every property draws from one seed: a change is judged by the same cases twice, and a rare case of an older fault
 * does not refuse somebody else's work. `node checks/faults.ts properties` is where many seeds are drawn.
 */
export const PROPERTY_SEED = Number(process.env.PROPERTY_SEED ?? 1);
/** A part of what is too long for every run, by the seed: as many seeds in a row as there are parts walk it whole. */
export const share = <T>(all: readonly T[], parts: number): T[] =>
  all.filter((_, index) => index % parts === PROPERTY_SEED % parts);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: PROPERTY_SEED });
