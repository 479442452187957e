// Reads the Markdown pages of this repository as a reader's browser does: links, anchors, and the commands to type.

import { readdirSync, readFileSync } from "node:fs";
import GithubSlugger from "github-slugger";
import { lexer, type Token, walkTokens } from "marked";
import { byCodeUnits } from "../src/by-code-units.ts";

const ROOT = new URL("../", import.meta.url);

export interface Page {
  /** From the repository's folder: `docs/cli.md`. */
  file: string;
  tokens: readonly Token[];
}

/** A command to type, as it stands in a `sh` block, comments taken off. */
export interface CommandLine {
  file: string;
  line: string;
}

const FOLDERS = ["", "docs/", "plugin/"];

/** Every page that people read; the prompts are the program's own. */
export const pages = (): Page[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(new URL(folder, ROOT))
      .filter((name) => name.endsWith(".md"))
      .sort(byCodeUnits)
      .map((name) => {
        const file = `${folder}${name}`;
        return { file, tokens: lexer(readFileSync(new URL(file, ROOT), "utf8")) };
      }),
  );

function found<T>({ tokens }: Page, pick: (token: Token) => T[]): T[] {
  const all: T[] = [];
  walkTokens([...tokens], (token) => void all.push(...pick(token)));
  return all;
}

/** What a page links to and shows: addresses, files, anchors. */
export const linksOf = (page: Page): string[] =>
  found(page, (token) => (token.type === "link" || token.type === "image" ? [String(token.href)] : []));

/** The anchors of a page, as GitHub names them. */
export function anchorsOf(page: Page): Set<string> {
  const slugger = new GithubSlugger();
  const plain = (token: Token): string =>
    "tokens" in token && token.tokens !== undefined
      ? token.tokens.map(plain).join("")
      : "text" in token
        ? token.text
        : token.raw;
  return new Set(found(page, (token) => (token.type === "heading" ? [slugger.slug(plain(token))] : [])));
}

/** The commands of a page. A line that ends in a backslash goes on in the next. */
export const commandLinesOf = (page: Page): CommandLine[] =>
  found(page, (token) =>
    token.type === "code" && /^(sh|bash|console|shell)$/.test(token.lang ?? "")
      ? String(token.text)
          .replaceAll(/\\\n\s*/g, "")
          .split("\n")
          .map((line) => line.replace(/(^|\s)#\s.*$/, "").trim())
          .filter((line) => line !== "")
          .map((line) => ({ file: page.file, line }))
      : [],
  );

/** What a page shows in its sentences as `towow-mcp …`. */
export const mentionsOf = (page: Page): CommandLine[] =>
  found(page, (token) =>
    token.type === "codespan" && /^towow-mcp [a-z]/.test(token.text)
      ? [{ file: page.file, line: String(token.text) }]
      : [],
  );
