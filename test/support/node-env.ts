import { fileURLToPath } from "node:url";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));

/**
 * What a spawned program needs to start. The folder is where Node keeps what it has compiled: each test has a home of its
 * own, and all run the same program.
 */
export const NODE_ENV = { PATH: process.env.PATH ?? "", NODE_COMPILE_CACHE: `${CACHE}/node` };

/** What npm needs besides, to leave nothing in anybody's home. */
export const NPM_ENV = { npm_config_cache: `${CACHE}/npm`, npm_config_logs_max: "0", ...NODE_ENV };
