// Bundles the program with everything it uses into dist/, so that a copy of it runs where nothing is installed: one
// small entry that checks the Node version, everything else in chunks loaded on first use. Then puts it into the plugin.
import { cp, glob, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/** Some packages are needed at once when they are needed at all; esbuild follows a plain `require` only. */
const bundledRequire = {
  name: "bundled-require",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]src[\\/].+\.ts$/ }, async ({ path }) => ({
      loader: "ts",
      contents: (await readFile(path, "utf8")).replace("createRequire(import.meta.url)(", "require("),
    })),
};

/** undici's index brings a mock, caches and more that the program never asks for, and that nobody should download. */
const undiciParts = {
  name: "undici-parts",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: "parts" }));
    onLoad({ filter: /./, namespace: "parts" }, () => ({
      resolveDir: import.meta.dirname,
      contents: `Object.assign(require("undici/lib/dispatcher/dispatcher.js").prototype, require("undici/lib/api/index.js"));
      export default {
        EnvHttpProxyAgent: require("undici/lib/dispatcher/env-http-proxy-agent.js"),
        Pool: require("undici/lib/dispatcher/pool.js"),
        fetch: require("undici/lib/web/fetch/index.js").fetch,
      };`,
    }));
  },
};

/** conf checks a schema with Ajv where it is given one, which it never is here: the program has its own (zod). */
const confWithoutSchemas = {
  name: "conf-without-schemas",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^ajv/ }, ({ path, importer }) =>
      /[\\/]node_modules[\\/]conf[\\/]/.test(importer) ? { path, namespace: "no-schemas" } : undefined,
    );
    onLoad({ filter: /./, namespace: "no-schemas" }, () => ({
      contents: "export const Ajv2020 = undefined; export default undefined;",
    }));
  },
};

await rm("dist", { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: ["src/cli.ts"],
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22",
  mainFields: ["module", "main"],
  minify: true,
  keepNames: true,
  legalComments: "none",
  // Packages of the CommonJS kind ask for Node's own modules by `require`.
  banner: { js: 'import{createRequire as nodeRequire}from"node:module";const require=nodeRequire(import.meta.url);' },
  plugins: [bundledRequire, undiciParts, confWithoutSchemas],
  logLevel: "warning",
  metafile: true,
});
await writeFile("dist/LICENSES.txt", await licences(Object.keys(metafile.inputs)));

await rm("plugin/server", { recursive: true, force: true });
for (const part of ["package.json", "LICENSE", "dist", "prompts"])
  await cp(part, join("plugin/server", part), { recursive: true });

/** The licences of the packages that went into the bundle, as they ask for. */
async function licences(inputs) {
  const found = inputs.map((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const parts = [];
  for (const folder of [...new Set(found)].filter(Boolean).sort()) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const files = await Array.fromAsync(glob("{LICENSE,LICENCE,license}*", { cwd: folder }));
    const texts = await Promise.all(files.sort().map((file) => readFile(join(folder, file), "utf8")));
    parts.push([`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join("\n\n"));
  }
  return `${parts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
