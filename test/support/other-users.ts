import { spawnSync } from "node:child_process";
import { CLI } from "./cli.ts";

/** A user of the machine who owns nothing in it, as whom a program can be started. */
export const NOBODY = 65_534;
/** Another one, who has put files there. */
export const SOMEBODY = 12_345;

export const asNobody = { uid: NOBODY, gid: NOBODY, cwd: "/", encoding: "utf8" } as const;

/** Only root can give files to others and start a program as another user; and that user must be able to read it. */
export const canSwitchUser =
  process.getuid?.() === 0 && spawnSync(process.execPath, [CLI, "--version"], { ...asNobody, env: {} }).status === 0;
