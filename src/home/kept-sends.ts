import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Platform } from "../platform.ts";
import { secureFolder } from "./file.ts";
import { createJsonFiles } from "./json-files.ts";

/** How long a call that the person may want to make themselves is kept, in milliseconds. */
const KEPT_MS = 24 * 3_600_000;
const ID = /^[0-9a-f]{8}$/;

const kept = z.object({ at: z.number(), tool: z.string(), args: z.record(z.string(), z.unknown()) });

/** A tool call, as its client made it. */
export type KeptSend = Pick<z.output<typeof kept>, "tool" | "args">;

export const keptSendsFolder = (home: string): string => join(home, "kept");
export const isKeptSend = (name: string): boolean => /^[0-9a-f]{8}\.json$/.test(name);

/**
 * Keeps tool calls that no form of their client could show whole, in files that only their owner can read. The person sends
 * such a call in a terminal by its short id. A call is kept for a day, and older calls are removed whenever a program of this
 * home starts.
 */
export function createKeptSends({ clock, newId }: Platform, home: string) {
  const folder = keptSendsFolder(home);
  const files = createJsonFiles(folder, newId);
  const pathOf = (id: string) => join(folder, `${id}.json`);
  sweep(folder, clock.now());
  return {
    /** Keeps a call. @throws HomeUnwritable */
    async put(id: string, send: KeptSend): Promise<void> {
      secureFolder(folder);
      sweep(folder, clock.now());
      await files.replace(pathOf(id), { at: clock.now(), ...send });
    },
    /** Returns the call, or undefined if none is kept under this id any more. */
    async get(id: string): Promise<KeptSend | undefined> {
      if (!ID.test(id)) return undefined;
      const found = kept.safeParse(await files.read(pathOf(id))).data;
      return found === undefined || clock.now() - found.at > KEPT_MS ? undefined : found;
    },
  };
}

/** Removes old calls. Never throws, because the folder may not exist, and another program may sweep too. */
function sweep(folder: string, now: number): void {
  try {
    for (const name of readdirSync(folder).filter(isKeptSend)) {
      const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
      if (stat !== undefined && now - stat.mtimeMs > KEPT_MS) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // A failed sweep does no harm, because `get` does not return old calls.
  }
}
