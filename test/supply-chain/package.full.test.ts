import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { linksOf, pages } from "../../docs/pages.ts";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { runningMock } from "../support/backend.ts";
import { temporaryHome } from "../support/home.ts";
import { NPM_ENV } from "../support/node-env.ts";
import { sendProfile } from "../support/profile.ts";
import { rawServer } from "../support/raw-server.ts";

const ROOT = new URL("../../", import.meta.url);
const own = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8"));

function npm(...args: string[]) {
  const { stdout, status, stderr } = spawnSync("npm", args, {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, ...NPM_ENV },
  });
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

let packed: { unpackedSize: number; paths: string[] };
beforeAll(() => {
  const [found] = npm("pack", "--dry-run", "--json", "--ignore-scripts") as [
    { unpackedSize: number; files: { path: string }[] },
  ];
  packed = { unpackedSize: found.unpackedSize, paths: found.files.map(({ path }) => path) };
});

it("what is published: the program, its prompts and its docs, and nothing of this machine", () => {
  const { paths } = packed;
  for (const needed of [
    "dist/cli.js",
    "dist/LICENSES.txt",
    "package.json",
    "README.md",
    "LICENSE",
    "prompts/guiding.zh.md",
  ])
    expect(paths).toContain(needed);
  const expected =
    /^(dist\/(?:[\w-]+\.js|handshake\/\w+\.json|question\.html|LICENSES\.txt)|prompts\/[\w./-]+\.(?:md|txt|json)|docs\/[\w./-]+|package\.json|README(\.\w+)?\.md|LICENSE)$/;
  expect(paths.filter((path) => !expected.test(path) || /\.(map|test\.ts|tgz|env|npmrc)$/.test(path))).toEqual([]);
  expect(packed.unpackedSize).toBeLessThan(4_800_000);
  const here = new URL("../../", import.meta.url).pathname;
  for (const path of paths) {
    const text = readFileSync(new URL(path, ROOT), "utf8");
    expect(text.includes(here), path).toBe(false);
    expect(text, path).not.toMatch(/sourceMappingURL|file:\/\/\/(home|root|tmp|Users)\//);
  }
});

/** For those who work on the program, or run it for others; pictures and recordings are too large. */
const IN_THE_REPOSITORY =
  /^(?:CONTRIBUTING\.md|docs\/(?:architecture|benchmarks|cost|deploy|glossary|http|reliability|screens|seeds)\.md|(?:docs\/images|docs\/captures|deploy|examples)\/.+)$/;

it("a page that is published leads to pages that are published as well", () => {
  const links = pages()
    .filter(({ file }) => packed.paths.includes(file))
    .flatMap((page) => linksOf(page).map((href) => ({ from: page.file, path: href.split("#")[0] ?? "" })))
    .filter(({ path }) => path !== "" && !/^[a-z]+:/i.test(path))
    .map(({ from, path }) => ({ from, to: posix.join(posix.dirname(from), path) }));
  expect(links.length).toBeGreaterThan(30);
  const missing = links.filter(({ to }) => !packed.paths.includes(to) && !IN_THE_REPOSITORY.test(to));
  expect(missing).toEqual([]);
});

/** Whose a package is, and everything else that its licence says. */
const OWNER = /^[ \t]*Copyright (?:\(c\)|©|\d).*$/gim;
const wordsOf = (text: string) => text.replaceAll(OWNER, "").replaceAll(/\s+/g, " ").trim();

it("the licences of what is bundled: each package's whole text and whose it is, and no text twice", () => {
  const licences = readFileSync(new URL("dist/LICENSES.txt", ROOT), "utf8");
  const sections = licences.trimEnd().split(`\n\n${"-".repeat(80)}\n\n`);
  const bodies = sections.map((section) => wordsOf(section.slice(section.indexOf("\n\n"))));
  expect(bodies.length).toBe(new Set(bodies).size);
  for (const [index, section] of sections.entries())
    for (const head of section.split("\n\n")[0]!.split(/\n(?! )/)) {
      const [, name, version] = /^(\S+) (\d\S+) \(\S+\)$/m.exec(head)!;
      const folder = new URL(`node_modules/${name}/`, ROOT);
      expect(JSON.parse(readFileSync(new URL("package.json", folder), "utf8")).version).toBe(version);
      const file = readdirSync(folder).find((it) => /^licen[cs]e/i.test(it));
      expect(file, name).toBeDefined();
      const text = readFileSync(new URL(file!, folder), "utf8").replaceAll("\r\n", "\n");
      expect(bodies[index], name).toContain(wordsOf(text));
      for (const [owner] of text.matchAll(OWNER)) expect(head.split("\n  "), name).toContain(owner.trim());
    }
  const sources = readdirSync(new URL("src", ROOT), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(new URL(`src/${name}`, ROOT), "utf8"))
    .join("\n")
    .replaceAll(/^import type [^;]+;/gm, ""); // types leave nothing in the bundle
  for (const name of Object.keys(own.devDependencies))
    if (new RegExp(`(?:from |import\\(|\\)\\()"${name}["/]`).test(sources))
      expect(licences).toMatch(new RegExp(`^${name} \\d`, "m"));
});

it("the bill of materials names every package that went into the bundle, and none of the others", () => {
  const { stdout, status, stderr } = spawnSync(process.execPath, ["build/sbom.mjs"], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, ...NPM_ENV },
  });
  expect(status, stderr).toBe(0);
  const bill = JSON.parse(stdout) as {
    bomFormat: string;
    components: { name: string; version: string; "bom-ref": string }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  expect(bill.bomFormat).toBe("CycloneDX");
  const licences = readFileSync(new URL("dist/LICENSES.txt", ROOT), "utf8");
  const bundled = [...licences.matchAll(/^(\S+) (\d\S+) \(\S+\)$/gm)].map(([, name, version]) => `${name}@${version}`);
  expect(bundled.length).toBeGreaterThan(20);
  const named = bill.components.map(({ name, version }) => `${name}@${version}`);
  expect([...new Set(named)].sort(byCodeUnits)).toEqual([...new Set(bundled)].sort(byCodeUnits));
  const refs = new Set(bill.components.map((component) => component["bom-ref"]));
  for (const { dependsOn } of bill.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
});

it("nothing is installed beside the program", () => {
  expect(own).not.toHaveProperty("dependencies");
  expect(own).not.toHaveProperty("optionalDependencies");
});

it("the program runs where nothing is installed: its bundle asks for Node's own modules alone", async () => {
  const folder = await temporaryHome();
  for (const part of ["package.json", "dist", "prompts"])
    cpSync(fileURLToPath(new URL(part, ROOT)), join(folder, part), { recursive: true });
  for (const file of readdirSync(join(folder, "dist")).filter((name) => name.endsWith(".js"))) {
    const text = readFileSync(join(folder, "dist", file), "utf8");
    for (const [, name = ""] of text.matchAll(/(?:\bfrom|\bimport\(|\bimport)"(@?[a-z][\w./:-]*)"/g))
      expect(isBuiltin(name), `${file}: ${name}`).toBe(true);
  }
  const mock = await runningMock();
  const server = rawServer(
    { TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: mock.url, TOWOW_LOG_LEVEL: "debug" },
    { cwd: folder, command: [process.execPath, join(folder, "dist", "cli.js")] },
  );
  // By way of the network, the file with the settings, the log, and the numbers of telephones.
  const profile_data = { skills: ["a", "b", "c"], bio: "Somebody who builds services. +86 138 0013 8000" };
  const joined = await sendProfile(server.call, "towow_join", {
    scene: mock.sceneId,
    display_name: "Lin",
    profile_data,
  });
  expect(joined.error).toBe(null);
  await server.end();
  expect(server.stderr()).not.toMatch(/Cannot find|is not defined|is not a/);
});
