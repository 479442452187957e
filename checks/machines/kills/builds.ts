import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Dice } from "../../../test/faults/sim.ts";

/** The folders of the built packages that the servers of one home run from. */
export interface Versions {
  first: string;
  /** The one that is killed while it takes over. */
  second: string;
  /** One that lives beside all others, and has nothing of its own to do. */
  beside?: string;
}

/** Copies of the built packages, so that a rebuild does not matter. */
export class Builds {
  readonly current: string;
  readonly old: string | undefined;

  /** `root`: the folder of the package; `oldCli`: `dist/cli.js` of an older one, for homes that both share. */
  constructor(root: string, oldCli: string | undefined) {
    this.current = copyOf(root);
    this.old = oldCli === undefined ? undefined : copyOf(dirname(dirname(oldCli)));
  }

  /** The last server, which is judged, is always the current version: an old one does not see what a new one began. */
  draw(seed: number, count: (what: string) => void): Versions {
    const { current, old } = this;
    if (old === undefined) return { first: current, second: current };
    const dice = new Dice(seed ^ 0x5eed); // dice of their own, so that a seed is the same life without them
    const first = dice.chance(0.6) ? old : current;
    const second = dice.chance(0.5) ? old : current;
    const other = first === old ? current : old;
    const isBeside = dice.chance(0.4);
    count(`first ${first === old ? "old" : "new"}${isBeside ? ", the other version beside it" : ""}`);
    return { first, second, ...(isBeside && { beside: other }) };
  }

  remove(): void {
    for (const folder of [this.current, this.old]) if (folder !== undefined) rmSync(folder, { recursive: true });
  }
}

function copyOf(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), "towow-kills-"));
  for (const part of ["dist", "prompts", "package.json"])
    if (existsSync(join(root, part))) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}
