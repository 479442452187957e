/** What a client says first, read as far as it takes to tell the usual from what only the real server can answer. */

export type Era = "legacy" | "modern";
type Fields = Readonly<Record<string, unknown>>;

/** The 2025-era revisions of which one is answered with itself. */
export const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const MODERN = "2026-07-28";
const META = "io.modelcontextprotocol";

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** A line of a client's; empty where it is no message. */
export function messageOf(line: string): { id?: unknown; method?: unknown; params: Fields } {
  try {
    const { id, method, params } = JSON.parse(line);
    return { id, method, params: isFields(params) ? params : {} };
  } catch {
    return { params: {} };
  }
}

const isClient = (value: unknown): boolean =>
  isFields(value) && typeof value.name === "string" && typeof value.version === "string";

/** An `initialize` as every client of the 2025 era sends it. */
export const beginsSession = ({ protocolVersion, capabilities, clientInfo, _meta }: Fields): boolean =>
  VERSIONS.includes(protocolVersion as string) && isPlain(capabilities) && isClient(clientInfo) && _meta === undefined;

/** A first page, asked for as the era has it. */
export function asksForList({ _meta, ...rest }: Fields, era: Era): boolean {
  if (Object.keys(rest).length > 0) return false;
  if (era === "legacy") return _meta === undefined;
  const meta = isFields(_meta) ? _meta : {};
  const isEnvelope = isClient(meta[`${META}/clientInfo`]) && isPlain(meta[`${META}/clientCapabilities`]);
  return isEnvelope && meta[`${META}/protocolVersion`] === MODERN;
}

export const capabilitiesIn = ({ _meta }: Fields): unknown => isFields(_meta) && _meta[`${META}/clientCapabilities`];

/** Where a person sits before the client, it is to ask them at each call of some tools (`mcp/tool-entry.ts`). */
export const followsTasks = (capabilities: unknown): boolean =>
  isFields(capabilities) && isFields(capabilities.extensions) && `${META}/tasks` in capabilities.extensions;

const isPlain = (value: unknown): boolean => isFields(value) && !Array.isArray(value);
