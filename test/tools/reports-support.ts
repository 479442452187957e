import { createWorld, type Process, type World } from "../support/world.ts";

export const accept = () => ({ action: "accept" as const, content: { decision: "accept" } });
export const INTENT = "找一位产品设计师和一位懂医院信息系统的人";

/** A server with every tool, and so many negotiations that are over. */
export async function world(finished = 1, config: Record<string, unknown> = {}) {
  const world = await createWorld();
  const p = await world.process({ config: { toolset: "all", ...config }, answer: accept });
  const ids: string[] = [];
  for (let i = 0; i < finished; i++) ids.push(await negotiated(p, `${INTENT}，第${i}次`));
  return { world, p, ids };
}

export async function negotiated(p: Process, intent: string): Promise<string> {
  const { result } = await p.call("towow_demand", { intent });
  const { negotiation_id } = result.data;
  await p.call("towow_status", { negotiation_id, wait: "done" });
  return negotiation_id;
}

export const read = async (p: Process, world: World, uri: string) => {
  const { contents } = await world.clock.run(p.client.readResource({ uri }));
  return (contents[0] as { text: string }).text;
};

/** All pages of a resource of JSON, put together. */
export async function json(p: Process, world: World, uri: string): Promise<unknown> {
  let [text, next] = ["", uri];
  while (next !== "") {
    const page = await read(p, world, next);
    next = /^Next page: (.*)$/m.exec(page)?.[1] ?? "";
    text +=
      /^<<<foreign (\w+)\n([\s\S]*)\n>>>foreign \1$/m.exec(page)?.[2] ??
      page
        .split("\n")
        .slice(next ? 2 : 1)
        .join("\n");
  }
  return JSON.parse(text);
}
