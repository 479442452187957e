import { diffLines } from "diff";
import { stringify } from "smol-toml";
import { CONFIG_KEYS, declarationOf, environmentNames } from "../home/schema.ts";
import type { Plan } from "./change-plan.ts";
import type { Client } from "./clients.ts";
import { ENTRY } from "./document.ts";

/** Variables whose values may be shown. Every other one may be a secret, and so may a header. */
const HARMLESS = new Set(CONFIG_KEYS.filter((key) => !declarationOf(key).secret).flatMap(environmentNames));
const HOLDERS = ["env", "environment", "headers", "http_headers"];

/** The change as lines that begin with `-`, `+` or a space: the entry alone, since its neighbours may hold secrets. */
export function changeLines({ client, before, after }: Plan): string[] {
  const was = before === undefined ? "" : snippet(client, masked(before));
  const is = after === undefined ? "" : snippet(client, masked(after));
  return diffLines(was, is).flatMap(({ value, added, removed }) =>
    value
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => `${added ? "+" : removed ? "-" : " "} ${line}`),
  );
}

/** What a person would paste into the client's file. */
export const fileText = ({ client, after }: Plan): string =>
  client.format === "toml"
    ? stringify({ [client.key]: { [ENTRY]: after } })
    : `${JSON.stringify({ [client.key]: { [ENTRY]: after } }, null, 2)}\n`;

function snippet({ format, key }: Client, entry: unknown): string {
  if (format === "toml") return stringify({ [key]: { [ENTRY]: entry } });
  return `"${ENTRY}": ${JSON.stringify(entry, null, 2)}\n`;
}

function masked(entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null) return entry;
  const mask = (name: string, value: unknown) => (HARMLESS.has(name) ? value : "***");
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) =>
      HOLDERS.includes(name) && typeof value === "object" && value !== null
        ? [name, Object.fromEntries(Object.entries(value).map(([inner, secret]) => [inner, mask(inner, secret)]))]
        : [name, value],
    ),
  );
}
