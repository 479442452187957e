import { expect, it } from "vitest";
import { HOSTILE, type Hostile } from "../safety/hostile-corpus.ts";
import type { Called } from "../support/clients.ts";
import { forEachEntry } from "../support/entries.ts";
import { share } from "../support/property-seed.ts";
import { createWorld, PROFILE } from "../support/world.ts";

const has = (text: string, what: string | RegExp) => (typeof what === "string" ? text.includes(what) : what.test(text));
const decoded = (value: unknown): string =>
  typeof value === "string"
    ? value
    : value !== null && typeof value === "object"
      ? Object.entries(value)
          .map(([key, inner]) => `${key} ${decoded(inner)}`)
          .join("\n")
      : String(value);

/** A finished negotiation in which every foreign field is a hostile text, through every tool that returns it. */
async function through({ text }: Hostile) {
  const world = await createWorld();
  const p = await world.process({ flags: { mode: "developer" } });
  const scenes = world.mock.scenes().length;
  const demand = await p.call("towow_demand", { intent: "A designer" });
  const { negotiation_id } = demand.result.data;
  await p.call("towow_demand", { ...demand.result.data.resume_with.params, decision: "accept" });
  await p.call("towow_status", { wait: "done" });
  const participant = { agent_id: "agent_one", resonance_score: 0.5, state: "replied" as const };
  world.mock.engine.patch(negotiation_id, {
    participants: [
      { ...participant, display_name: text, offer_content: text, offer_capabilities: [text] },
      { ...participant, agent_id: "agent_two", display_name: "Two", offer_content: { deep: [{ text }] } },
    ],
    plan_output: text,
  });
  const profile = { display_name: text.trim().slice(0, 100) || "n", profile_data: PROFILE };
  const joining = await world.process({ flags: { mode: "developer" }, stranger: "joining" });
  await joining.call("towow_register_agent", { scene_id: world.sceneId, agent_id: "hostile", ...profile });
  const founding = await world.process({ flags: { mode: "developer" }, stranger: "founding" });
  await founding.call("towow_create_scene", {
    name: "n",
    description: text.replaceAll("\u0000", "").slice(0, 5_000) || "d",
  });
  expect(world.mock.scenes()).toHaveLength(scenes + 1);
  // The mock has changed what was finished: no program would ask for it again by itself.
  const get = await p.call("towow_get_negotiation", { negotiation_id, fresh: true });
  return {
    get,
    status: await p.call("towow_status", { negotiation_id, view: "full" }),
    scenes: await p.call("towow_list_scenes"),
    agents: await p.call("towow_list_agents", { scene_id: world.sceneId }),
  };
}

const foreign = ({ result }: Called) =>
  decoded(Object.fromEntries((result.meta.tainted_paths ?? []).map((path) => [path, result.data[path.slice(1)]])));

const holds = async (hostile: Hostile): Promise<void> => {
  const called = await through(hostile);
  for (const [tool, one] of Object.entries(called)) {
    expect(one.isError, `${tool}: ${one.text.slice(0, 200)}`).toBe(false);
    const fenced = /<<<foreign \w+\n([\s\S]*)\n>>>foreign/.exec(one.text)?.[1] ?? "";
    const [json = "{}", plan = ""] = fenced === "" ? [] : fenced.split("\nplan_output:\n");
    if (foreign(one) !== "") expect(fenced, tool).not.toBe("");
    const text = `${decoded(JSON.parse(json))}\n${plan}`;
    for (const what of hostile.loses) {
      expect(has(foreign(one), what), `${tool} structured: ${what}`).toBe(false);
      expect(has(text, what), `${tool} text: ${what}`).toBe(false);
    }
  }
  const { status } = called;
  for (const part of hostile.keeps ?? []) expect(foreign(status)).toContain(part);
  if (hostile.warns) expect(status.result.warnings).toContain(hostile.warns);
  const mark = /<<<foreign (\w+)\n/.exec(status.text)?.[1] ?? "no fence";
  expect(status.text.split(mark)).toHaveLength(3);
  expect(status.text.endsWith(`>>>foreign ${mark}`)).toBe(true);
  const ids = status.result.data.participants.map((p: { agent_id: string }) => p.agent_id);
  expect(ids).toEqual(["agent_one", "agent_two"]);
};

/** How many runs put all of them there. */
const PARTS = 4;

it("hostile texts, in every foreign field, through every tool that returns it", () =>
  forEachEntry(share(HOSTILE, PARTS), ({ name }) => name, holds));
