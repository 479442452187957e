import fc from "fast-check";

/**
 * Every property draws from one seed: a change is judged by the same cases twice, and a rare case of an older fault
 * does not refuse somebody else's work. `npm run check:properties` is where many seeds are drawn.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.PROPERTY_SEED ?? 1) });
