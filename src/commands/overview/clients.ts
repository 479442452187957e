import type { Io } from "../../app/io.ts";
import { TowowError } from "../../errors.ts";
import { planOf } from "../../setup/change-plan.ts";
import { CLIENTS } from "../../setup/clients.ts";
import { olderCopies, toThisVersion } from "../../setup/older-copies.ts";
import { isInstalled } from "../../setup/programs.ts";
import { createSetupMachine } from "../setup/machine.ts";
import { isOff } from "../setup/off.ts";

/** The clients on this machine whose own files start this program. */
export interface Connected {
  readonly titles: readonly string[];
  /** Of the titles, those whose client is told not to start it. */
  readonly off: readonly string[];
  /** The command that moves older copies to this version; undefined without one. */
  readonly update: string | undefined;
}

/** Reads only. */
export function connectedClients(io: Io, root: URL): Connected {
  const machine = createSetupMachine(io, root);
  const found = CLIENTS.flatMap((client) => {
    if (client.files.user === undefined || !isInstalled(machine, client)) return [];
    try {
      const plan = planOf(machine, client, { scope: "user", remove: false, flags: [] });
      return plan.own === undefined ? [] : [{ title: client.title, isOff: isOff(plan) }];
    } catch (error) {
      if (error instanceof TowowError) return []; // the doctor says what is wrong with the file
      throw error;
    }
  });
  const older = olderCopies(machine);
  return {
    titles: found.map(({ title }) => title),
    off: found.filter((one) => one.isOff).map(({ title }) => title),
    update: older.length === 0 ? undefined : toThisVersion(older),
  };
}
