import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { secureFolder } from "./file.ts";
import { createJsonFiles } from "./json-files.ts";

/** A call that the person may want to make themselves is kept this long, in ms. */
const KEPT_MS = 24 * 3_600_000;
const ID = /^[0-9a-f]{8}$/;

const kept = z.object({ at: z.number(), tool: z.string(), args: z.record(z.string(), z.unknown()) });

/** Holds a tool call as its client made it. */
export type KeptSend = Pick<z.output<typeof kept>, "tool" | "args">;

export const keptSendsFolder = (home: string): string => join(home, "kept");
export const isKeptSend = (name: string): boolean => /^[0-9a-f]{8}\.json$/.test(name);

/**
 * Keeps calls that no form of their client showed whole, in files for their owner alone. In a terminal the person
 * sends one by its short id. Each is kept for a day, and older ones go whenever a program of this home starts.
 */
export function createKeptSends(home: string, { newId, now }: { newId: () => string; now: () => number }) {
  const folder = keptSendsFolder(home);
  const files = createJsonFiles(folder, newId);
  const pathOf = (id: string) => join(folder, `${id}.json`);
  sweep(folder, now());
  return {
    /** @throws HomeUnwritable */
    async put(id: string, send: KeptSend): Promise<void> {
      secureFolder(folder);
      sweep(folder, now());
      await files.replace(pathOf(id), { at: now(), ...send });
    },
    /** Returns undefined where nothing is kept under that id any more. */
    async get(id: string): Promise<KeptSend | undefined> {
      if (!ID.test(id)) return undefined;
      const found = kept.safeParse(await files.read(pathOf(id))).data;
      return found === undefined || now() - found.at > KEPT_MS ? undefined : found;
    },
  };
}

/** Never throws: there may be no such folder, and another program may sweep too. */
function sweep(folder: string, now: number): void {
  try {
    for (const name of readdirSync(folder).filter(isKeptSend)) {
      const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
      if (stat !== undefined && now - stat.mtimeMs > KEPT_MS) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // This is only housekeeping: what is too old is not given out either.
  }
}
