import { nanoid } from "nanoid";
import { type Log, silentLog } from "../log.ts";
import type { Platform } from "../platform.ts";
import type { Io } from "./io.ts";

/** Returns what the parts of a program use of its process. A command that keeps no log gives none. */
export const platformOf = ({ clock }: Pick<Io, "clock">, log: Log = silentLog): Platform => ({
  clock,
  log,
  newId: nanoid,
  random: Math.random,
});
