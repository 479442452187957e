// Bundles the program with everything it uses into dist/, so that a copy of it runs where nothing is installed: one
// small entry that checks the Node version, everything else in chunks loaded on first use. Then puts it into the plugin.
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { keepAnswers } from "./build-handshake.mjs";
import { withSchemasWhenAsked } from "./build-schemas.ts";

/** The log names the class of an error, so these keep their names when everything is made short. */
const withClassNames = (source) =>
  source.replaceAll(
    /^(export )?((?:abstract )?class (\w+) extends \w*(?:Error|Failure)\w*(?:<.*>)? \{)/gm,
    '$1$2 static { Object.defineProperty(this, "name", { value: "$3" }); }',
  );

/** What a part that is loaded late needs little of: nothing, or the settings. Every other needs the program. */
const LIGHT =
  /^src\/(?:commands\/(?:start|main|program|pipe|mock|typed-line|sandbox\/run)|text\/help|bounded-lines|store|room\/page)\b/;
const SETTINGS = /^src\/commands\/(?:home|log-defect|mode|config|forget\/browser)\b/;

/**
 * By the path of a part that is loaded late, the modules that it loads in any case. esbuild makes a chunk of what the
 * same parts have in common: where each part takes its own selection, a start opens sixty small files.
 */
async function loadedTogether() {
  const together = new Map();
  for (const file of await readdir("src", { recursive: true })) {
    const source = file.endsWith(".ts") ? await readFile(join("src", file), "utf8") : "";
    for (const [, path] of source.matchAll(/\bimport\("(\.[^"]+)"\)(?!\.)/g)) {
      const part = join("src", dirname(file), path);
      if (LIGHT.test(part)) continue;
      const program = SETTINGS.test(part) ? [] : ["src/app/runtime.ts", "src/tools/call.ts"];
      together.set(resolve(part), ["src/commands/home.ts", ...program]);
    }
  }
  return together;
}

/** Some sources load a package by `createRequire(…)(…)`; esbuild bundles a plain `require` only. */
const ownSources = {
  name: "own-sources",
  async setup({ onLoad }) {
    const together = await loadedTogether();
    onLoad({ filter: /[\\/]src[\\/].+\.ts$/ }, async ({ path }) => {
      const source = (await readFile(path, "utf8")).replaceAll("createRequire(import.meta.url)(", "require(");
      const others = (together.get(path) ?? []).map((other) => `import ${JSON.stringify(resolve(other))};`);
      return { loader: "ts", contents: [withClassNames(source), ...others].join("\n") };
    });
  },
};

const NOTHING = "export default undefined;";
const redisCommands = JSON.parse(await readFile("node_modules/@ioredis/commands/built/commands.json", "utf8"));

/**
 * What packages bring for uses that this program does not make of them, which nobody should download or load: who asks,
 * for what, and what there is instead.
 */
const INSTEAD = [
  [
    /[\\/]src[\\/]/,
    /^undici$/, // its index brings fetch, a mock, caches and more
    `Object.assign(require("undici/lib/dispatcher/dispatcher.js").prototype, {
      connect: require("undici/lib/api/api-connect.js"),
      upgrade: require("undici/lib/api/api-upgrade.js"),
    });
    export default {
      Agent: require("undici/lib/dispatcher/agent.js"),
      ProxyAgent: require("undici/lib/dispatcher/proxy-agent.js"),
      buildConnector: require("undici/lib/core/connect.js"),
      Pool: require("undici/lib/dispatcher/pool.js"),
    };`,
  ],
  [
    /[\\/]undici[\\/]/,
    /llhttp_simd-wasm\.js$/, // the parser once more, for newer processors: what cannot be compiled leads to the other
    "module.exports = new Uint8Array();",
  ],
  // Node's server and client, for the size that headers may have, and for a class that is destroyed in a way of its own.
  [/[\\/]undici[\\/]/, /^node:http$/, "module.exports = { maxHeaderSize: 16_384, IncomingMessage: class {} };"],
  [
    /[\\/]undici[\\/]/,
    /^node:assert$/, // with all that shows two values beside each other
    'module.exports = (holds, why) => { if (!holds) throw why instanceof Error ? why : new Error(why ?? "undici: a condition does not hold"); };',
  ],
  [/[\\/]undici[\\/]/, /socks5-proxy-agent$/, "module.exports = undefined;"], // src/backend/socks.ts has the way there
  [/[\\/]undici[\\/]/, /client-h2\.js$/, "module.exports = undefined;"], // HTTP/2, which is off; it loads Node's own
  [/[\\/]undici[\\/]/, /web\/fetch\/body\.js$/, "module.exports = {};"], // forms and streams as bodies; here they are texts
  [
    /[\\/]src[\\/]/,
    /^libphonenumber-js\/min$/, // its index brings what finds and formats numbers
    'export { parsePhoneNumberFromString } from "libphonenumber-js/min";',
  ],
  [
    /[\\/]@modelcontextprotocol[\\/](?:client|server)[\\/]/,
    /ajvProvider-/, // checks answers to pushed forms and listed output schemas: neither happens here
    'export class n { getValidator() { throw new Error("JSON Schema is not checked in this bundle"); } }',
  ],
  [
    /[\\/]src[\\/]/,
    /^@modelcontextprotocol\/client$/, // its index brings OAuth and HTTP
    'export { Client, InMemoryTransport } from "@modelcontextprotocol/client";',
  ],
  [/[\\/]@modelcontextprotocol[\\/]client[\\/]/, /^jose$/, NOTHING], // keys for OAuth
  [
    /[\\/]@modelcontextprotocol[\\/]core[\\/]/,
    /^\.\/auth-/, // what OAuth's servers answer
    `${NOTHING} export { ${[..."acdfilmnoprstu"].map((name) => `nothing as ${name}`).join(", ")} }; const nothing = undefined;`,
  ],
  [
    /[\\/]src[\\/]/,
    /^@clack\/prompts$/, // its index brings every kind of question
    'export { confirm, multiselect, select, text } from "@clack/prompts";',
  ],
  [
    /[\\/]src[\\/]/,
    /^@hono\/node-server$/, // its index brings WebSockets
    'export { createAdaptorServer, getRequestListener } from "@hono/node-server";',
  ],
  [/[\\/]ioredis[\\/]built[\\/]utils/, /TLSProfiles$/, "exports.default = {};"], // certificates of one provider
  [
    /[\\/]@ioredis[\\/]commands[\\/]/,
    /^\.\/commands\.json$/, // subcommands say where keys stand, for a prefix that the client itself puts before them
    `module.exports = ${JSON.stringify(redisCommands, (key, value) => (key === "subcommands" || key === "arity" ? undefined : value))};`,
  ],
  [/[\\/]src[\\/]/, /^ioredis$/, 'export { default as Redis } from "ioredis/built/Redis.js";'],
  [/[\\/]ioredis[\\/]built[\\/]Redis/, /^\.\/cluster$/, NOTHING], // many servers at once; here it is one address
  [/[\\/]conf[\\/]/, /^env-paths$/, NOTHING], // where no folder is given; it looks for a home as it is loaded
  [/[\\/]conf[\\/]/, /^semver$/, NOTHING], // its migrations; the program has its own
  [/[\\/]conf[\\/]/, /^ajv/, `export const Ajv2020 = undefined; ${NOTHING}`], // and its own schemas, by zod
  [/[\\/]prom-client[\\/]/, /^@opentelemetry\/api$/, NOTHING], // traces, for exemplars
  [
    /[\\/]decode-named-character-reference[\\/]/,
    /^character-entities$/, // two thousand names; what is not among these is shown as it is written
    `export const characterEntities = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\\u00a0", copy: "©",
    reg: "®", trade: "™", hellip: "…", mdash: "—", ndash: "–", middot: "·", bull: "•", times: "×", deg: "°", euro: "€",
    pound: "£", yen: "¥", sect: "§", laquo: "«", raquo: "»", lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", larr: "←",
    rarr: "→", ne: "≠", le: "≤", ge: "≥" };`,
  ],
];

const withoutUnused = {
  name: "without-unused",
  setup({ onResolve, onLoad }) {
    for (const [from, what, contents] of INSTEAD) {
      const namespace = `instead-of-${what.source}`;
      onResolve({ filter: what }, ({ path, importer, namespace: asking }) =>
        asking === "file" && from.test(importer) ? { path, namespace } : undefined,
      );
      onLoad({ filter: /./, namespace }, () => ({ resolveDir: import.meta.dirname, contents }));
    }
  },
};

/**
 * The SDK makes a schema of every type of the protocol at its start, and uses some: its table of all of them has those
 * that it asks for itself, and each schema is marked as one that may go where nobody names it.
 */
const usedSchemas = {
  name: "used-schemas",
  setup({ onLoad }) {
    onLoad(
      { filter: /[\\/]@modelcontextprotocol[\\/](?:client|server)[\\/]dist[\\/]src-\w+\.mjs$/ },
      async ({ path }) => {
        const asked = (await specTypesIn(dirname(path))).map((name) => `register("${name}Schema", ${name}Schema);`);
        const table = /(?:^for \(const .+\) register\(key, .+\);\n)+/m;
        const source = (await readFile(path, "utf8")).replace(table, `${asked.join("\n")}\n`);
        return { contents: withSchemasWhenAsked(source) };
      },
    );
    onLoad({ filter: /[\\/]@modelcontextprotocol[\\/]core[\\/]dist[\\/]schemas-\w+\.mjs$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll(
        /^const (\w+) = ((?:z|\w+Schema)\.[\s\S]+?);(?=\n+(?:[/\w]|$))/gm,
        "const $1 = /* @__PURE__ */ (() => $2)();",
      ),
    }));
  },
};

/** The types that a package's own code asks that table for. */
async function specTypesIn(folder) {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".mjs"));
  const code = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const lines = code.flatMap((text) => text.split("\n")).filter((line) => !/^\s*(?:\*|\/)/.test(line));
  const names = lines.flatMap((line) => [...line.matchAll(/\b(?:isSpecType|specTypeSchemas)\.(\w+)/g)]);
  return [...new Set(names.map(([, name]) => name))];
}

/** What paints the room's page on the server is what runs in the browser: one file, built below. */
const roomPage = {
  name: "room-page",
  setup: ({ onResolve }) =>
    onResolve({ filter: /page\/room\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./room.js", external: true } : undefined,
    ),
};

/** CommonJS packages in the bundle load Node's own modules by `require`. */
const REQUIRE = 'const require=process.getBuiltinModule("node:module").createRequire(import.meta.url);\n';

/** A line that says whose a package is: the rest of a licence is the same for many. */
const COPYRIGHT = /^[ \t]*Copyright (?:\(c\)|©|\d).*$/gim;

/** Most files load nothing by `require`. */
const withoutUnusedRequire = (code) =>
  /\brequire\b/.test(code.replace(REQUIRE, "")) ? code : code.replace(REQUIRE, "");

/** V8 holds a file of nothing but ASCII in half the room; esbuild leaves regular expressions as they are written. */
const inAscii = (code) =>
  code.replaceAll(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * An `import` of one of Node's modules reads all that it exports, for which Node loads what nobody here uses: promises and
 * streams of files, WebCrypto, `process.finalization`.
 */
const withBuiltinModules = (code) =>
  code.replaceAll(
    /\bimport(?: ([\w$]+))?,?(?:\* ?as ([\w$]+))?(?:\{([^}]+)\})? ?from"(node:[^"]+)"/g,
    (_, whole, all, names, name) => {
      const parts = [whole, all, names && `{${names.replaceAll(" as ", ":")}}`].filter(Boolean);
      return `const ${parts.map((part) => `${part}=process.getBuiltinModule("${name}")`).join(",")}`;
    },
  );

const forNode = (code) => withBuiltinModules(inAscii(withoutUnusedRequire(code)));

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
  legalComments: "none",
  banner: { js: REQUIRE },
  plugins: [ownSources, usedSchemas, withoutUnused, roomPage],
  logLevel: "warning",
  metafile: true,
});
for (const path of Object.keys(metafile.outputs)) await writeFile(path, forNode(await readFile(path, "utf8")));
/** The room's page in the browser: one small file. */
const page = await build({
  entryPoints: { room: "src/room/page/room.ts" },
  outdir: "dist",
  bundle: true,
  format: "esm",
  platform: "browser",
  target: ["chrome111", "firefox113", "safari16.4"],
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
});
const inputs = [metafile, page.metafile].flatMap((built) => Object.keys(built.inputs));
await writeFile("dist/LICENSES.txt", await licences(inputs));

await keepAnswers("dist");

await rm("plugin/server", { recursive: true, force: true });
for (const part of ["package.json", "LICENSE", "dist", "prompts"])
  await cp(part, join("plugin/server", part), { recursive: true });

/**
 * The licences of the packages that went into the bundle, as they ask for: above each text the packages that it is for,
 * each with whose it is. A text that several share stands once.
 */
async function licences(inputs) {
  const found = inputs.map((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const sections = new Map();
  for (const folder of [...new Set(found)].filter(Boolean).sort()) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
    const texts = await Promise.all(files.sort().map((file) => readFile(join(folder, file), "utf8")));
    const text = texts.map((it) => it.replaceAll("\r\n", "\n").trim()).join("\n\n");
    const owners = (text.match(COPYRIGHT) ?? []).map((line) => `  ${line.trim()}`);
    const shared = text
      .replaceAll(COPYRIGHT, "")
      .trim()
      .replaceAll(/\n{3,}/g, "\n\n");
    const words = shared.replaceAll(/\s+/g, " ");
    const section = sections.get(words) ?? { heads: [], text: shared };
    section.heads.push([`${name} ${version} (${license})`, ...owners].join("\n"));
    sections.set(words, section);
  }
  const parts = [...sections.values()].map(({ heads, text }) => `${heads.join("\n")}\n\n${text}`);
  return `${parts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
