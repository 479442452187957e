import fc from "fast-check";

/**
 * One parser under fire. A new one is a file of this folder with an `input` and an `open`, and a line in `targets.ts`;
 * `checks/faults/fuzz.ts` and `fuzz.full.test.ts` do the rest.
 */
export interface FuzzTarget<T> {
  readonly name: string;
  readonly input: fc.Arbitrary<T>;
  /** Inputs that meet the same opened thing; what is opened costs time, what lives on makes finding harder. */
  readonly batch: number;
  open(): Promise<Opened<T>> | Opened<T>;
}

export interface Opened<T> {
  /** Throws for whatever must not happen; must be able to go on after it has thrown. */
  check(input: T): Promise<void> | void;
  close?(): Promise<void> | void;
}

/** Infers the input's type, and forgets it for the list. */
export const target = <T>(it: FuzzTarget<T>): FuzzTarget<unknown> => it as unknown as FuzzTarget<unknown>;

/** Nothing came back. */
export class Hang extends Error {}

/** A single input that takes longer is a hang, on a machine that has other work as well. */
export const HANG_MS = 20_000;
/** The search for a smaller failing input ends after this long. */
const SHRINK_MS = 60_000;

export interface Finding {
  seed: number;
  kind: "crash" | "hang";
  /** The smallest input that fails, as fast-check prints it. */
  input: string;
  error: string;
}

/** Errors that nobody caught, since they belong to no input but the current one. */
export interface Stray {
  take(): unknown;
}

/** One batch of inputs, all of which follow from the seed. Gives the number tried, and the first failure. */
export async function fuzzBatch(
  it: FuzzTarget<unknown>,
  seed: number,
  { inputs = it.batch, stray }: { inputs?: number; stray?: Stray } = {},
): Promise<{ tried: number; finding?: Finding }> {
  const opened = await it.open();
  let tried = 0;
  let failed = false;
  try {
    const property = fc.asyncProperty(it.input, async (input) => {
      if (!failed) tried += 1;
      try {
        await bounded(opened, input);
        const lost = stray?.take();
        if (lost !== undefined) throw lost;
      } catch (error) {
        failed = true;
        throw error;
      }
    });
    // A failing input that is too deep to be printed fails here, after it has failed there.
    const run = await fc.check(property, { seed, numRuns: inputs, interruptAfterTimeLimit: SHRINK_MS });
    if (!run.failed || run.errorInstance === null) return { tried };
    const error = run.errorInstance;
    const finding: Finding = {
      seed,
      kind: error instanceof Hang ? "hang" : "crash",
      input: fc.stringify(run.counterexample?.[0]),
      error: error instanceof Error ? String(error.stack) : String(error),
    };
    return { tried, finding };
  } catch (error) {
    if (!failed) throw error;
    return { tried, finding: { seed, kind: "crash", input: "see the seed", error: String(error) } };
  } finally {
    await opened.close?.();
  }
}

async function bounded(opened: Opened<unknown>, input: unknown): Promise<void> {
  const from = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Hang(`no end after ${HANG_MS} ms`)), HANG_MS);
  });
  try {
    await Promise.race([opened.check(input), late]);
  } finally {
    clearTimeout(timer);
  }
  // Straight-line work does not let a timer through.
  if (performance.now() - from > HANG_MS) throw new Hang(`took ${Math.round(performance.now() - from)} ms`);
}
