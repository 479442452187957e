import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "../../src/result/tool-error.ts";
import { TOOLS } from "../../src/tools/index.ts";
import { finished, opened, refused } from "./library-support.ts";

describe("the catalogue", () => {
  it("policy: what runs, what asks first, what is left", async () => {
    const { json } = await opened("en", { profile: "read_only", budget_max_negotiations: 2 });
    expect(await json("towow://policy")).toMatchObject({
      mode: "normal",
      profile: "read_only",
      backend: "127.0.0.1:9",
      confirmation: { policy: "auto", tainted: false },
      tools: {
        active: ["towow_status", "towow_set_mode"],
        inactive: ["towow_join", "towow_demand"],
        asks_first: ["towow_join", "towow_demand"],
      },
      limits: { negotiations: 2, backend_requests: null },
    });
  });

  it("policy: what is left of each limit", async () => {
    const { json } = await finished("en", { budget_max_negotiations: 3, budget_max_backend_requests: 500 });
    const { used } = await json("towow://policy");
    expect(used).toMatchObject({ negotiations: 1, left: { negotiations: 2 } });
    expect(used.left.backend_requests).toBe(500 - used.read - used.write);
  });

  it("tools, toolsets, schemas and prompts, each by its own address", async () => {
    const { json, read } = await opened();
    const { tools } = await json("towow://tools");
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(TOOLS.map(({ name }) => name));
    for (const { uri, name, does } of tools) {
      const tool = await json(uri);
      expect(tool).toMatchObject({ name, inputSchema: { type: "object" }, outputSchema: { type: "object" } });
      expect(tool.description).toContain(does);
    }
    const docs = await json("towow://toolsets/docs");
    expect(docs.tools.map(({ name }: { name: string }) => name)).toEqual(["towow_docs_list", "towow_docs_read"]);
    expect((await json("towow://toolsets/all")).tools).toHaveLength(TOOLS.length);
    const { schemas } = await json("towow://schemas");
    expect(schemas).toHaveLength(2 * TOOLS.length + 1);
    expect(await json("towow://schemas/towow_join.input")).toMatchObject({ required: ["scene"] });
    const { prompts } = await json("towow://prompts");
    for (const { uri, name } of prompts)
      expect((await read(uri)).text).toBe(
        await readFile(new URL(`../../prompts/${name}.en.md`, import.meta.url), "utf8"),
      );
  });

  it.each(["en", "zh"] as const)(
    "guides in %s: every tool, every error, every risk, and who confirms",
    async (lang) => {
      const { json, read } = await opened(lang);
      const { pages } = await json("towow://docs");
      const texts = Object.fromEntries(
        await Promise.all(pages.map(async ({ name, uri }: never) => [name, (await read(uri)).text])),
      );
      for (const { name } of TOOLS) expect(texts.tools).toContain(`## ${name}`);
      for (const code of Object.keys(ERROR_CODES)) expect(texts.errors).toContain(`\`${code}\``);
      for (const code of ["single_offer", "degraded_formulation", "suspicious_instructions", "review_pending"])
        expect(texts.warnings).toContain(`\`${code}\``);
      for (const code of ["shown_first", "undecided", "scenes_not_listed", "token_other_origin", "config_corrupt"])
        expect(texts.warnings).toContain(`\`${code}\``);
      expect(texts.confirmation).toContain("resume_with");
      expect(texts.confirmation).not.toContain("towow-mcp"); // the result of a call says which ways there are
      expect(texts.references).toContain('{ "ref": "');
      for (const text of Object.values(texts)) expect(text).not.toMatch(/undefined|\[object/);
    },
  );

  it("what is not there is not found, and a query that is not known is an error", async () => {
    const { p } = await opened();
    for (const uri of [
      "towow://tools/towow_fly",
      "towow://toolsets/everything",
      "towow://schemas/x",
      "towow://prompts/..%2finstructions",
      "towow://docs/secrets",
      "towow://nothing",
      "towow://tools/towow_join/x",
      "file:///etc/passwd",
      "towow://scenes/%zz",
      "towow://negotiations/../../x",
    ])
      await expect(p.client.readResource({ uri }), uri).rejects.toMatchObject({ code: -32602 });
    for (const [uri, name] of [
      ["towow://policy?toolset=all", "toolset"],
      ["towow://negotiations?stage=over", "stage"],
      ["towow://negotiations?state=over&state=asking", "state"],
      ["towow://tools/towow_join?page=2", "page"],
      ["towow://negotiations/neg_1/plan?limit=2", "limit"],
    ] as const)
      await expect(p.client.readResource({ uri }), uri).rejects.toMatchObject(refused(new RegExp(name)));
  });

  it("one schema says what a reference may hold, and in which arguments of which tool", async () => {
    const { json } = await opened();
    const schema = await json("towow://schemas/reference");
    expect(schema).toMatchObject({ properties: { ref: { type: "string" } }, required: ["ref"] });
    expect(schema["x-towow"].arguments).toMatchObject({
      towow_status: { negotiation_id: "id" },
      towow_report: { sources: "source", needs: "texts" },
    });
    for (const taken of Object.values(schema["x-towow"].arguments))
      expect(Object.keys(taken as object)).not.toContain("confirmed_text");
    const { ref } = schema.properties;
    for (const one of ["towow://negotiations/neg_1/plan", "towow://scenes/scene_1"])
      expect(one).toMatch(new RegExp(ref.pattern));
    for (const one of ["https://example.org/", "neg_1"]) expect(one).not.toMatch(new RegExp(ref.pattern));
  });

  it.each(["en", "zh"] as const)("an address where nothing is says so, while a demand is open: %s", async (lang) => {
    const { p, world } = await opened(lang, { toolset: "all" });
    await p.call("towow_submit_demand", { scene_id: world.sceneId, intent: "A nurse" });
    const key = `towow_compare:${"a".repeat(64)}`;
    const [unknown, notKept] = { en: [/^There is nothing at/, /two hours/], zh: [/没有内容/, /两小时/] }[lang];
    for (const uri of ["towow://nothing", "towow://tools/towow_fly", "towow://schemas/x"])
      await expect(p.client.readResource({ uri }), uri).rejects.toMatchObject(refused(unknown as RegExp));
    const uri = `towow://cache/${encodeURIComponent(key)}`;
    await expect(p.client.readResource({ uri })).rejects.toMatchObject(refused(notKept as RegExp));
  });

  it("the address of earlier results is listed only where there are any", async () => {
    for (const [toolset, isListed] of [
      ["developer", false],
      ["docs", false],
      ["reports", true],
      ["all", true],
    ] as const) {
      const { p } = await opened("en", { toolset });
      const { resourceTemplates } = await p.client.listResourceTemplates();
      expect(
        resourceTemplates.some(({ name }) => name === "cache"),
        toolset,
      ).toBe(isListed);
    }
  });
});
