/** What a step found: whether all is well, what it measured, and what it said on its way. */
interface Taken {
  ok: boolean;
  result?: unknown;
  said?: string;
}

/** A step as the gate tells it. `tail`: the last lines of what a failed one said. */
interface Step extends Omit<Taken, "said"> {
  name: string;
  took_ms: number;
  tail?: string;
}

/** The gate's one JSON (seed 001). */
export interface Gate {
  ok: boolean;
  failed: string[];
  steps: Step[];
}

const TAIL_LINES = 20;
const tailOf = (said: string): string => said.trimEnd().split("\n").slice(-TAIL_LINES).join("\n");

/** The steps of a gate, in the order in which they were taken. Nothing that one throws stops the others. */
export class Steps {
  readonly taken: Step[] = [];

  async take(name: string, step: () => Promise<Taken>): Promise<boolean> {
    const from = performance.now();
    const { ok, result, said } = await step().catch(
      (error: Error): Taken => ({ ok: false, said: String(error.stack) }),
    );
    this.taken.push({
      ...{ name, ok, took_ms: Math.round(performance.now() - from) },
      ...(result !== undefined && { result }),
      ...(!ok && said !== undefined && { tail: tailOf(said) }),
    });
    return ok;
  }

  /** What a step gives that the later ones stand on; undefined where it failed. */
  async value<T>(name: string, make: () => Promise<T>): Promise<T | undefined> {
    let made: T | undefined;
    await this.take(name, async () => {
      made = await make();
      return { ok: true };
    });
    return made;
  }
}

export const gateOf = ({ taken }: Steps): Gate => {
  const failed = taken.filter(({ ok }) => !ok).map(({ name }) => name);
  return { ok: failed.length === 0, failed, steps: taken };
};
