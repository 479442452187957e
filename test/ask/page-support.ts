import { request as httpRequest } from "node:http";
import { onTestFinished } from "vitest";
import type { ServerDeps } from "../../src/mcp/server-deps.ts";
import { decisionPage } from "../support/decision-page.ts";
import { pagesOf } from "../support/pages.ts";
import { createWorld } from "../support/world.ts";

export const LONG = "Wanted: somebody who knows hospital software & <b>queues</b>.\n".repeat(40);
export const NO_ORIGIN = {};

export interface Reply {
  status: number;
  body: string;
  cookie: string | undefined;
  headers: Record<string, unknown>;
}

/** Plain HTTP, so that Host, Origin and cookies are what the test says. */
export function send(
  url: string,
  form?: Record<string, string>,
  headers: Record<string, string> = NO_ORIGIN,
): Promise<Reply> {
  const body = form && new URLSearchParams(form).toString();
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, {
      method: form ? "POST" : "GET",
      headers: { ...(body && { "content-type": "application/x-www-form-urlencoded" }), ...headers },
    });
    request.on("error", reject);
    request.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          body: text,
          cookie: response.headers["set-cookie"]?.[0]?.split(";")[0],
          headers: response.headers,
        }),
      );
    });
    request.end(body);
  });
}

/** Comes to an address as a browser that keeps its cookies, which is led there once more where nobody knows it yet. */
export async function comeTo(url: string, headers: Record<string, string> = {}) {
  const first = await send(url, undefined, headers);
  const [, path] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(first.body) ?? [];
  if (path === undefined) return first;
  return send(new URL(path, url).href, undefined, { ...headers, cookie: String(first.cookie) });
}

/** Opens the page as a browser does, and does what its buttons do. `headers`: what this browser sends besides. */
export async function visit(url: string, headers: Record<string, string> = {}) {
  let { cookie } = headers;
  const page = await decisionPage(new URL(url).pathname, async (path, form) => {
    const reply = await send(new URL(path, url).href, form, { ...headers, ...(cookie !== undefined && { cookie }) });
    cookie ??= reply.cookie;
    return reply;
  });
  return Object.assign(page.fill, { page, cookie: String(cookie) });
}

export async function openPage(
  text = LONG,
  lang: "en" | "zh" = "en",
  {
    candidate,
    openWindow = async () => false,
    config = {},
    textsOf,
  }: {
    textsOf?: ServerDeps["textsOf"];
    candidate?: string;
    openWindow?: (page: string) => Promise<boolean>;
    config?: Record<string, unknown>;
  } = {},
) {
  const world = await createWorld();
  world.mock.engine.formulateWith(() => text);
  const process = await world.process({ config });
  const demand = await process.call("towow_demand", { intent: "A designer" });
  const { negotiation_id: negotiationId } = demand.result.data;
  const deps = { ...process.deps, ...(textsOf && { textsOf }) };
  const pages = pagesOf(world, { ...process, deps }, openWindow);
  onTestFinished(() => pages.close());
  const { forClient: url, forResult } = await pages.open({ negotiationId, candidate, lang });
  return { world, process, pages, url, forResult, negotiationId };
}

/** What a browser says of a request that another site made. */
export const fetched = (mode: string, dest: string) => ({
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": mode,
  "sec-fetch-dest": dest,
});
