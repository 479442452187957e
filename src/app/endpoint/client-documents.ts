import { lookup } from "node:dns/promises";
import { BlockList, isIPv6 } from "node:net";
import { type ConnectionOptions, type Connections, type Got, loadConnections } from "../../backend/connections.ts";
import type { Clock } from "../../clock.ts";
import type { FetchDocument } from "../../mcp/http/sign-in/clients.ts";

const MAX_BYTES = 5 * 1024;
const MAX_MS = 3_000;

/** Addresses that lead into private or reserved networks. A stranger must not be able to send our requests there. */
const RESERVED = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  RESERVED.addSubnet(net, prefix, "ipv4");
/**
 * The block of IPv6 addresses that registries assign. The parts of it that lead into IPv4 or are meant for
 * documentation are reserved below.
 */
const PUBLIC_V6 = new BlockList();
PUBLIC_V6.addSubnet("2000::", 3, "ipv6");
for (const [net, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  RESERVED.addSubnet(net, prefix, "ipv6");

/**
 * Returns whether this address is public. A stranger gains nothing if our request goes to an address that everybody can
 * reach.
 */
export const isPublicAddress = (address: string): boolean =>
  isIPv6(address)
    ? PUBLIC_V6.check(address, "ipv6") && !RESERVED.check(address, "ipv6")
    : !RESERVED.check(address, "ipv4");

/**
 * Returns every address of a name. All of them are checked, because a name can have a private address among public
 * ones.
 */
type Resolve = (host: string) => Promise<readonly { address: string; family: number }[]>;
const resolveAll: Resolve = (host) => lookup(host, { all: true });

interface DocumentFetchDeps {
  version: string;
  clock: Clock;
  /** The part of the environment that decides how a connection is made. */
  through: Pick<ConnectionOptions, "proxy" | "relativePath">;
  resolve?: Resolve;
  /** Set by tests, which answer instead of the network. */
  send?: Connections["get"];
}

/**
 * Returns a function that fetches the documents of clients, each within three seconds. The name is resolved here, once,
 * and the connection goes to the address that was checked, even through a proxy. A proxy that resolved the name itself
 * could be led elsewhere. The returned function throws the reason why a document was not fetched.
 */
export function createDocumentFetch(deps: DocumentFetchDeps): FetchDocument {
  const { version, clock, through, resolve = resolveAll } = deps;
  return async (url) => {
    const late = new AbortController();
    const cancel = clock.after(MAX_MS, () => late.abort(new Error("too slow")));
    const connections = await loadConnections({ connectTimeoutMs: MAX_MS, ...through, servername: url.hostname });
    try {
      const addresses = await within(resolve(url.hostname), late.signal);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
        throw new Error("not a public address");
      const at = new URL(url);
      at.hostname = first.family === 6 ? `[${first.address}]` : first.address;
      const send = deps.send ?? connections.get;
      const headers = { Host: url.host, Accept: "application/json", "User-Agent": `towow-mcp/${version}` };
      const asked = send(at, { via: url, headers, signal: late.signal }).then(documentIn);
      return await within(asked, late.signal);
    } finally {
      cancel();
      await connections.close();
    }
  };
}

async function documentIn({ statusCode, headers, body }: Got): ReturnType<FetchDocument> {
  try {
    if (statusCode !== 200 || !/^application\/(?:[\w.-]+\+)?json\b/i.test(String(headers["content-type"] ?? "")))
      throw new Error("not a document");
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) throw new Error("too large");
      chunks.push(chunk);
    }
    return { text: Buffer.concat(chunks).toString(), maxAgeMs: maxAgeOf(String(headers["cache-control"] ?? "")) };
  } finally {
    body.on("error", () => {}).destroy(); // The rest of a body that nobody reads makes undici report an error.
  }
}

const maxAgeOf = (cacheControl: string): number | undefined => {
  const seconds = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
};

const within = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
  ]);
