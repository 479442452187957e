import { ResourceNotFoundError, UriTemplate } from "@modelcontextprotocol/server";
import { isNegotiationId } from "../../backend/route.ts";
import { decodedPart } from "../../safety/resource-uris.ts";
import type { ResourceWords } from "../../text/resources.ts";
import { invalidParams } from "../list-params.ts";
import { readPrompt, readPrompts, readSchema, readSchemas, readTool, readTools, readToolset } from "./catalog.ts";
import { readDocIndex, readDocPage } from "./docs.ts";
import { readEvidence, readNegotiation, readOffer, readPlan, readReviews } from "./full-texts.ts";
import { NEGOTIATION_FILTERS, readNegotiations } from "./negotiation-list.ts";
import { readPolicy } from "./policy.ts";
import type { Contents, Reading } from "./reading.ts";
import { readBrief, readCached, readGraph } from "./reports.ts";
import { AGENT_FILTERS, readScene, readSceneAgents, readScenes, SCENE_FILTERS } from "./scenes.ts";

const QUERY_PART = /\{\?([^}]*)\}$/;

/** One kind of resource. */
export interface Resource {
  /** A URI, or a template (RFC 6570) if the resources of this kind are not listed one by one. */
  uri: string;
  /**
   * The URI without its filters. The field is undefined if the path has variables, so that the resource cannot be
   * listed.
   */
  plain: string | undefined;
  /** The template without its query. */
  path: UriTemplate;
  isTemplate: boolean;
  /** The parameters that the query may hold. */
  query: readonly string[];
  /** True if a read makes no request to the backend. */
  isLocal?: true;
  name: string;
  words: ResourceWords;
  mimeType: string;
  /** Reads the resource. @throws ResourceNotFoundError, ProtocolError, or a TowowError of the backend */
  read: (reading: Reading) => Promise<Contents>;
}

type Rest = Pick<Resource, "name" | "words" | "mimeType" | "read" | "isLocal">;

function resource(uri: string, rest: Rest): Resource {
  const query = QUERY_PART.exec(uri)?.[1]?.split(",") ?? [];
  const bare = uri.replace(QUERY_PART, "");
  const path = new UriTemplate(bare);
  const isPlain = path.variableNames.length === 0;
  return {
    uri,
    plain: isPlain ? bare : undefined,
    path,
    isTemplate: !isPlain || query.length > 0,
    query,
    ...rest,
  };
}

const filtered = (uri: string, filters: readonly string[]): string => `${uri}{?${filters.join(",")}}`;
const local = (name: ResourceWords, read: Rest["read"], mimeType = "application/json"): Rest => ({
  name,
  words: name,
  mimeType,
  isLocal: true,
  read,
});
/** Describes a resource that comes from the backend. Text that others wrote is fenced in it. */
const live = (words: ResourceWords, read: Rest["read"], name: string = words): Rest => ({
  name,
  words,
  mimeType: "text/plain",
  read,
});

/** Every resource and template (agent layer §7). */
export const RESOURCES: readonly Resource[] = [
  resource("towow://policy", local("policy", readPolicy)),
  resource("towow://tools", local("tools", readTools)),
  resource("towow://tools/{name}", local("tool", readTool)),
  resource("towow://toolsets/{toolset}", local("toolset", readToolset)),
  resource("towow://prompts", local("prompts", readPrompts)),
  resource("towow://prompts/{name}", local("prompt", readPrompt, "text/markdown")),
  resource("towow://schemas", local("schemas", readSchemas)),
  resource("towow://schemas/{name}", local("schema", readSchema)),
  resource("towow://docs", local("docs", readDocIndex)),
  resource("towow://docs/{page_name}", local("doc", readDocPage, "text/markdown")),
  resource("towow://reviews", local("reviews", readReviews)),
  resource(filtered("towow://negotiations", NEGOTIATION_FILTERS), local("negotiations", readNegotiations)),
  resource(filtered("towow://scenes", SCENE_FILTERS), live("scenes", readScenes)),
  resource("towow://scenes/{scene_id}", live("scene", readScene)),
  resource(
    filtered("towow://scenes/{scene_id}/agents", AGENT_FILTERS),
    live("sceneAgents", readSceneAgents, "scene-agents"),
  ),
  resource("towow://evidence/recent", local("evidence", readRecentCalls)),
  resource("towow://negotiations/{negotiation_id}", live("negotiation", readNegotiation)),
  resource("towow://negotiations/{negotiation_id}/plan{?page}", live("plan", readPlan)),
  resource("towow://negotiations/{negotiation_id}/offers/{agent_id}{?page}", live("offer", readOffer)),
  resource("towow://negotiations/{negotiation_id}/graph{?page}", live("graph", readGraph)),
  resource("towow://negotiations/{negotiation_id}/brief{?page}", live("brief", readBrief)),
  resource("towow://cache/{cache_key}{?page}", local("cache", readCached, "text/plain")),
  resource("towow://negotiations/{negotiation_id}/evidence", live("feedEvidence", readEvidence, "feed-evidence")),
  resource("towow://tasks/{task_id}/result", live("task", readTaskResult, "task-result")),
];

/** Lists the calls of this session, without their arguments and results. */
async function readRecentCalls({ deps }: Reading): Promise<Contents> {
  return { text: JSON.stringify({ calls: deps.session.recentCalls.recent() }), holdsOthersText: false };
}

/** Reads the result of a background task, or a sentence saying that there is no result yet. */
async function readTaskResult({ uri, ids: { task_id = "" }, texts, deps, serverContext }: Reading): Promise<Contents> {
  const text = await deps.taskResult(task_id, serverContext);
  if (text === undefined) throw new ResourceNotFoundError(uri);
  // A result taints the session when it is made, so reading it again does not.
  return { text: text === "" ? texts.notYet : text, holdsOthersText: false };
}

const PAGE_NUMBER = /^[1-9]\d{0,5}$/;
const MAX_URI_LENGTH = 2_000;

interface Located {
  resource: Resource;
  ids: Record<string, string>;
  page: number;
  filters: Record<string, string>;
}

/**
 * Finds the resource that a URI names, with its decoded ids. Returns undefined for an unknown URI.
 * @throws ProtocolError for a query that this resource does not know
 */
export function locate(uri: string): Located | undefined {
  if (uri.length > MAX_URI_LENGTH) return undefined;
  const at = uri.indexOf("?");
  const [path, query] = at < 0 ? [uri, ""] : [uri.slice(0, at), uri.slice(at + 1)];
  for (const one of RESOURCES) {
    const matched = one.path.match(path);
    const ids = matched === null ? undefined : decoded(matched);
    if (ids === undefined) continue;
    const { page = "1", ...filters } = queryOf(query, one);
    if (!PAGE_NUMBER.test(page)) return undefined;
    return { resource: one, ids, page: Number(page), filters };
  }
  return undefined;
}

/**
 * Parses the query. @throws ProtocolError for a parameter that the resource does not know, because ignoring it would
 * answer another question
 */
function queryOf(text: string, { query: known }: Resource): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (!known.includes(name) || name in given) {
      const takes = known.length === 0 ? "none" : known.join(", ");
      throw invalidParams(`Unknown parameter: ${name.slice(0, 40)}. This resource takes: ${takes}`);
    }
    if (value !== "") given[name] = value;
  }
  return given;
}

/** Decodes the ids. Returns undefined if an id is not properly encoded or would lead to another address. */
function decoded(matched: Record<string, string | string[]>): Record<string, string> | undefined {
  const ids: Record<string, string> = {};
  for (const [name, value] of Object.entries(matched)) {
    const id = decodedPart(String(value));
    if (id === undefined || leadsAway(name, id)) return undefined;
    ids[name] = id;
  }
  return ids;
}

const leadsAway = (name: string, id: string): boolean =>
  name === "negotiation_id" ? !isNegotiationId(id) : id === "." || id === "..";
