import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { anchorsOf, linksOf, pages } from "../../docs/pages.ts";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { ERROR_CODES } from "../../src/result/tool-error.ts";

const ROOT = new URL("../../", import.meta.url);
const PAGES = pages();
const anchors = new Map(PAGES.map((page) => [page.file, anchorsOf(page)]));
/** Outside hosts that the pages may link to; `node checks/audit.ts links` asks them. */
const HOSTS: readonly string[] = [];

const isOutside = (href: string) => /^[a-z]+:/i.test(href);

describe.each(PAGES.map((page) => [page.file, page] as const))("%s", (file, page) => {
  it("links to files and anchors that are there", () => {
    const broken = linksOf(page)
      .filter((href) => !isOutside(href))
      .filter((href) => {
        const [path = "", anchor] = href.split("#");
        const target = path === "" ? file : posix.join(posix.dirname(file), decodeURI(path));
        if (target.startsWith("..") || !existsSync(new URL(target, ROOT))) return true;
        return anchor !== undefined && !anchors.get(target)?.has(decodeURIComponent(anchor));
      });
    expect(broken).toEqual([]);
  });

  it("links outside only to hosts that are known", () => {
    const hosts = linksOf(page)
      .filter(isOutside)
      .map((href) => new URL(href).host);
    expect(hosts.filter((host) => !HOSTS.includes(host))).toEqual([]);
  });
});

it("a link and an anchor that lead nowhere are seen", () => {
  const clients = anchors.get("docs/clients.md");
  expect(clients).toContain("where-you-decide");
  expect(clients).not.toContain("nowhere");
  expect(anchors.get("docs/errors.md")).toContain("toolinputinvalidarguments");
  expect(PAGES.flatMap(linksOf).length).toBeGreaterThan(50);
});

it("the architecture page names every folder of the source, and nothing that is not there", () => {
  const page = readFileSync(new URL("docs/architecture.md", ROOT), "utf8");
  const picture = readFileSync(new URL("docs/images/call-path.svg", ROOT), "utf8");
  const named = [...`${page}${picture}`.matchAll(/\b(?:src|test|docs|bench|mock-backend)\/[\w./-]*\w/g)].map(
    ([path]) => path,
  );
  const begins = /\/(towow_|pause)$/; // `src/tools/towow_<name>.ts`, `src/ask/pause*.ts`
  expect(named.filter((path) => !begins.test(path) && !existsSync(new URL(path, ROOT)))).toEqual([]);
  const folders = readdirSync(new URL("src/", ROOT), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders) expect(page).toContain(`| \`src/${name}\` |`);
});

it("an error code that a page names is one that there is, and troubleshooting is the same in both languages", () => {
  const textOf = (file: string) => readFileSync(new URL(file, ROOT), "utf8");
  const codesIn = (file: string) => textOf(file).match(/\btool(\.[a-z_]+){3}/g) ?? [];
  for (const { file } of PAGES) expect(Object.keys(ERROR_CODES), file).toEqual(expect.arrayContaining(codesIn(file)));
  const [en, zh] = ["docs/troubleshooting.md", "docs/troubleshooting.zh.md"] as const;
  const headings = (file: string) => textOf(file).match(/^#+/gm);
  expect(headings(zh)).toEqual(headings(en));
  expect(codesIn(zh)).toEqual(codesIn(en));
});

it("CONTRIBUTING.md tells every script of package.json, and no other", () => {
  const page = readFileSync(new URL("CONTRIBUTING.md", ROOT), "utf8");
  const told = [...page.matchAll(/^\| `([\w:-]+)` \|/gm)].map(([, name = ""]) => name);
  const { scripts } = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8")) as { scripts: object };
  const within = ["lint", "typecheck", "pretest", "pretest:all", "prepack"]; // told in the rows of check, test and build
  expect(told.sort(byCodeUnits)).toEqual(
    Object.keys(scripts)
      .filter((name) => !within.includes(name))
      .sort(byCodeUnits),
  );
  for (const name of within) expect(page).toContain(`\`${name}\``);
});
