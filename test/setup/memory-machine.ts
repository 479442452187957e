import { applyPlan } from "../../src/setup/apply.ts";
import { type Plan, planOf } from "../../src/setup/change-plan.ts";
import { CLIENTS } from "../../src/setup/clients.ts";
import type { Machine } from "../../src/setup/machine.ts";
import { SetupRecord } from "../../src/setup/record.ts";

export const RECORD = "/home/me/.towow/setup.json";
const COPIES = "/home/me/.towow/app";

/** A machine whose files are a map, with one client's file on it, and setup there by whatever version. */
export function memoryMachine(clientId: string, text: string | undefined) {
  const client = CLIENTS.find(({ id }) => id === clientId)!;
  const files = new Map<string, string>();
  const machineOf = (version: string): Machine => ({
    platform: "linux",
    env: {},
    project: "/work",
    home: "/home/me",
    cwd: "/work",
    node: "/bin/node",
    copies: COPIES,
    version,
    isProgram: () => false,
    isFolder: () => false,
    real: (path) => path,
    read: (path) => files.get(path),
    write: (path, content) => void files.set(path, content),
    replace: (path, _, content) => void (content === null ? files.delete(path) : files.set(path, content)),
    remove: (path) => void files.delete(path),
    removeEmptyFolder: () => {},
    run: () => ({ status: 1, output: "" }),
  });
  const machine = machineOf("0.1.0");
  const file = client.files.user(machine)[0]!;
  if (text !== undefined) files.set(file, text);
  const setup = (remove: boolean, version = "0.1.0"): Plan["kind"] => {
    const on = machineOf(version);
    const plan = planOf(on, client, { scope: "user", remove, flags: [] });
    applyPlan(on, plan, new SetupRecord(on, RECORD));
    return plan.kind;
  };
  return { files, file, client, setup, record: new SetupRecord(machine, RECORD) };
}

/** What a version's entry starts. */
export const launchOfVersion = (version: string) => ({
  command: "/bin/node",
  args: [`${COPIES}/${version}/dist/cli.js`],
});
