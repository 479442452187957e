// Node reads TypeScript by itself, but neither JSX nor styles: a check that paints pages has this loaded before its parts.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { cssModule } from "../../build/css.ts";

registerHooks({
  load(url, context, next) {
    if (url.endsWith(".css")) return { format: "module", source: cssModule(fileURLToPath(url)), shortCircuit: true };
    if (!url.endsWith(".tsx")) return next(url, context);
    const text = readFileSync(new URL(url), "utf8");
    const { code } = transformSync(text, { loader: "tsx", jsx: "automatic", jsxImportSource: "preact", format: "esm" });
    return { format: "module", source: code, shortCircuit: true };
  },
});
