// The gate over everything that clients see, as ONE JSON on stdout: the surface of both protocol eras beside its snapshot,
// results against the schemas that tools declare, the endpoint's boundary, sizes, how long requests take, and the
// evaluation set: 25 tasks that an agent should do by tools alone, run mechanically.
// Run: npm run check:quality. --update writes the snapshot; --save writes docs/surface.md.
import { readFile, writeFile } from "node:fs/promises";
import { boundaryOf } from "./quality/boundary.ts";
import { paceOf } from "./quality/pace.ts";
import { surfacePage } from "./quality/page.ts";
import { bytesOf, call, createWorld, legacy, modern, type World } from "./quality/program.ts";
import { type Ids, idsAbout, readAll, type Surface, surfaceOf } from "./quality/surface.ts";
import { evaluate } from "./quality/tasks.ts";

const SNAPSHOT = new URL("./quality/surface.json", import.meta.url);
const PAGE = new URL("../docs/surface.md", import.meta.url);
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
  ["towow_plan_workflow", () => ({ goal: "demand_to_brief", scene: "x", intent: "y" })],
  ["towow_resolve_target", () => ({ query: "latest" })],
  ["towow_docs_list", () => ({})],
  ["towow_docs_read", () => ({ uri: "towow://policy" })],
];

const world = await createWorld();
const untouched = await createWorld();
try {
  process.exitCode = (await checked(world, untouched)) ? 0 : 1;
} finally {
  await Promise.all([world.close(), untouched.close()]);
}

/** `untouched`: a home in which nothing of others was ever read. */
async function checked(world: World, untouched: World): Promise<boolean> {
  const newcomer = await modern(untouched, ALL);
  const client = await modern(world, ALL);
  const old = await legacy(world, ALL);
  try {
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
    const evaluation = await evaluate(client, newcomer, { ids, scene });
    const [addresses, oldAddresses] = [await idsFor(client, ids.done, scene), await idsFor(old, ids.done, scene)];
    const eras = { "2025": await surfaceOf(old), "2026": await surfaceOf(client) };
    const sizes = { "2025": await readAll(old, oldAddresses), "2026": await readAll(client, addresses) };
    const snapshot = await compared(eras["2026"]);
    const result = {
      surface: {
        changed: snapshot,
        differsBetweenEras: different(eras["2025"], eras["2026"]),
        capabilities: { "2025": eras["2025"].capabilities, "2026": eras["2026"].capabilities },
        listed: Object.keys(eras["2026"].listed).length,
        read: Object.keys(sizes["2026"]).length,
      },
      schemas: await validated(old, oldAddresses),
      boundary: await boundaryOf(world),
      sizes: {
        normal: await modelBytes(world, "normal"),
        developer: await modelBytes(world, "developer"),
        read: sizes["2026"],
      },
      pace: await paceOf(client, ids.done),
      evaluation: {
        passed: evaluation.filter(({ found }) => found).length,
        of: evaluation.length,
        tokens: evaluation.reduce((sum, { tokens }) => sum + tokens, 0),
        tasks: evaluation,
      },
    };
    if (process.argv.includes("--save")) await writeFile(PAGE, surfacePage(eras["2026"], sizes, evaluation));
    process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
    const { surface, schemas, boundary } = result;
    return (
      surface.changed.length === 0 &&
      surface.differsBetweenEras.length === 0 &&
      schemas.failed.length === 0 &&
      boundary.every(({ expected, answered }) => expected === answered) &&
      evaluation.every(({ found }) => found)
    );
  } finally {
    await Promise.all([client.close(), old.close(), newcomer.close()]);
  }
}

/** A value for every variable of every template. */
async function idsFor(client: Parameters<typeof call>[0], negotiation_id: string, scene_id: string): Promise<Ids> {
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

/** Names whose print is not the snapshot's, on either side. */
async function compared({ listed }: Surface): Promise<string[]> {
  const prints = Object.fromEntries(Object.entries(listed).map(([name, { print }]) => [name, print]));
  if (process.argv.includes("--update")) await writeFile(SNAPSHOT, `${JSON.stringify(prints, null, 2)}\n`);
  const kept = JSON.parse(await readFile(SNAPSHOT, "utf8")) as Record<string, string>;
  return Object.keys({ ...kept, ...prints }).filter((name) => kept[name] !== prints[name]);
}

function different(a: Surface, b: Surface): string[] {
  return Object.keys({ ...a.listed, ...b.listed }).filter(
    (name) => a.listed[name]?.bytes === undefined || b.listed[name] === undefined,
  );
}

/** The 2025 client throws where a result is not what its tool declares. */
async function validated(client: Awaited<ReturnType<typeof legacy>>, ids: Ids) {
  await client.listTools();
  const failed: string[] = [];
  for (const [name, args] of READS)
    await client
      .callTool({ name, arguments: args(ids) })
      .catch((error: Error) => failed.push(`${name}: ${error.message}`));
  return { checked: READS.length, failed };
}

/** Names, descriptions and input schemas: what a model pays for a list. */
async function modelBytes(world: World, mode: string): Promise<number> {
  const client = await modern(world, ["--mode", mode]);
  const { tools } = await client.listTools();
  await client.close();
  return tools.reduce(
    (sum, { name, description = "", inputSchema }) => sum + bytesOf(name + description + JSON.stringify(inputSchema)),
    0,
  );
}
