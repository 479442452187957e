import { TowowError } from "../../errors.ts";
import { planOf } from "../../setup/change-plan.ts";
import { CLIENTS } from "../../setup/clients.ts";
import { isInstalled } from "../../setup/programs.ts";
import { createSetupMachine } from "../setup/machine.ts";

/** The names of the clients on this machine whose own files start this program. Reads only. */
export function connectedClients(env: NodeJS.ProcessEnv, root: URL): string[] {
  const machine = createSetupMachine(env, root);
  return CLIENTS.filter((client) => {
    if (client.files.user === undefined || !isInstalled(machine, client)) return false;
    try {
      return planOf(machine, client, { scope: "user", remove: false, flags: [] }).own !== undefined;
    } catch (error) {
      if (error instanceof TowowError) return false; // the doctor says what is wrong with the file
      throw error;
    }
  }).map(({ title }) => title);
}
