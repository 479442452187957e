import { expect, it } from "vitest";
import { json, world } from "./reports-support.ts";

it("one document as Markdown, with the graph as tables of entities and relations", async () => {
  const { p, ids } = await world();
  const { result, text } = await p.call("towow_report");
  const { data, meta, warnings } = result;
  expect(data).toMatchObject({ negotiation_ids: ids });
  const lines = data.report.split("\n");
  const rowsBelow = (heading: string) => {
    const from = lines.indexOf(heading) + 4;
    return lines.slice(from, lines.indexOf("", from));
  };
  expect(rowsBelow("## Entities")).toHaveLength(data.entities);
  expect(rowsBelow("## Relations")).toHaveLength(data.relations);
  expect(rowsBelow("## Relations").some((row: string) => row.includes("offered"))).toBe(true);
  expect(meta).toMatchObject({ tainted: true, tainted_paths: ["/report"] });
  expect(warnings).not.toContain("truncated_output");
  expect(text.indexOf("<<<foreign")).toBeLessThan(text.indexOf("## Entities"));
  expect(data.file_command).toBe(`towow-mcp report ${ids[0]} --format md --out report.md`);
});

it("as JSON, of several negotiations or of a graph that was merged before, and kept whole", async () => {
  const { p, world: w, ids } = await world(2);
  const merged = await p.call("towow_graph_merge", { sources: ids });
  for (const sources of [ids, [merged.result.meta.cache_key]]) {
    const { result } = await p.call("towow_report", { sources, format: "json" });
    const kept = (await json(p, w, `towow://cache/${result.meta.cache_key}`)) as { report: string };
    const report = JSON.parse(kept.report);
    expect(report.graph.nodes).toHaveLength(merged.result.data.summary.nodes);
    expect(report.negotiations).toHaveLength(sources === ids ? 2 : 0);
  }
});

it("fails for what is unknown, and where nothing was negotiated", async () => {
  const { p } = await world(0);
  expect((await p.call("towow_report")).result.error?.code).toBe("tool.negotiation.not_found.none_yet");
  const unknown = await p.call("towow_report", { sources: ["neg_none"] });
  expect(unknown.result.error?.code).toBe("tool.negotiation.not_found.unknown_negotiation");
});
