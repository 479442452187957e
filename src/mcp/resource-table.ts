import { ResourceNotFoundError, UriTemplate } from "@modelcontextprotocol/server";
import { isPathId } from "../safety/resource-uris.ts";
import type { ResourceTexts } from "../text/resources.ts";
import { readNegotiation, readOffer, readPlan } from "./full-texts.ts";
import type { Contents, Reading } from "./reading.ts";
import { readBrief, readCached, readGraph } from "./report-resources.ts";

const PAGE = "{?page}";

/** One kind of resource. */
export interface Resource {
  /** A URI, or a template (RFC 6570) whose resources are not listed one by one. */
  uri: string;
  /** The template without its page. */
  path: UriTemplate;
  isTemplate: boolean;
  isPaged: boolean;
  /** It costs no request. */
  isLocal?: true;
  name: string;
  words: keyof ResourceTexts & ("evidence" | "negotiation" | "plan" | "offer" | "task" | "graph" | "brief" | "cache");
  mimeType: string;
  /** @throws ResourceNotFoundError, or a TowowError of the backend. */
  read: (reading: Reading) => Promise<Contents>;
}

function resource(uri: string, rest: Pick<Resource, "name" | "words" | "mimeType" | "read" | "isLocal">): Resource {
  const path = new UriTemplate(uri.replace(PAGE, ""));
  return { uri, path, isTemplate: path.variableNames.length > 0, isPaged: uri.endsWith(PAGE), ...rest };
}

/** Every resource, one entry each (agent layer §7). */
export const RESOURCES: readonly Resource[] = [
  resource("towow://evidence/recent", {
    name: "evidence",
    words: "evidence",
    mimeType: "application/json",
    read: async ({ deps }) => ({
      text: JSON.stringify({ calls: deps.session.evidence.recent() }),
      holdsOthersText: false,
    }),
  }),
  resource("towow://negotiations/{negotiation_id}", {
    name: "negotiation",
    words: "negotiation",
    mimeType: "text/plain",
    read: readNegotiation,
  }),
  resource("towow://negotiations/{negotiation_id}/plan{?page}", {
    name: "plan",
    words: "plan",
    mimeType: "text/plain",
    read: readPlan,
  }),
  resource("towow://negotiations/{negotiation_id}/offers/{agent_id}{?page}", {
    name: "offer",
    words: "offer",
    mimeType: "text/plain",
    read: readOffer,
  }),
  resource("towow://negotiations/{negotiation_id}/graph{?page}", {
    name: "graph",
    words: "graph",
    mimeType: "text/plain",
    read: readGraph,
  }),
  resource("towow://negotiations/{negotiation_id}/brief{?page}", {
    name: "brief",
    words: "brief",
    mimeType: "text/plain",
    read: readBrief,
  }),
  resource("towow://cache/{cache_key}{?page}", {
    name: "cache",
    words: "cache",
    mimeType: "text/plain",
    isLocal: true,
    read: readCached,
  }),
  resource("towow://tasks/{task_id}/result", {
    name: "task-result",
    words: "task",
    mimeType: "text/plain",
    read: readTaskResult,
  }),
];

/** What the task's client was given at its end; before that, how far it is. */
async function readTaskResult({ uri, ids: { task_id = "" }, texts, deps, serverContext }: Reading): Promise<Contents> {
  const text = await deps.taskResult(task_id, serverContext);
  if (text === undefined) throw new ResourceNotFoundError(uri);
  return { text: text === "" ? texts.none : text, holdsOthersText: false }; // as with every result, it is noted already
}

const QUERY = /^page=([1-9]\d{0,5})$/;
const MAX_URI_LENGTH = 2_000;

/** The resource that a URI names, with its decoded ids. Undefined for an unknown URI. */
export function locate(uri: string): { resource: Resource; ids: Record<string, string>; page: number } | undefined {
  if (uri.length > MAX_URI_LENGTH) return undefined;
  const [path = "", query, ...more] = uri.split("?");
  const page = query === undefined ? "1" : QUERY.exec(query)?.[1];
  if (page === undefined || more.length > 0) return undefined;
  for (const one of RESOURCES) {
    const matched = one.path.match(path);
    if (matched === null || (query !== undefined && !one.isPaged)) continue;
    const ids = decoded(matched);
    if (ids !== undefined) return { resource: one, ids, page: Number(page) };
  }
  return undefined;
}

/** The ids, decoded. Undefined where one is not properly encoded or would lead elsewhere. */
function decoded(matched: Record<string, string | string[]>): Record<string, string> | undefined {
  try {
    const ids = Object.entries(matched).map(([name, value]) => [name, decodeURIComponent(String(value))] as const);
    const leadsAway = ids.some(([name, id]) => (name === "negotiation_id" ? !isPathId(id) : id === "." || id === ".."));
    return leadsAway ? undefined : Object.fromEntries(ids);
  } catch {
    return undefined;
  }
}
