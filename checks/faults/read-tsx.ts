// Imported first by a check that paints pages in Node itself, which reads TypeScript but no JSX.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { transformSync } from "esbuild";

registerHooks({
  load(url, context, next) {
    if (!url.endsWith(".tsx")) return next(url, context);
    const text = readFileSync(new URL(url), "utf8");
    const { code } = transformSync(text, { loader: "tsx", jsx: "automatic", jsxImportSource: "preact", format: "esm" });
    return { format: "module", source: code, shortCircuit: true };
  },
});
