import { type FormGeometry, MIN_FORM } from "./form-geometry.ts";

/** What a client does with a question, as it was seen to do. */
export interface ClientSurface {
  /** What its form, and its question about a page, show. */
  form: FormGeometry;
  /** In which order the fields of a form stand. */
  fieldOrder: "as_given" | "by_name";
  /** What becomes of a question about a page: some clients declare pages and decline each one, unseen. */
  pages: "opened" | "declined_unseen";
  /** It wants an `elicitationId` beside a page's address also in the 2026 era, which has none. */
  needsElicitationId: boolean;
  /** Its "accept" comes as the page opens, and not when its person is done there. */
  acceptsAsItOpens?: true;
}

export interface SeenClient extends ClientSurface {
  /** As the client calls itself. */
  client: string;
  title: string;
  version: string;
  /** When it was driven for real. */
  date: string;
}

/** Every terminal was 60 columns wide; those whose forms grow with their text had 24 rows, of which all was seen. */
export const SEEN_CLIENTS: readonly SeenClient[] = [
  {
    client: "claude-code",
    title: "Claude Code",
    version: "2.1.332",
    date: "2026-11-26",
    form: MIN_FORM,
    fieldOrder: "as_given",
    pages: "opened",
    needsElicitationId: false,
  },
  {
    client: "codex-mcp-client",
    title: "Codex",
    version: "0.169.0",
    date: "2026-11-22",
    form: { ...MIN_FORM, messageRows: 13, messageColumns: 56, keepsLineBreaks: true, wraps: "by_rules", fieldRows: 3 },
    fieldOrder: "by_name",
    pages: "declined_unseen",
    needsElicitationId: false,
  },
  {
    client: "copilot-cli",
    title: "Copilot CLI",
    version: "1.0.102",
    date: "2026-11-22",
    form: { ...MIN_FORM, messageRows: 8, messageColumns: 56, keepsLineBreaks: true, wraps: "by_rules", fieldRows: 3 },
    fieldOrder: "as_given",
    pages: "opened",
    needsElicitationId: true,
    acceptsAsItOpens: true,
  },
];

/** Of a client that nobody has driven: the least of what was seen anywhere. */
const UNKNOWN_CLIENT: ClientSurface = {
  form: MIN_FORM,
  fieldOrder: "as_given",
  pages: "opened",
  needsElicitationId: false,
};

/**
 * Clients that start the server for each call and end it with the call's answer, by the name that they give themselves:
 * mcporter 0.12.3, and the inspector's `--cli` and its `mcpdo` without a session (2.12.0).
 */
const EACH_CALL = ["mcporter", "inspector-cli"];

export const startsServerEachCall = (info: { name: string } | undefined): boolean =>
  info !== undefined && EACH_CALL.includes(info.name);

/** What is known of a client by its own name and version: of its newest version that was seen and is no newer. */
export function surfaceOf(info: { name: string; version: string } | undefined): ClientSurface {
  const known = SEEN_CLIENTS.filter(
    ({ client, version }) => client === info?.name && compareVersions(version, info.version) <= 0,
  );
  return known.sort((a, b) => compareVersions(a.version, b.version)).at(-1) ?? UNKNOWN_CLIENT;
}

/** By their numbers, part by part; what is no number counts as 0. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(/[.+-]/).map((part) => Number.parseInt(part, 10) || 0));
  const length = Math.max(left?.length ?? 0, right?.length ?? 0);
  for (let i = 0; i < length; i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
