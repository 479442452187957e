import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { SceneSummary } from "../../backend/contract.ts";
import { fence } from "../../safety/fence.ts";
import { sanitizeListedItem } from "../../safety/sanitize/foreign.ts";
import { sanitizeOptions } from "../../safety/sanitize/options.ts";
import { type ListPage, listPage, type PageOptions } from "../../tools/list-page.ts";
import { searchScenes } from "../../tools/scene-search.ts";
import { inTurns } from "../../turn.ts";
import { type Contents, type Reading, rethrowCursorError } from "./reading.ts";

export const SCENE_FILTERS = ["query", "status", "cursor"] as const;
export const AGENT_FILTERS = ["cursor"] as const;

const MAX_SCENES = 50;
const MAX_AGENTS = 100;

/** Lists the scenes that match the query, or all scenes without one. Names and descriptions were written by others. */
export async function readScenes(reading: Reading): Promise<Contents> {
  const { query = "", status, cursor } = reading.filters;
  const scenes = await inTurns(searchScenes(await listed(reading, status), query));
  const options = sanitizeOptions(reading.settings);
  const page = await pageOf(scenes, {
    list: JSON.stringify(["towow://scenes", query, status ?? null]),
    cursor,
    most: MAX_SCENES,
    ...(query !== "" && { isOrdered: true as const }),
    idOf: ({ scene_id }) => scene_id,
    clean: (scene) => sanitizeListedItem(scene, options),
  });
  return fenced({ scenes: page.items, total: page.total, next_cursor: page.next_cursor }, page, reading);
}

/** Reads one scene from the list, because today's backend cannot return a single one. */
export async function readScene(reading: Reading): Promise<Contents> {
  const scene = (await listed(reading)).find(({ scene_id }) => scene_id === reading.ids.scene_id);
  if (scene === undefined) throw new ResourceNotFoundError(reading.uri);
  const { value, warnings } = await inTurns(sanitizeListedItem(scene, sanitizeOptions(reading.settings)));
  return fenced(value, { warnings }, reading);
}

export async function readSceneAgents(reading: Reading): Promise<Contents> {
  const { ids, deps, requestId, signal, filters, settings } = reading;
  const backend = await deps.account().backend(requestId);
  const { agents } = await backend.listAgents(ids.scene_id ?? "", { signal });
  const options = sanitizeOptions(settings);
  const page = await pageOf(agents, {
    list: JSON.stringify(["towow://scenes/agents", ids.scene_id]),
    cursor: filters.cursor,
    most: MAX_AGENTS,
    idOf: ({ agent_id }) => agent_id,
    clean: (agent) => sanitizeListedItem(agent, options),
  });
  // Names are cut to a length that hardly holds an instruction, so the list taints the session only if a name reads as
  // one.
  const contents = fenced({ agents: page.items, total: page.total, next_cursor: page.next_cursor }, page, reading);
  return { ...contents, holdsOthersText: page.warnings.includes("suspicious_instructions") };
}

async function listed({ deps, requestId, signal }: Reading, status?: string): Promise<SceneSummary[]> {
  const backend = await deps.account().backend(requestId);
  return backend.listScenes(status === undefined ? {} : { status }, { signal });
}

/** Returns one page of a list. @throws ProtocolError if the cursor does not belong to this list */
const pageOf = <T>(all: readonly T[], options: PageOptions<T>): Promise<ListPage<T>> =>
  listPage(all, options).catch(rethrowCursorError);

const fenced = (value: unknown, { warnings }: { warnings: string[] }, { deps }: Reading): Contents => ({
  text: fence(JSON.stringify(value, null, 1), deps.boundary),
  holdsOthersText: true,
  _meta: { "towow/warnings": warnings },
});
