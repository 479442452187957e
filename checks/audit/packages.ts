// Asks the registry for known vulnerabilities of what goes into the program, and of what builds it.

import { spawnSync } from "node:child_process";
import { type Found, ROOT } from "../harness.ts";

/** None of level high or above; a registry that offers no audit says nothing, which is not well either. */
export default async function packages(): Promise<Found> {
  const args = ["audit", "--audit-level=high"];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: ROOT, encoding: "utf8" });
  process.stdout.write(stdout);
  if (/audit endpoint returned an error|ENOAUDIT|EAUDITNOLOCK/.test(stderr))
    return { ok: false, line: "this registry offers no audit, so nothing is known; run it where one does" };
  process.stderr.write(stderr);
  return { ok: status === 0, line: status === 0 ? "nothing known of level high or above" : "known holes, as above" };
}
