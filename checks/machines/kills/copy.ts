import { cpSync, existsSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A copy of the built package, so that a rebuild does not matter; gives its folder. */
export function copyOf(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), "towow-kills-"));
  for (const part of ["dist", "prompts", "package.json"])
    if (existsSync(join(root, part))) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}
