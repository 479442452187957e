import { expect, it } from "vitest";
import { turn } from "../../src/turn.ts";
import { world } from "./reports-support.ts";

const AGENTS = 190;
/** Many agents, each with as much to say as a backend lets them. */
const crowd = (length: number) =>
  Array.from({ length: AGENTS }, (_, n) => ({
    agent_id: `agent_${n}`,
    display_name: `Agent ${n}`,
    resonance_score: 1 - n / AGENTS,
    state: "replied",
    offer_content: `Offer ${n}: we write to a${n}@example.com. `.repeat(20),
    offer_capabilities: Array.from({ length: 20 }, (_, at) => `${n}-${at} design of pages `.padEnd(length, "x y ")),
  }));

async function crowded(finished: number, length = 40) {
  const made = await world(finished);
  const { p, ids } = made;
  const given = new Map(
    ids.map((id) => [id, { ...(p.negotiations.finished(id) as object), participants: crowd(length) }]),
  );
  made.world.rewrite = (body) => given.get((body as { negotiation_id?: string }).negotiation_id ?? "") ?? body;
  return { ...made, fresh: await made.world.process({ config: { toolset: "all" } }) };
}

/** How often everything else had its turn while the call ran. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ turns: number; value: T }> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const value = await work();
  isOver = true;
  return { turns, value };
}

it.each(["towow_compare", "towow_graph_merge", "towow_brief_export"])(
  "%s over 190 agents leaves others their turn, and costs once",
  async (tool) => {
    const { fresh, ids } = await crowded(1);
    const args = tool === "towow_compare" ? { negotiation_ids: ids, needs: ["design", "pages"] } : { sources: ids };
    const first = await turnsDuring(() => fresh.start(tool, args));
    expect(first.value.result.error).toBeNull();
    expect(first.turns).toBeGreaterThan(AGENTS * 20);
    const again = await turnsDuring(() => fresh.start(tool, args));
    expect(again.value.result.data).toEqual(first.value.result.data);
    expect(again.turns).toBeLessThan(first.turns / 4);
  },
);

it("several that are too large together are refused before any of them is cleaned", async () => {
  const { fresh, ids, world: w } = await crowded(4, 200);
  const { turns, value } = await turnsDuring(() => fresh.start("towow_compare", { negotiation_ids: ids }));
  expect(value.result.error?.code).toBe("tool.input.invalid.arguments");
  expect(value.text).toContain("they are too large together: name only the first one");
  expect(turns).toBeLessThan(AGENTS);
  const alone = await w.clock.run(fresh.start("towow_compare", { negotiation_ids: ids.slice(0, 1) }));
  expect(alone.result.error).toBeNull();
});

it("of many works that wait for their turn, one goes on in each round of the event loop", async () => {
  const order: string[] = [];
  const work = async (name: string) => {
    for (let n = 0; n < 3; n++) {
      await turn();
      order.push(name);
    }
  };
  let isOver = false;
  const rounds = (async () => {
    while (!isOver) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      order.push("|");
    }
  })();
  await Promise.all([work("a"), work("b"), work("c")]);
  isOver = true;
  await rounds;
  expect(order.join("")).toMatch(/^\|*a\|b\|c\|a\|b\|c\|a\|b\|c\|*$/);
});
