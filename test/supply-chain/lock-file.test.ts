import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** What a user installs is what was tested here, and runs nothing while it is installed. */

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  dev?: boolean;
  link?: boolean;
  hasInstallScript?: boolean;
}
const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"));
const own = read("package.json");
const packages = Object.entries(read("package-lock.json").packages as Record<string, Locked>).filter(
  ([path]) => path !== "",
);
const names = (wrong: [string, Locked][]) => wrong.map(([path]) => path);

it("every package has an integrity, and no address: whatever registry it comes from, it is this very file", () => {
  expect(packages.length).toBeGreaterThan(100);
  expect(names(packages.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? "")))).toEqual([]);
  expect(names(packages.filter(([, { resolved, link }]) => resolved !== undefined || link))).toEqual([]);
});

it("package.json names exact versions, and they are the locked ones", () => {
  for (const [name, version] of Object.entries(own.devDependencies)) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    expect(packages.find(([path]) => path === `node_modules/${name}`)?.[1].version, name).toBe(version);
  }
});

it("nothing runs at a user's while it is installed", () => {
  expect(names(packages.filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev))).toEqual([]);
  for (const script of ["preinstall", "install", "postinstall", "prepare"])
    expect(own.scripts).not.toHaveProperty(script);
});
