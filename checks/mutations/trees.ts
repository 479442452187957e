import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LEFT_OUT = new Set(["node_modules", ".git", "coverage"]);

/** A copy of the checkout, for mutants; its packages are the checkout's own. */
export function copyTree(checkout: string): string {
  const tree = mkdtempSync(join(tmpdir(), "mutations-"));
  cpSync(checkout, tree, {
    recursive: true,
    filter: (path) => !LEFT_OUT.has(path.slice(checkout.length + 1)),
  });
  symlinkSync(join(checkout, "node_modules"), join(tree, "node_modules"));
  return tree;
}

export const removeTree = (tree: string): void => rmSync(tree, { recursive: true, force: true });
