import { delimiter, isAbsolute } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * A variable that Node or OpenSSL reads from the environment by itself, before this program begins and regardless of
 * its settings.
 */
export interface NodeVariable {
  readonly name: string;
  readonly value: string;
  /** The first path in the value that is relative, and so depends on the folder in which the program was started. */
  readonly relative: string | undefined;
}

/** Node reads this variable at each connection, so every connection of this program asks for the check explicitly. */
export const UNCHECKED = "NODE_TLS_REJECT_UNAUTHORIZED";

/**
 * The variables that decide which certificates are trusted, and which code runs in this process, each with a function that
 * finds the files and modules in its value.
 */
const PATHS: Readonly<Record<string, (value: string) => string[]>> = {
  NODE_EXTRA_CA_CERTS: (value) => [value],
  NODE_OPTIONS: pathsInOptions,
  OPENSSL_CONF: (value) => [value],
  OPENSSL_MODULES: (value) => [value],
  SSL_CERT_DIR: (value) => value.split(delimiter),
  SSL_CERT_FILE: (value) => [value],
};

/** Returns the variables that are set. */
export const nodeVariablesIn = (env: Env): NodeVariable[] =>
  Object.entries(PATHS).flatMap(([name, pathsIn]) => {
    const value = env[name];
    return value ? [{ name, value, relative: pathsIn(value).find((path) => !isFull(path)) }] : [];
  });

/** Returns whether the environment asks for connections without certificate checks. */
export const asksUnchecked = (env: Env): boolean => env[UNCHECKED] === "0";

/**
 * Returns the first variable that names a relative path. A program with such a variable sends nothing
 * (`backend/connections.ts`).
 */
export function relativePathIn(env: Env): { variable: string; value: string } | undefined {
  for (const { name, relative } of nodeVariablesIn(env))
    if (relative !== undefined) return { variable: name, value: relative };
  return undefined;
}

const OPTION =
  /^(?:-r|--(?:require|import|loader|experimental-loader|openssl-config|experimental-config-file))(?:=(.*))?$/s;

/** Returns the paths in NODE_OPTIONS. Like Node, splits the words at spaces outside of double quotes. */
function pathsInOptions(value: string): string[] {
  const words = [...value.matchAll(/(?:[^\s"]|"(?:\\.|[^"\\])*"?)+/gs)].map(([word]) =>
    word.replaceAll(/\\(.)|"/gs, (_, escaped = "") => escaped),
  );
  return words.flatMap((word, at) => {
    const found = OPTION.exec(word.replace(/^--[\w-]+/, (name) => name.replaceAll("_", "-")));
    const path = found && (found[1] ?? words[at + 1]);
    return path ? [path] : [];
  });
}

/**
 * Returns whether a path is full. A module that is given only by name is not full, because it is looked for in the working
 * folder's `node_modules`.
 */
const isFull = (path: string): boolean => isAbsolute(path) || /^(?:file|node|data):/.test(path);
