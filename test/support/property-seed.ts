import fc from "fast-check";

/**
 * Every property draws from one seed: a change is judged by the same cases twice, and a rare case of an older fault
 * does not refuse somebody else's work. `node checks/faults.ts properties` is where many seeds are drawn.
 */
export const PROPERTY_SEED = Number(process.env.PROPERTY_SEED ?? 1);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: PROPERTY_SEED });
