import { onTestFinished } from "vitest";
import { ABOUT_PAGE, PAGES } from "../../docs/generate/confirmation.ts";
import { READING_MS } from "../support/clients.ts";
import { hostedPagesOf, pagesOf, TOKENS } from "../support/pages.ts";
import type { Process, ProcessOptions, World } from "../support/world.ts";
import { comeTo, send } from "./page-support.ts";

export const POLICIES = ["auto", "strict"] as const;
export type Policy = (typeof POLICIES)[number];

export type AboutPage = keyof typeof ABOUT_PAGE;
export const isAboutPage = (surface: string): surface is AboutPage => surface in ABOUT_PAGE;
/** A client that opens pages, and somebody who answers after a look at the question. */
export const answeringPage = (world: World, surface: AboutPage): Pick<ProcessOptions, "elicitation" | "answer"> => ({
  elicitation: { url: {} },
  async answer() {
    await world.clock.sleep(READING_MS);
    return { action: surface === "done" ? "accept" : "decline" };
  },
});

export type ByPage = keyof typeof PAGES;
const AT_ENDPOINT = ["stranger", "another", "signed"] as const;
type AtEndpoint = (typeof AT_ENDPOINT)[number];
const isAtEndpoint = (surface: ByPage): surface is AtEndpoint => AT_ENDPOINT.some((one) => one === surface);
export const isPage = (surface: string): surface is ByPage => surface in PAGES;

type Pages = ReturnType<typeof pagesOf>;
type Addresses = { forClient: string; forResult: string };

/**
 * Comes to a page by one of its ways, and gives what asks there. `windows`: what the server has opened by then. A form of
 * another website comes from the browser that was let in, with all its cookies.
 */
async function arrive(
  surface: Exclude<ByPage, AtEndpoint>,
  { forClient, forResult }: Addresses,
  { browsers }: Pages,
  windows: readonly string[],
) {
  const first = surface === "window" || surface === "elicited" ? forClient : forResult;
  const found = await comeTo(first);
  const isLetIn = surface === "known" || surface === "foreign";
  if (isLetIn) await browsers.letIn(/id="code" data-code="([\d-]+)"/.exec(found.body)?.[1] ?? "");
  const address = windows[0] ?? first;
  let cookie = surface === "window" || surface === "fetched" ? undefined : found.cookie;
  const ask = async (path: string, form?: Record<string, string>) => {
    const by: Record<string, string> = form && surface === "foreign" ? { origin: "https://evil.example" } : {};
    const reply = await send(new URL(path, address).href, form, { ...by, ...(cookie !== undefined && { cookie }) });
    if (reply.cookie?.startsWith("towow_visit")) cookie = reply.cookie;
    cookie ??= reply.cookie;
    return reply;
  };
  return { path: new URL(address).pathname, ask };
}

/** The same at an endpoint, where somebody else always comes first, by either of the page's addresses. */
async function arriveAtEndpoint(surface: AtEndpoint, { forClient, forResult }: Addresses, browsersPage: string) {
  for (const address of [forClient, forResult]) await send(address);
  const [at, token] = surface === "another" ? [browsersPage, TOKENS.bob] : [forClient, TOKENS.ada];
  const { cookie } = surface === "stranger" ? await send(forClient) : await send(at, { token });
  const headers: Record<string, string> = cookie === undefined ? {} : { cookie };
  const ask = (path: string, form?: Record<string, string>) => send(new URL(path, forClient).href, form, headers);
  return { path: new URL(forClient).pathname, ask };
}

/** What was accepted, or why it was not. */
export interface Verdict {
  accepted: boolean;
  /** The error's code, the result's warning, or the page's status. */
  why: string;
}

/** What a cell of a matrix is under. */
export interface Given {
  policy: Policy;
  tainted: boolean;
}

/** What has been read before the call: text of others, where `tainted`. */
export const taintedWhere = async (tainted: boolean, world: World): Promise<void> => {
  if (tainted) await world.tainted.keep(world.clock.now() + 3_600_000, 3_600_000);
};

/** A page's own site, and the way to it; the site ends with the test. */
export async function pageOf(
  world: World,
  p: Process,
  surface: ByPage,
  open: (pages: Pick<Pages, "open" | "openPermission">) => Promise<Addresses>,
) {
  if (isAtEndpoint(surface)) {
    const hosted = await hostedPagesOf(world, p);
    onTestFinished(() => hosted.close());
    return arriveAtEndpoint(surface, await open(hosted), hosted.browsersPage);
  }
  const windows: string[] = [];
  const pages = pagesOf(world, p, async (page) => surface === "window" && windows.push(page) > 0);
  onTestFinished(() => pages.close());
  return arrive(surface, await open(pages), pages, windows);
}

/** Each policy, before and after text of others has been read. */
export const CONDITIONS: readonly Given[] = POLICIES.flatMap((policy) =>
  [false, true].map((tainted) => ({ policy, tainted })),
);

const nameOf = ({ policy, tainted }: Given): string => (tainted ? `${policy}, after` : policy);

/** What was answered, as a person can read it in a review: a line for each row, a column for each condition. */
export function tableOf(cells: readonly { row: readonly string[]; given: Given; verdict: Verdict }[]): string {
  const lines = new Map<string, { row: readonly string[]; answers: Map<string, string> }>();
  for (const { row, given, verdict } of cells) {
    const line = lines.get(row.join()) ?? { row, answers: new Map() };
    line.answers.set(nameOf(given), `${verdict.accepted ? "yes" : "no"} ${verdict.why}`.trim());
    lines.set(row.join(), line);
  }
  const columns = CONDITIONS.map(nameOf);
  const blocks = [...lines.values()].map(({ row, answers }) =>
    [row.join(" · "), ...columns.map((column) => `  ${`${column}:`.padEnd(15)} ${answers.get(column) ?? "–"}`)].join(
      "\n",
    ),
  );
  return `${blocks.join("\n")}\n`;
}
