/**
 * What a spawned program needs to start. The folder is where Node keeps what it has compiled: each test has a home of its
 * own, and all run the same program.
 */
export const NODE_ENV = {
  PATH: process.env.PATH ?? "",
  NODE_COMPILE_CACHE: new URL("../../node_modules/.cache/node", import.meta.url).pathname,
};
