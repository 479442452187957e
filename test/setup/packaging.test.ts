import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { CONFIG_KEYS, declarationOf, environmentNames } from "../../src/home/schema.ts";
import { TOOLS } from "../../src/tools/index.ts";
import { toolsOf } from "../support/tools-of.ts";

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const json = (file: string) => JSON.parse(read(file));
const manifest = json("package.json");

it("one version everywhere", () => {
  const server = json("server.json");
  expect(server.version).toBe(manifest.version);
  expect(server.packages.map((one: { version: string }) => one.version)).toEqual([manifest.version]);
  expect(json("plugin/.claude-plugin/plugin.json").version).toBe(manifest.version);
  expect(json("deploy/mcpb/manifest.json").version).toBe(manifest.version);
  expect(/^## ([^,\s]+)/m.exec(read("CHANGELOG.md"))?.[1]).toBe(manifest.version);
});

it("the plugin's folder is a marketplace of its own, so that one command installs it", () => {
  const { name, plugins } = json("plugin/.claude-plugin/marketplace.json");
  const { metadata, ...plugin } = json("plugin/.claude-plugin/plugin.json");
  expect([name, plugins.length, plugins[0].source]).toEqual(["towow", 1, "./"]);
  expect(plugins[0].name).toBe(plugin.name);
  expect(plugins[0].description).toBe(plugin.description);
  expect(read(`plugin/${metadata.icon}`)).toMatch(/^<svg xmlns/);
  const install = "claude plugin install towow --marketplace";
  expect(read("plugin/README.md")).toContain(install);
  expect(read("docs/clients.md")).toContain(install);
});

it("the bundle for desktop clients: what it lists is what the server lists, and what it sets is a setting", () => {
  const bundle = json("deploy/mcpb/manifest.json");
  expect(bundle.tools.map((tool: { name: string }) => tool.name)).toEqual(toolsOf("normal").map(({ name }) => name));
  const settings = CONFIG_KEYS.flatMap(environmentNames);
  for (const [variable, value] of Object.entries(bundle.server.mcp_config.env as Record<string, string>)) {
    expect(settings).toContain(variable);
    const [, option = ""] = /^\$\{user_config\.(\w+)\}$/.exec(value) ?? [];
    expect(bundle.user_config[option].default).toBe(""); // counts as not given
  }
  expect(`node ${manifest.engines.node}`).toBe(`node ${bundle.compatibility.runtimes.node}`);
  const [width, height] = [16, 20].map((at) =>
    readFileSync(new URL(`../../plugin/${bundle.icon}`, import.meta.url)).readUInt32BE(at),
  );
  expect([width, height]).toEqual([512, 512]);
});

it("the plugin brings the program with it, and no package runner is asked for one", () => {
  const { command, args } = json("plugin/.mcp.json").mcpServers.towow;
  expect(command).toBe("node");
  expect(args.join()).toMatch(/^\$\{CLAUDE_PLUGIN_ROOT\}\/server\/dist\/cli\.js$/);
  expect(json("plugin/server/package.json").version).toBe(manifest.version);
  expect(read("plugin/server/dist/cli.js")).toBe(read("dist/cli.js"));
  expect(read("plugin/server/prompts/guiding.zh.md")).toBe(read("prompts/guiding.zh.md"));
});

/** What the registry's schema of 2025-12-11 says of the fields that are used; the registry knows no others here. */
const Variable = z.strictObject({
  name: z.string(),
  description: z.string(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).optional(),
  default: z.string().optional(),
});
const ServerJson = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
    .max(255),
  packages: z.array(
    z.strictObject({
      registryType: z.literal("npm"),
      registryBaseUrl: z.literal("https://registry.npmjs.org"),
      identifier: z.string(),
      version: z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
      runtimeHint: z.literal("npx"),
      transport: z.strictObject({ type: z.literal("stdio") }),
      environmentVariables: z.array(Variable),
    }),
  ),
  // The address of an endpoint is enough: no header is asked for.
  remotes: z.array(
    z.strictObject({
      type: z.literal("streamable-http"),
      url: z.literal("https://{host}/mcp"),
      variables: z.strictObject({
        host: z.strictObject({ description: z.string(), isRequired: z.literal(true), placeholder: z.string() }),
      }),
    }),
  ),
});

it("server.json is as the MCP registry wants it, and names this package", () => {
  const server = ServerJson.parse(json("server.json"));
  expect(server.name).toBe(manifest.mcpName); // by which the registry sees that the package agrees
  expect(server.packages[0]?.identifier).toBe(manifest.name);
});

it("its variables are keys of the config, and none of them is a secret", () => {
  const open = CONFIG_KEYS.filter((key) => !declarationOf(key).secret).flatMap(environmentNames);
  for (const { environmentVariables } of ServerJson.parse(json("server.json")).packages)
    for (const { name } of environmentVariables) expect(open).toContain(name);
});

it("the plugin's skill names tools that there are, and the description says when it is wanted", () => {
  const text = read("plugin/skills/towow/SKILL.md");
  const [, description = ""] = /^---\nname: towow\ndescription: (.+)\n---\n/.exec(text) ?? [];
  expect(description).toMatch(/Use it when/);
  expect(description.length).toBeLessThan(1_024);
  const names = TOOLS.map(({ name }) => name);
  const found = [...text.matchAll(/towow_\w+/g)].map(([name]) => name);
  for (const name of found) expect(names).toContain(name);
  expect(new Set(found)).toEqual(new Set(["towow_join", "towow_demand", "towow_status"]));
});

it("the plugin's commands name tools that there are, and nothing is allowed beforehand", () => {
  const names = TOOLS.map(({ name }) => name);
  const files = readdirSync(new URL("../../plugin/commands/", import.meta.url));
  expect(files.sort(byCodeUnits)).toEqual(["demand.md", "join.md", "status.md"]);
  for (const file of files) {
    const text = read(`plugin/commands/${file}`);
    expect(text).toMatch(/^---\ndescription: .+\nargument-hint: .+\n---\n/);
    for (const [name] of text.matchAll(/towow_\w+/g)) expect(names).toContain(name);
    expect(text).toContain(`towow_${file.replace(".md", "")}`);
    expect(text).not.toMatch(/allowed-tools/);
  }
  expect(read("plugin/.claude-plugin/plugin.json")).not.toMatch(/allow|permission/i);
});
