import { delimiter, isAbsolute } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** What Node or OpenSSL reads from the environment by itself: before this program begins, and past its settings. */
export interface NodeVariable {
  readonly name: string;
  readonly value: string;
  /** The first path in it that leads into whatever folder the program was started in. */
  readonly relative: string | undefined;
}

/** Node asks it at each connection, and every connection of this program's says for itself that it checks. */
export const UNCHECKED = "NODE_TLS_REJECT_UNAUTHORIZED";

/** The files and modules that each of them names. They decide whose certificates are believed, and what runs here. */
const PATHS: Readonly<Record<string, (value: string) => string[]>> = {
  NODE_EXTRA_CA_CERTS: (value) => [value],
  NODE_OPTIONS: pathsInOptions,
  OPENSSL_CONF: (value) => [value],
  OPENSSL_MODULES: (value) => [value],
  SSL_CERT_DIR: (value) => value.split(delimiter),
  SSL_CERT_FILE: (value) => [value],
};

/** Those that are set. */
export const nodeVariablesIn = (env: Env): NodeVariable[] =>
  Object.entries(PATHS).flatMap(([name, pathsIn]) => {
    const value = env[name];
    return value ? [{ name, value, relative: pathsIn(value).find((path) => !isFull(path)) }] : [];
  });

/** Whether the environment asks for connections whose certificates nobody checks. */
export const asksUnchecked = (env: Env): boolean => env[UNCHECKED] === "0";

/** The first variable that names a relative path. A program under such a one sends nothing: `backend/connections.ts`. */
export function relativePathIn(env: Env): { variable: string; value: string } | undefined {
  for (const { name, relative } of nodeVariablesIn(env))
    if (relative !== undefined) return { variable: name, value: relative };
  return undefined;
}

const OPTION =
  /^(?:-r|--(?:require|import|loader|experimental-loader|openssl-config|experimental-config-file))(?:=(.*))?$/s;

/** As Node takes the words apart: spaces separate them, outside of double quotes. */
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

/** A module by its name alone is looked for in the working folder's `node_modules`. */
const isFull = (path: string): boolean => isAbsolute(path) || /^(?:file|node|data):/.test(path);
