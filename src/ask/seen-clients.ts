import { type FormGeometry, MIN_FORM } from "./form-geometry.ts";

/** Says what a client was seen to do with a question. */
export interface ClientSurface {
  /** The client's form, and its question about a page, show this much. */
  form: FormGeometry;
  /** The fields of a form stand in this order. */
  fieldOrder: "as_given" | "by_name";
  /** Some clients declare pages and decline each one unseen. */
  pages: "opened" | "declined_unseen";
  /** The client wants an `elicitationId` beside a page's address even in the 2026 era, which has none. */
  needsElicitationId: boolean;
  /** The client's "accept" comes as the page opens, and not when its person is done there. */
  acceptsAsItOpens?: true;
}

export interface SeenClient extends ClientSurface {
  /** The client calls itself this. */
  client: string;
  title: string;
  version: string;
  /** The client was driven for real on this day. */
  date: string;
}

/**
 * Every terminal was 60 columns wide. Terminals whose forms grow with their text had 24 rows, of which all were seen.
 */
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

/** A client that nobody has driven gets the least that was seen anywhere. */
const UNKNOWN_CLIENT: ClientSurface = {
  form: MIN_FORM,
  fieldOrder: "as_given",
  pages: "opened",
  needsElicitationId: false,
};

/**
 * These clients start the server for each call and end it with the call's answer: mcporter 0.12.3, and the inspector's
 * `--cli` and its `mcpdo` without a session (2.12.0). They stand under the names that they give themselves.
 */
const EACH_CALL = ["mcporter", "inspector-cli"];

export const startsServerEachCall = (info: { name: string } | undefined): boolean =>
  info !== undefined && EACH_CALL.includes(info.name);

/** Returns what is known of a client: of the newest version that was seen and is no newer than its own. */
export function surfaceOf(info: { name: string; version: string } | undefined): ClientSurface {
  const known = SEEN_CLIENTS.filter(
    ({ client, version }) => client === info?.name && compareVersions(version, info.version) <= 0,
  );
  return known.sort((a, b) => compareVersions(a.version, b.version)).at(-1) ?? UNKNOWN_CLIENT;
}

/** Compares by number, part by part. A part that is no number counts as 0. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(/[.+-]/).map((part) => Number.parseInt(part, 10) || 0));
  const length = Math.max(left?.length ?? 0, right?.length ?? 0);
  for (let i = 0; i < length; i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
