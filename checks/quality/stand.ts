import { readFile } from "node:fs/promises";
import type { Client } from "@modelcontextprotocol/client";
import type { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { call, createWorld, legacy, modern, type World } from "./program.ts";
import { type Ids, idsAbout, type Surface } from "./surface.ts";

/** What the gate stands on: clients of both eras before one negotiation of each end, and a home that has read nothing. */
export interface Stand {
  world: World;
  client: Client;
  old: LegacyClient;
  /** In a home in which nothing of others was ever read. */
  newcomer: Client;
  scene: string;
  /** A negotiation that ended with a plan, one without resonance, one whose Center failed, one with a sub-demand. */
  ids: { done: string; nobody: string; failed: string; sub: string };
  close(): Promise<void>;
}

export const SNAPSHOT = new URL("./surface.json", import.meta.url);
const ALL = ["--toolset", "all"];
const INTENT = "machine learning, python and data";
/** Of the tools whose results are checked against their schemas, without anything being sent. */
const READS: readonly (readonly [tool: string, args: (ids: Ids) => Record<string, unknown>])[] = [
  ["towow_status", () => ({})],
  ["towow_status", () => ({ view: "summary" })],
  ["towow_get_negotiation", (ids) => ({ negotiation_id: ids.negotiation_id })],
  ["towow_list_scenes", () => ({})],
  ["towow_list_agents", (ids) => ({ scene_id: ids.scene_id })],
  ["towow_join", (ids) => ({ scene: ids.scene_id, raw_content: "I make pots." })],
  ["towow_join", () => ({ scene: "translation" })],
  ["towow_compare", (ids) => ({ negotiation_ids: [ids.negotiation_id] })],
  ["towow_graph_merge", (ids) => ({ sources: [ids.negotiation_id] })],
  ["towow_brief_export", (ids) => ({ sources: [ids.negotiation_id] })],
  ["towow_report", (ids) => ({ sources: [ids.negotiation_id] })],
  ["towow_plan_workflow", () => ({ goal: "demand_to_brief", scene: "x", intent: "y" })],
  ["towow_resolve_target", () => ({ query: "latest" })],
  ["towow_docs_list", () => ({})],
  ["towow_docs_read", () => ({ uri: "towow://policy" })],
];

export async function createStand(): Promise<Stand> {
  const [world, untouched] = [await createWorld(), await createWorld()];
  const [client, old, newcomer] = [await modern(world, ALL), await legacy(world, ALL), await modern(untouched, ALL)];
  const scene = world.mock.scenes()[2]?.scene_id ?? "";
  const ended = async (marker: string) => {
    const { result } = await call(client, "towow_demand", { intent: `${INTENT} ${marker}`, scene_id: scene });
    const { negotiation_id } = result.data as unknown as { negotiation_id: string };
    await call(client, "towow_status", { negotiation_id, wait: "done" });
    return negotiation_id;
  };
  const ids = {
    nobody: await ended("[[resonate=none]]"),
    failed: await ended("[[center=fail]]"),
    sub: await ended("[[center=sub]]"),
    done: await ended(""),
  };
  return {
    ...{ world, client, old, newcomer, scene, ids },
    async close() {
      await Promise.all([client.close(), old.close(), newcomer.close()]);
      await Promise.all([world.close(), untouched.close()]);
    },
  };
}

/** A value for every variable of every template. */
export async function addressesFor(
  client: Client | LegacyClient,
  { world, ids, scene: scene_id }: Stand,
): Promise<Ids> {
  const negotiation_id = ids.done;
  const { result } = await call(client, "towow_compare", { negotiation_ids: [negotiation_id] });
  const whole = await call(client, "towow_status", { negotiation_id, view: "full" });
  const { participants } = whole.result.data as unknown as { participants: { agent_id: string }[] };
  const agent_id = participants[0]?.agent_id ?? "";
  return idsAbout(new URL(world.url).origin, {
    negotiation_id,
    scene_id,
    agent_id,
    cache_key: result.meta.cache_key ?? "",
  });
}

export const printsOf = ({ listed }: Surface): Record<string, string> =>
  Object.fromEntries(Object.entries(listed).map(([name, { print }]) => [name, print]));

/** Names whose print is not the snapshot's, on either side. */
export async function changedIn(surface: Surface): Promise<string[]> {
  const prints = printsOf(surface);
  const kept = JSON.parse(await readFile(SNAPSHOT, "utf8")) as Record<string, string>;
  return Object.keys({ ...kept, ...prints }).filter((name) => kept[name] !== prints[name]);
}

/** Names that clients of one era only are told. */
export function different(a: Surface, b: Surface): string[] {
  return Object.keys({ ...a.listed, ...b.listed }).filter(
    (name) => a.listed[name]?.bytes === undefined || b.listed[name] === undefined,
  );
}

/** The 2025 client throws where a result is not what its tool declares. */
export async function validated(client: LegacyClient, ids: Ids) {
  await client.listTools();
  const failed: string[] = [];
  for (const [name, args] of READS)
    await client
      .callTool({ name, arguments: args(ids) })
      .catch((error: Error) => failed.push(`${name}: ${error.message}`));
  return { checked: READS.length, failed };
}
