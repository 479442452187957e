import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Form, legacyClient, modernClient, type Session } from "../support/clients.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { freePort } from "../support/free-port.ts";
import { type HttpBrowser, httpBrowser } from "../support/http-browser.ts";
import { sendProfile } from "../support/profile.ts";
import { soon } from "../support/soon.ts";

const PROFILE = { skills: ["design", "research", "figma"], bio: "Designer of calm hospital software, in Hangzhou." };
const INTENT = "I need somebody who plans hospital queues";
const EDITED = "Only people who know <b>queues</b> & wards.";

let endpoint: Endpoint;
let origin = "";
beforeAll(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  endpoint = await startEndpoint({
    args: ["--port", `${port}`, "--public-url", origin],
    env: { TOWOW_WAIT_BUDGET_S: "1" },
  });
});
afterAll(() => endpoint.close());

const browser = () => httpBrowser(endpoint.port, origin);

/** Somebody whose client opens addresses, and the browser in which they sign in on the first one. */
async function person(
  connect: typeof legacyClient,
  onPage: (address: string, own: HttpBrowser) => Promise<unknown>,
): Promise<{ session: Session; own: HttpBrowser; token: string }> {
  const token = await endpoint.token();
  const headers = { Authorization: `Bearer ${token}` };
  const own = browser();
  const session = await connect({ url: endpoint.url, headers, pages: true }, async ({ url = "", message }: Form) => {
    if (own.cookies.size === 0) expect((await own.ask(url, { token })).status).toBe(303);
    if (message.includes(INTENT) || !isProfile(message)) await onPage(url, own);
    else await own.decide(url, { decision: "accept" });
    return { action: "accept" };
  });
  await sendProfile(session.call, "towow_join", {
    scene: endpoint.sceneName,
    display_name: "Lin",
    profile_data: PROFILE,
  });
  return { session, own, token };
}
const isProfile = (message: string) => /profile|Profile/.test(message);
const ofBackend = (id: string) => endpoint.mock.negotiations().find((one) => one.negotiation_id === id);

describe.each([
  ["2025 era", legacyClient],
  ["2026-07-28", modernClient],
] as const)("a client that opens addresses, %s", (_, connect) => {
  it.each([
    ["accept", { decision: "accept" }],
    ["edit", { decision: "edit", text: EDITED }],
    ["reject", { decision: "reject" }],
  ] as const)("%s on the page", async (decision, form) => {
    const addresses: string[] = [];
    const { session } = await person(connect, async (address, own) => {
      addresses.push(address);
      // Whoever else has it comes first, reads nothing, sends nothing, and takes nothing away.
      const first = browser();
      expect((await first.decide(address, form)).status).toBe(403);
      const looked = await first.ask(address);
      expect([looked.status, looked.text.includes('type="password"')]).toEqual([403, true]);
      expect(looked.text).not.toMatch(new RegExp(`${INTENT}|Lin`));
      expect(first.cookies.size).toBe(0);
      const answer = await own.decide(address, form);
      expect(answer.status, answer.text).toBe(200);
    });
    let demand = await session.call("towow_demand", { intent: INTENT });
    // On a busy machine the text may not be written up within this call's second: the next one asks.
    for (let more = 0; more < 20 && addresses.length === 0; more++) {
      const { tool, params } = demand.result.data.resume_with;
      demand = await session.call(tool, params);
    }
    expect(addresses).toHaveLength(1);
    expect(addresses[0]).toMatch(new RegExp(`^${origin}/approve/[a-z0-9]{8}/[\\w-]{21}/[\\w-]{21}$`));
    expect(demand.result.data).toMatchObject({ decision, decided_by: "page" });
    const negotiation = ofBackend(demand.result.data.negotiation_id);
    if (decision === "reject") expect(negotiation).toMatchObject({ cancelled: true, confirmCount: 0 });
    else {
      const text = decision === "edit" ? EDITED : negotiation?.demand_formulated;
      expect(negotiation).toMatchObject({ confirmCount: 1, confirmedText: text });
    }
    // Nor afterwards.
    expect((await browser().ask(addresses[0] as string)).status).toBe(403);
  });
});

/** What is answered to a form of which the end never comes. */
function statusOfUnfinished(path: string): Promise<string | undefined> {
  const socket = connect(endpoint.port, "127.0.0.1");
  const { host } = new URL(origin);
  const type = "Content-Type: application/x-www-form-urlencoded";
  socket.write(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${type}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na=b&c\r\n`);
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("data", (chunk) => {
      resolve(/^HTTP\/1\.1 (\d+)/.exec(String(chunk))?.[1]);
      socket.destroy();
    });
  });
}

describe("a page's address", () => {
  /** The page that A has open, undecided. */
  async function openPage() {
    let address = "";
    const { session, own, token } = await person(legacyClient, async (url, own) => {
      address = url;
      await own.ask(url);
    });
    const demand = await session.call("towow_demand", { intent: INTENT }, {});
    const id = demand.result.data.negotiation_id as string;
    // On a busy machine the text may take longer than one call waits.
    while (address === "") await session.call("towow_demand", { negotiation_id: id }, {});
    return { address, own, token, session, id };
  }

  it("is one browser's, one site's and one name's", async () => {
    const { address, own, id } = await openPage();
    const other = await browser().ask(address);
    expect(other.status).toBe(403);
    expect(other.text).not.toContain(String(ofBackend(id)?.demand_formulated));
    const accept = { decision: "accept" };
    expect((await browser().ask(address, accept)).status).toBe(403);
    expect((await own.ask(address, accept, { Origin: "https://evil.example" })).status).toBe(403);
    expect((await own.ask(address, accept, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    expect((await own.ask(address, undefined, { Host: "evil.example" })).status).toBe(403);
    expect((await own.ask(address, undefined, { Host: "localhost" })).status).toBe(403);
    expect(ofBackend(id)).toMatchObject({ confirmCount: 0, cancelled: false });
    const page = await own.ask(address);
    expect(page.status).toBe(200);
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(page.headers["cache-control"]).toBe("no-store");
  });

  it("is not given to another user who asks about the same negotiation, and does not act for them", async () => {
    const { address, own, id } = await openPage();
    const addresses: string[] = [];
    const other = await person(modernClient, async (url) => void addresses.push(url));
    await other.session.call("towow_demand", { negotiation_id: id });
    expect(addresses).toHaveLength(1);
    expect(addresses[0]).not.toBe(address);
    // Signed in as themselves they learn whose it is not, and nothing else; with their token neither.
    for (const form of [undefined, { decision: "accept" }, { token: other.token }]) {
      const answer = await other.own.ask(address, form);
      expect(answer.status).toBe(403);
      expect(answer.text).not.toMatch(new RegExp(`${INTENT}|Lin`));
    }
    expect((await other.own.ask(address)).text).toContain("Another person");
    expect((await other.own.ask(address)).text).not.toContain("<form");
    expect((await other.own.ask(`${address}/act`, { do: "broadcast" })).status).toBe(403);
    expect(ofBackend(id)).toMatchObject({ confirmCount: 0, cancelled: false });
    expect((await own.decide(address, { decision: "accept" })).status).toBe(200);
    expect(ofBackend(id)).toMatchObject({ confirmCount: 1 });
  });

  it.each(["accept", "reject"])("is not given to a client under dry_run, nor its to others: %s", async (decision) => {
    const token = await endpoint.token();
    const headers = { Authorization: `Bearer ${token}` };
    const own = browser();
    expect((await own.ask(`${origin}/browsers`, { token })).status).toBe(303);
    const addresses: string[] = [];
    const client = (url: string) =>
      modernClient({ url, headers, pages: true }, async ({ url: address = "" }: Form) => {
        addresses.push(address);
        return { action: "cancel" };
      });
    const live = await client(endpoint.url);
    const [scene] = endpoint.mock.scenes();
    const demand = await live.call("towow_demand", { intent: INTENT, scene_id: scene?.scene_id }, {});
    const { negotiation_id } = demand.result.data;
    await soon(() => ofBackend(negotiation_id)?.state).toBe("formulated");
    const dry = await client(`${endpoint.url}?profile=dry_run`);
    addresses.splice(0);
    for (const session of [live, dry, live]) await session.call("towow_demand", { negotiation_id });
    const [first, underDryRun = "", again] = addresses;
    expect([addresses.length, first]).toEqual([3, again]);
    await own.decide(underDryRun, { decision });
    expect(ofBackend(negotiation_id)).toMatchObject({ confirmCount: 0, cancelled: false });
    await own.decide(String(again), { decision });
    const isYes = decision === "accept";
    expect(ofBackend(negotiation_id)).toMatchObject({ confirmCount: isYes ? 1 : 0, cancelled: !isYes });
  });

  it("that is none leads nowhere", async () => {
    const here = new URL((await openPage()).address).pathname.split("/").slice(0, 3).join("/");
    const gone = await browser().ask(`${origin}${here}/unknown/unknown`);
    expect([gone.status, gone.text.includes("towow-mcp list")]).toEqual([410, false]); // nobody has a terminal here
    expect((await browser().ask(`${origin}${here}/unknown`)).status).toBe(404);
    expect((await browser().ask(`${origin}/approve/elsewhere/unknown`)).status).toBe(404);
  });

  it("is looked at before what is sent there is read, which somebody may send without end", async () => {
    const { pathname } = new URL((await openPage()).address);
    const unknown = pathname.replace(/[^/]+$/, "unknown");
    expect(await statusOfUnfinished(unknown)).toBe("410");
  });

  it("takes a token of people who sign in there, and no more than that", async () => {
    const headers = { Authorization: `Bearer ${await endpoint.token()}` };
    const session = await legacyClient({ url: endpoint.url, headers });
    await sendProfile(session.call, "towow_join", {
      scene: endpoint.sceneName,
      display_name: "Lin",
      profile_data: PROFILE,
    });
    const { text } = await session.call("towow_demand", { intent: INTENT });
    const address = String(/https?:\/\/\S+\/approve\/\w+\/[\w-]+\/[\w-]+/.exec(text)?.[0]);
    expect((await browser().ask(address, { token: "x".repeat(50_000) })).status).toBe(413);
    expect((await browser().ask(address, { token: "x".repeat(5_000) })).status).toBe(403);
  });
});
