import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createDocumentFetch, isPublicAddress } from "../../../src/app/endpoint/client-documents.ts";
import { Clients, type FetchDocument, takesRedirect } from "../../../src/mcp/http/sign-in/clients.ts";
import { Seals } from "../../../src/mcp/http/sign-in/sealing.ts";
import { createMemoryStore } from "../../../src/store/memory.ts";
import { ManualClock } from "../../support/manual-clock.ts";

/** Programs that name the address of a document as their id, and what is fetched of them. */

const CLAUDE = "https://claude.ai/oauth/claude-code-client-metadata";
const document = (more: object = {}) =>
  JSON.stringify({
    client_id: CLAUDE,
    client_name: "Claude Code",
    redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
    token_endpoint_auth_method: "none",
    ...more,
  });

function clients(fetchDocument: FetchDocument | undefined, clock = new ManualClock()) {
  const seals = new Seals(new Uint8Array(32), randomBytes);
  return new Clients({ seals, clock, store: createMemoryStore(clock), fetchDocument });
}
const saying = (text: string) => clients(async () => ({ text }));

/** As each of them names itself: the documents and addresses of the programs that were seen. */
it.each([
  [
    "Claude Code",
    CLAUDE,
    ["http://localhost/callback", "http://127.0.0.1/callback"],
    "http://localhost:54619/callback",
  ],
  [
    "Codex",
    "https://chatgpt.com/oauth/codex/client.json",
    ["http://127.0.0.1/callback", "http://localhost/callback"],
    "http://127.0.0.1:35925/callback",
  ],
  [
    "VS Code",
    "https://vscode.dev/oauth/client-metadata.json",
    ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
    "http://127.0.0.1:41234/",
  ],
  [
    "Claude",
    "https://claude.ai/oauth/mcp-oauth-client-metadata",
    ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
    "https://claude.ai/api/mcp/auth_callback",
  ],
])(
  "%s is known by its document, and led back to where it says",
  async (client_name, client_id, redirect_uris, asked) => {
    const client = await saying(document({ client_id, client_name, redirect_uris })).find(client_id);
    expect(client).toMatchObject({ name: client_name, saidBy: new URL(client_id).host });
    expect(client && takesRedirect(client, asked)).toBe(true);
    expect(client && takesRedirect(client, asked.replace(/[^/]*$/, "elsewhere"))).toBe(false);
  },
);

it.each([
  ["another id", document({ client_id: "https://claude.ai/oauth/other" })],
  ["no address", document({ redirect_uris: [] })],
  ["addresses of scripts alone", document({ redirect_uris: ["javascript:alert(1)"] })],
  ["a secret", document({ token_endpoint_auth_method: "client_secret_basic" })],
  ["a list", "[]"],
  ["no JSON", "<html>"],
])("a document with %s is of no program", async (_, text) => {
  expect(await saying(text).find(CLAUDE)).toBeUndefined();
});

it.each([
  "http://claude.ai/client.json",
  "https://claude.ai/",
  "https://claude.ai",
  "https://user@claude.ai/client.json",
  "https://claude.ai/client.json#x",
  "https://claude.ai/a/../client.json",
  "https://CLAUDE.ai/client.json",
  "https://127.0.0.1/client.json",
  "https://[::1]/client.json",
  "https://2130706433/client.json",
  "https://localhost/client.json",
  "file:///etc/passwd",
])("%s is no address of a document: nothing is fetched", async (id) => {
  let fetched = 0;
  const all = clients(async () => {
    fetched += 1;
    return { text: document({ client_id: id }) };
  });
  expect(await all.find(id)).toBeUndefined();
  expect(fetched).toBe(0);
});

it("is kept for five minutes at least and a day at most; one that could not be fetched is tried again", async () => {
  const clock = new ManualClock();
  let fetched = 0;
  let fails = true;
  const all = clients(async () => {
    fetched += 1;
    if (fails) throw new Error("away");
    return { text: document(), maxAgeMs: 10 ** 12 };
  }, clock);
  expect(await all.find(CLAUDE)).toBeUndefined();
  fails = false;
  expect(await all.find(CLAUDE)).toBeDefined();
  await clock.advance(23 * 3_600_000);
  await all.find(CLAUDE);
  expect(fetched).toBe(2);
  await clock.advance(2 * 3_600_000);
  await all.find(CLAUDE);
  expect(fetched).toBe(3);
});

it("ten in ten seconds are fetched; those that are known go on", async () => {
  const clock = new ManualClock();
  const all = clients(async (url) => ({ text: document({ client_id: url.href }) }), clock);
  for (let n = 0; n < 10; n++) expect(await all.find(`https://a.example/${n}.json`)).toBeDefined();
  await expect(all.find("https://a.example/10.json")).rejects.toMatchObject({ code: "rate_limited" });
  expect(await all.find("https://a.example/3.json")).toBeDefined();
  await clock.advance(10_000);
  expect(await all.find("https://a.example/10.json")).toBeDefined();
});

it("where documents are not fetched there is no such program", async () => {
  expect(await clients(undefined).find(CLAUDE)).toBeUndefined();
});

describe("the fetch", () => {
  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.20.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:db8::1",
    "ff02::1",
  ])("%s is no public address", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(["1.1.1.1", "160.79.104.10", "2607:6bc0::10"])("%s is", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  type Send = NonNullable<Parameters<typeof createDocumentFetch>[0]["send"]>;
  const answering = (head: object, body = document()) => {
    const asked: { url: string; host: string | undefined }[] = [];
    const send: Send = async (url, { headers }) => {
      asked.push({ url: url.href, host: headers.Host });
      return { statusCode: 200, headers: {}, body: Readable.from([Buffer.from(body)]), ...head };
    };
    return { asked, send };
  };
  const JSON_TYPE = { headers: { "content-type": "application/json", "cache-control": "max-age=600" } };
  const resolvingTo = (...addresses: string[]) => ({
    resolve: async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
  });
  const fetchWith = (deps: Partial<Parameters<typeof createDocumentFetch>[0]>) =>
    createDocumentFetch({ version: "0", clock: new ManualClock(), through: {}, ...deps })(new URL(CLAUDE));

  it.each([
    ["160.79.104.10", "https://160.79.104.10/oauth/claude-code-client-metadata"],
    ["2607:6bc0::10", "https://[2607:6bc0::10]/oauth/claude-code-client-metadata"],
  ])("asks %s, which was looked at, for the host's document", async (address, url) => {
    const { asked, send } = answering(JSON_TYPE);
    const fetched = await fetchWith({ send, ...resolvingTo(address) });
    expect(fetched).toEqual({ text: document(), maxAgeMs: 600_000 });
    expect(asked).toEqual([{ url, host: "claude.ai" }]);
  });

  it.each([
    ["a private address", ["10.0.0.1"]],
    ["a private address beside a public one", ["1.1.1.1", "127.0.0.1"]],
    ["no address", []],
  ])("with %s nothing is asked", async (_, addresses) => {
    const { asked, send } = answering(JSON_TYPE);
    await expect(fetchWith({ send, ...resolvingTo(...addresses) })).rejects.toThrow("not a public address");
    expect(asked).toEqual([]);
  });

  it.each([
    ["a redirect", { statusCode: 302, headers: { location: "http://127.0.0.1/" } }, document()],
    ["a page", { headers: { "content-type": "text/html" } }, document()],
    ["an error", { ...JSON_TYPE, statusCode: 500 }, document()],
    ["more than five kilobytes", JSON_TYPE, "x".repeat(5 * 1024 + 1)],
  ])("%s is no document", async (_, head, body) => {
    const { send } = answering(head, body);
    await expect(fetchWith({ send, ...resolvingTo("1.1.1.1") })).rejects.toThrow(/not a document|too large/);
  });

  it.each<[string, Partial<Parameters<typeof createDocumentFetch>[0]>]>([
    ["a name that is not resolved", { resolve: () => new Promise(() => {}) }],
    ["a server that does not answer", { ...resolvingTo("1.1.1.1"), send: () => new Promise(() => {}) }],
    [
      "a body that does not end",
      {
        ...resolvingTo("1.1.1.1"),
        send: async () => ({ statusCode: 200, ...JSON_TYPE, body: new Readable({ read() {} }) }),
      },
    ],
  ])("after three seconds %s is no document", async (_, deps) => {
    const clock = new ManualClock();
    let outcome = "waits";
    const fetched = fetchWith({ clock, ...deps }).catch((error: Error) => {
      outcome = error.message;
    });
    await clock.advance(2_999);
    expect(outcome).toBe("waits");
    await clock.advance(1);
    await fetched;
    expect(outcome).toBe("too slow");
  });

  it.each(["https_proxy", "HTTPS_PROXY"])("through %s goes the address that was looked at", async (variable) => {
    const asked: string[] = [];
    const proxy = createServer().on("connect", ({ url }, socket) => {
      asked.push(url ?? "");
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
    await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
    const { port } = proxy.address() as AddressInfo;
    const deps = { through: { proxy: { [variable]: `http://127.0.0.1:${port}` } } };
    await expect(fetchWith({ ...deps, ...resolvingTo("160.79.104.10") })).rejects.toThrow();
    await expect(fetchWith({ ...deps, ...resolvingTo("169.254.169.254") })).rejects.toThrow("not a public address");
    expect(asked).toEqual(["160.79.104.10:443"]);
    await new Promise((done) => proxy.close(done));
  });
});
