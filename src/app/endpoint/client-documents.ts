import { lookup } from "node:dns/promises";
import { request } from "node:https";
import { BlockList, isIPv6 } from "node:net";
import type { FetchDocument } from "../../mcp/http/sign-in/clients.ts";

const MAX_BYTES = 5 * 1024;
const MAX_MS = 3_000;

/** Addresses that are not of the public network: what is behind them is nobody's to ask for. */
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
/** Of IPv6 only what is given out, without what leads into IPv4 or is for documents. */
const PUBLIC_V6 = new BlockList();
PUBLIC_V6.addSubnet("2000::", 3, "ipv6");
for (const [net, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  RESERVED.addSubnet(net, prefix, "ipv6");

/** Whether an address is of the public network. */
export const isPublicAddress = (address: string): boolean =>
  isIPv6(address)
    ? PUBLIC_V6.check(address, "ipv6") && !RESERVED.check(address, "ipv6")
    : !RESERVED.check(address, "ipv4");

/** Every address of a name. */
export type Resolve = (host: string) => Promise<readonly { address: string; family: number }[]>;
const resolveAll: Resolve = (host) => lookup(host, { all: true });

/** No redirect is followed, and the name is resolved once: what was looked at is what is connected to. @throws Error */
export function createDocumentFetch(version: string, resolve: Resolve = resolveAll, send = request): FetchDocument {
  return async (url) => {
    const signal = AbortSignal.timeout(MAX_MS);
    const addresses = await within(resolve(url.hostname), signal);
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
      throw new Error("not a public address");
    return new Promise((done, fail) => {
      const asked = send(
        url,
        {
          headers: { Accept: "application/json", "User-Agent": `towow-mcp/${version}` },
          agent: false,
          rejectUnauthorized: true,
          // The name was looked up above: it may lead elsewhere by now.
          lookup: (_host, options, found) =>
            options.all === true
              ? found(null, [{ address: first.address, family: first.family }])
              : found(null, first.address, first.family),
          signal,
        },
        (answer) => {
          const type = answer.headers["content-type"] ?? "";
          if (answer.statusCode !== 200 || !/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
            asked.destroy(new Error("not a document"));
            return;
          }
          const chunks: Buffer[] = [];
          let bytes = 0;
          answer.on("data", (chunk: Buffer) => {
            bytes += chunk.byteLength;
            if (bytes > MAX_BYTES) asked.destroy(new Error("too large"));
            else chunks.push(chunk);
          });
          answer.on("error", fail);
          answer.on("end", () => done({ text: Buffer.concat(chunks).toString(), maxAgeMs: maxAgeOf(answer.headers) }));
        },
      );
      asked.on("error", fail);
      asked.end();
    });
  };
}

const maxAgeOf = (headers: { "cache-control"?: string | undefined }): number | undefined => {
  const seconds = /\bmax-age=(\d{1,9})\b/i.exec(headers["cache-control"] ?? "")?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
};

const within = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
  ]);
