// A style sheet that a module imports is a text: with everything that it imports itself, minified, for the browsers that
// the room is built for. The build puts it into the bundle, and tests read the same.
import { dirname, resolve } from "node:path";
import { type Plugin as BundlePlugin, buildSync } from "esbuild";
import type { Plugin as TestPlugin } from "vitest/config";

/** The oldest browsers that the pages are made for. */
export const BROWSERS = ["chrome111", "firefox113", "safari16.4"];

/** A style sheet with everything that it imports, minified. */
export function cssText(path: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [path],
    bundle: true,
    minify: true,
    target: BROWSERS,
    write: false,
  });
  return outputFiles[0]?.text.trim() ?? "";
}

/** Gives esbuild the text of a style sheet that a module imports. */
export const cssInBundle: BundlePlugin = {
  name: "css-text",
  setup: ({ onLoad }) => onLoad({ filter: /\.css$/ }, ({ path }) => ({ contents: cssText(path), loader: "text" })),
};

/** The same as the module that imports it reads it. */
export const cssModule = (path: string): string => `export default ${JSON.stringify(cssText(path))};`;

const OURS = "\0css-text:";

/** Gives tests the same: what Vite itself does with style sheets is meant for pages that it serves. */
export const cssInTests: TestPlugin = {
  name: "css-text",
  enforce: "pre",
  resolveId(source, importer) {
    const isOurs = source.endsWith(".css") && importer !== undefined;
    return isOurs ? `${OURS}${resolve(dirname(importer), source)}.js` : undefined;
  },
  load(id) {
    return id.startsWith(OURS) ? cssModule(id.slice(OURS.length, -".js".length)) : undefined;
  },
};
