import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

const STARTS = ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"] as const;

/** In the fast tier nothing starts a process, wherever in the program or in a library it is asked for. */
for (const start of STARTS)
  childProcess[start] = ((program: string) => {
    throw new Error(`${program} would be a process: what starts one is named *.full.test.ts`);
  }) as never;
syncBuiltinESMExports();
