// Bundles the program into dist/: one small entry that checks the Node version, everything else in chunks loaded on first use.
import { rm } from "node:fs/promises";
import { build } from "esbuild";

await rm("dist", { recursive: true, force: true });
await build({
  entryPoints: ["src/cli.ts"],
  outdir: "dist",
  bundle: true,
  splitting: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node22",
  logLevel: "warning",
});
