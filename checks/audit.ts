// Asks the registry for known vulnerabilities of what goes into the program, and of what builds it: npm run check:audit.
// Ends with 0 when there are none of level high or above, 1 when there are, 2 when the registry offers no audit.

import { spawnSync } from "node:child_process";

const args = ["audit", "--audit-level=high"];
const { status, stdout, stderr } = spawnSync("npm", args, { encoding: "utf8" });
process.stdout.write(stdout);
if (/audit endpoint returned an error|ENOAUDIT|EAUDITNOLOCK/.test(stderr)) {
  process.stderr.write("This registry offers no audit, so nothing is known. Run it where one does.\n");
  process.exit(2);
}
process.stderr.write(stderr);
process.exit(status === 0 ? 0 : 1);
