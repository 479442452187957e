// Bundles the program with everything it uses into dist/, so that a copy of it runs where nothing is installed: one
// small entry that checks the Node version, everything else in chunks loaded on first use. Then puts it into the plugin.
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { QUESTION_FILE } from "../src/question/chat-wire.ts";
import { chatPage } from "./chat-page.mjs";
import { BROWSERS, cssInBundle } from "./css.ts";
import { keepAnswers } from "./handshake.mjs";
import { licences } from "./licences.mjs";

const common = {
  outdir: "dist",
  bundle: true,
  format: "esm",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
};

/** Modules that are never reached, each with why it may not be loaded all the same. */
const ALIASES = {
  // It looks for a home as it is loaded, and throws where a container has none. conf is always told its folder.
  "env-paths": "./build/nothing.mjs",
  // conf checks a schema and walks migrations with these; it is given neither, since zod reads what the file holds.
  "ajv/dist/2020.js": "./build/nothing.mjs",
  "ajv-formats": "./build/nothing.mjs",
  semver: "./build/nothing.mjs",
};

await rm("dist", { recursive: true, force: true });
const program = await build({
  ...common,
  entryPoints: ["src/cli.ts"],
  splitting: true,
  platform: "node",
  target: "node22",
  mainFields: ["module", "main"],
  charset: "utf8", // Chinese as it is: escaped it is twice as long
  keepNames: true, // the log names the class of an error
  alias: ALIASES,
  // CommonJS packages in the bundle load Node's own modules by `require`.
  banner: { js: 'import{createRequire as requireOf}from"node:module";const require=requireOf(import.meta.url);' },
  plugins: [cssInBundle],
});
const page = await build({
  ...common,
  entryPoints: { room: "src/room/page/room.ts" },
  platform: "browser",
  target: BROWSERS,
});
await nameClassesOnly(Object.keys(program.metafile.outputs));
const chat = await chatPage(common);
await writeFile(`dist/${QUESTION_FILE}`, chat.html);
const inputs = [program, page, chat].flatMap(({ metafile }) => Object.keys(metafile.inputs));
await writeFile("dist/LICENSES.txt", await licences(inputs));

await keepAnswers("dist");

await rm("plugin/server", { recursive: true, force: true });
for (const part of ["package.json", "LICENSE", "dist", "prompts"])
  await cp(part, join("plugin/server", part), { recursive: true });

/**
 * esbuild keeps the names of classes, which the log and libraries read, by naming every function each time that it is made,
 * the small ones too that a call makes and throws away. Those have no prototype, and nobody asks for their names.
 */
async function nameClassesOnly(outputs) {
  const naming = /\((\w+),(\w+)\)=>(\w+\(\1,"name",\{value:\2,configurable:!0\}\))/;
  let found = 0;
  for (const path of outputs.filter((name) => name.endsWith(".js"))) {
    const code = await readFile(path, "utf8");
    if (!naming.test(code)) continue;
    found += 1;
    await writeFile(path, code.replace(naming, "($1,$2)=>$1.prototype===void 0?$1:$3"));
  }
  if (found !== 1) throw new Error(`esbuild names functions in ${found} files, and in another way than is known here`);
}
