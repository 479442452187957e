import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const ROOT = new URL("../../", import.meta.url);
const own = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8"));

function npm(...args: string[]) {
  const { stdout, status, stderr } = spawnSync("npm", args, { cwd: ROOT, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

it("what is published: the program, its prompts and its docs, and nothing of this machine", () => {
  const [packed] = npm("pack", "--dry-run", "--json", "--ignore-scripts") as {
    size: number;
    files: { path: string; mode: number }[];
  }[];
  const paths = packed!.files.map(({ path }) => path);
  for (const needed of ["dist/cli.js", "package.json", "README.md", "LICENSE", "prompts/guiding.zh.md"])
    expect(paths).toContain(needed);
  const expected =
    /^(dist\/[\w-]+\.js|prompts\/[\w./-]+\.(?:md|txt|json)|docs\/[\w./-]+|package\.json|README(\.\w+)?\.md|LICENSE|CHANGELOG\.md)$/;
  expect(paths.filter((path) => !expected.test(path) || /\.(map|test\.ts|tgz|env|npmrc)$/.test(path))).toEqual([]);
  expect(packed!.size).toBeLessThan(1_000_000);
  const here = new URL("../../", import.meta.url).pathname;
  for (const path of paths) {
    const text = readFileSync(new URL(path, ROOT), "utf8");
    expect(text.includes(here), path).toBe(false);
    expect(text, path).not.toMatch(/sourceMappingURL|file:\/\/\/(home|root|tmp|Users)\//);
  }
});

it("the bill of materials names every package that a user gets, apart from those of the development", () => {
  const [name, ...args] = own.scripts.sbom.split(" ");
  expect(name).toBe("npm");
  const bill = npm(...args) as {
    bomFormat: string;
    components: { name: string; version: string; properties: { name: string }[] }[];
  };
  expect(bill.bomFormat).toBe("CycloneDX");
  const isDevelopment = ({ properties }: { properties: { name: string }[] }) =>
    properties.some((property) => property.name === "cdx:npm:package:development");
  const listed = bill.components.filter((it) => !isDevelopment(it)).map((it) => `${it.name}@${it.version}`);
  // By the lock file: with --omit=dev npm leaves out what both kinds of dependencies need.
  const { packages } = JSON.parse(readFileSync(new URL("package-lock.json", ROOT), "utf8")) as {
    packages: Record<string, { version: string; dev?: boolean }>;
  };
  const installed = Object.entries(packages)
    .filter(([path, { dev }]) => path !== "" && !dev)
    .map(([path, { version }]) => `${path.split("node_modules/").at(-1)}@${version}`);
  expect(installed.length).toBeGreaterThan(Object.keys(own.dependencies).length);
  expect(listed.sort()).toEqual([...new Set(installed)].sort());
});
