import { cp, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { cssInBundle } from "../../build/css.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const OWN = at("../../src/mcp/server.ts");
const WITH_FIXTURES = at("./server-with-fixtures.ts");
/** The endpoint of the 2026 era gets this one. */
const MODERN = at("../../src/mcp/http/modern.ts");
const WITH_HEADERS = at("./header-arguments.ts");
const FOLDER = at("../../bundles/conformance");

/**
 * Builds the program for the suite alone: the product's sources, where whatever imports `buildServer` gets the one with
 * the suite's fixtures around it. Gives the file to start; packages stay in node_modules.
 */
export async function buildWithFixtures(): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  for (const part of ["package.json", "prompts"])
    await cp(at(`../../${part}`), `${FOLDER}/${part}`, { recursive: true });
  await build({
    entryPoints: [at("../../src/cli.ts")],
    outdir: `${FOLDER}/dist`,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    packages: "external",
    logLevel: "warning",
    plugins: [
      cssInBundle,
      {
        name: "with-fixtures",
        setup({ onResolve, resolve }) {
          onResolve({ filter: /\/server\.ts$/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
            if (pluginData === "resolved" || importer === WITH_FIXTURES) return undefined;
            const found = await resolve(path, { resolveDir, importer, kind, pluginData: "resolved" });
            if (found.path !== OWN) return undefined;
            return { path: importer === MODERN ? WITH_HEADERS : WITH_FIXTURES };
          });
        },
      },
    ],
  });
  return `${FOLDER}/dist/cli.js`;
}
