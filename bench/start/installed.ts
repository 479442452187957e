import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Packages as npm puts them into an empty folder. */
export interface Installed {
  /** The file that a package's only program is. */
  program(name: string): string;
  bytes: number;
  packages: number;
  remove(): void;
}

/** What a user gets: this tree, packed and installed. */
export function installOwn(): Installed {
  const folder = mkdtempSync(join(tmpdir(), "towow-packed-"));
  const out = execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], {
    cwd: ROOT,
  });
  return install([join(folder, out.toString().trim())], folder);
}

/** Installs packages by what npm calls them, into `folder` or one of its own. */
export function install(names: readonly string[], folder = mkdtempSync(join(tmpdir(), "towow-peers-"))): Installed {
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", ...names], { cwd: folder, stdio: "ignore" });
  const modules = join(folder, "node_modules");
  const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8"));
  return {
    program(name) {
      const { bin } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
      return join(modules, name, typeof bin === "string" ? bin : String(Object.values(bin)[0]));
    },
    bytes: sizeOf(modules),
    packages: Object.keys(packages).length,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
