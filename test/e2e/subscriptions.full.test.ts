import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { type RunningMock, runningMock } from "../support/backend.ts";
import { startEndpoint } from "../support/endpoint.ts";
import { temporaryHome } from "../support/home.ts";
import { ProgramTransport } from "../support/program-transport.ts";

/** One client that follows negotiations, in its era's own way. */
interface Follower {
  submit(mock: RunningMock): Promise<string>;
  /** Gives the addresses that are followed, and what ends that. */
  follow(uris: string[]): Promise<{ followed: string[]; leave: () => Promise<void> }>;
  news: string[];
}

const MODERN = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;
const submission = ({ sceneId }: RunningMock) => ({
  name: "towow_submit_demand",
  arguments: { scene_id: sceneId, intent: "machine learning", allow_duplicate: true },
});
const idIn = (result: object): string =>
  (result as { structuredContent: { data: { negotiation_id: string } } }).structuredContent.data.negotiation_id;

async function legacy(transport: ProgramTransport | URL, headers = {}): Promise<Follower> {
  const client = new LegacyClient({ name: "legacy-test", version: "1" });
  const news: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void news.push(params.uri));
  await client.connect(
    (transport instanceof URL ? new LegacyHttp(transport, { requestInit: { headers } }) : transport) as never,
  );
  onTestFinished(() => client.close());
  return {
    news,
    submit: async (mock) => idIn(await client.callTool(submission(mock))),
    async follow(uris) {
      const followed: string[] = [];
      for (const uri of uris)
        await client.subscribeResource({ uri }).then(
          () => followed.push(uri),
          () => {},
        );
      const leave = async () => {
        for (const uri of followed) await client.unsubscribeResource({ uri });
      };
      return { followed, leave };
    },
  };
}

async function modern(transport: ProgramTransport | URL, headers = {}): Promise<Follower> {
  const client = new ModernClient({ name: "modern-test", version: "1" }, MODERN);
  const news: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void news.push(params.uri));
  await client.connect(
    (transport instanceof URL ? new ModernHttp(transport, { requestInit: { headers } }) : transport) as never,
  );
  onTestFinished(() => client.close());
  return {
    news,
    submit: async (mock) => idIn(await client.callTool(submission(mock))),
    async follow(uris) {
      const subscription = await client.listen({ resourceSubscriptions: uris });
      const { resourceSubscriptions: followed = [] } = subscription.honoredFilter as {
        resourceSubscriptions?: string[];
      };
      return { followed, leave: () => subscription.close() };
    },
  };
}

async function overStdio(connect: typeof legacy | typeof modern) {
  const mock = await runningMock({ stepMs: 150 });
  const env = {
    PATH: process.env.PATH ?? "",
    TOWOW_HOME: await temporaryHome(),
    TOWOW_BACKEND_URL: mock.url,
    TOWOW_MODE: "developer",
    TOWOW_ON_UNCONFIRMED: "leave",
  };
  return { mock, client: await connect(new ProgramTransport([], { env })) };
}

async function overHttp(connect: typeof legacy | typeof modern) {
  const endpoint = await startEndpoint({
    env: { TOWOW_MODE: "developer", TOWOW_ON_UNCONFIRMED: "leave" },
    mock: { stepMs: 150 },
  });
  onTestFinished(() => endpoint.close());
  const mock = Object.assign(endpoint.mock, {
    url: endpoint.mockUrl,
    sceneId: endpoint.mock.scenes()[0]?.scene_id ?? "",
  });
  const headers = { authorization: `Bearer ${await endpoint.token()}` };
  return { mock, client: await connect(new URL(endpoint.url), headers) };
}

/** Somebody else's yes, from which it goes on to its plan. */
async function confirm({ engine, negotiations }: RunningMock, id: string): Promise<void> {
  const state = () => negotiations().find(({ negotiation_id }) => negotiation_id === id)?.state;
  await expect.poll(state).toBe("formulated");
  engine.confirm(id, null, "other");
  await expect.poll(state).toBe("completed");
}

describe.each([
  ["stdio, 2025 era", () => overStdio(legacy)],
  ["stdio, 2026-07-28", () => overStdio(modern)],
  ["HTTP, 2025 era", () => overHttp(legacy)],
  ["HTTP, 2026-07-28", () => overHttp(modern)],
] as const)("%s", (_, connect) => {
  it("news comes of what is followed, of nothing else, and none after it is left", async () => {
    const { mock, client } = await connect();
    const id = await client.submit(mock);
    const uri = `towow://negotiations/${id}`;
    const strange = ["towow://negotiations/neg_none", "towow://policy", "file:///etc/passwd", `${uri}/../x`];
    const { followed, leave } = await client.follow([uri, ...strange]);
    expect(followed).toEqual([uri]);
    await confirm(mock, id);
    await expect.poll(() => client.news).not.toEqual([]);
    expect(new Set(client.news)).toEqual(new Set([uri]));

    await leave();
    const otherId = await client.submit(mock);
    const other = `towow://negotiations/${otherId}`;
    const again = await client.follow([other]);
    await again.leave();
    const newsOf = (wanted: string) => client.news.filter((one) => one === wanted).length;
    const before = newsOf(other);
    await confirm(mock, otherId);
    // By the time at which news of a later one has come, this one's would have.
    const laterId = await client.submit(mock);
    const later = `towow://negotiations/${laterId}`;
    await client.follow([later]);
    const known = newsOf(later);
    await confirm(mock, laterId);
    await expect.poll(() => newsOf(later)).toBeGreaterThan(known);
    expect(newsOf(other)).toBe(before);
  });
});
