import { BlockList, isIP } from "node:net";
import { ProxyInvalid } from "./errors.ts";

const NAMES = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"] as const;

/** The proxy variables, as the environment has them. */
export type ProxyVariables = Readonly<Partial<Record<(typeof NAMES)[number], string | undefined>>>;

/** Returns only the proxy variables of an environment. */
export const proxyVariablesOf = (env: Readonly<Record<string, string | undefined>>): ProxyVariables =>
  Object.fromEntries(NAMES.map((name) => [name, env[name]]));

/** A proxy. `socks` also stands for `socks5h`, because the proxy looks names up in any case. */
export interface ProxyOnTheWay {
  variable: string;
  kind: "http" | "socks";
  url: URL;
}

/**
 * Returns the proxy for an address, or undefined if requests go there directly. NO_PROXY takes precedence over the proxy
 * variables.
 * @throws ProxyInvalid for a variable that holds no usable proxy
 */
export function proxyFor(url: URL, variables: ProxyVariables): ProxyOnTheWay | undefined {
  const variable = proxyVariable(url, variables);
  if (variable === undefined || isLeftOut(url, variables)) return undefined;
  const value = variables[variable]!.trim();
  const proxy = URL.parse(value.includes("://") ? value : `http://${value}`); // People write `proxy:8080` for an http proxy.
  const kind = KINDS[proxy?.protocol ?? ""];
  if (proxy === null || proxy.hostname === "" || kind === undefined || !isDecodable(proxy))
    throw new ProxyInvalid({ variable });
  return { variable, kind, url: proxy };
}

/** Returns whether the name and the password can be decoded. A percent sign in one must be written as %25. */
function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

const KINDS: Record<string, ProxyOnTheWay["kind"]> = {
  "http:": "http",
  "https:": "http",
  "socks:": "socks",
  "socks5:": "socks",
  "socks5h:": "socks",
};

/**
 * Returns the variable that applies to an address, whether or not NO_PROXY leaves the address out. A proxy for http is
 * one for https too.
 */
export function proxyVariable({ protocol }: URL, variables: ProxyVariables) {
  const names = ["http_proxy", "HTTP_PROXY"] as const;
  const all = protocol === "https:" ? (["https_proxy", "HTTPS_PROXY", ...names] as const) : names;
  return all.find((name) => variables[name]);
}

/**
 * Returns whether NO_PROXY lists the address. An entry is a name with everything below it, `127.*` or `10.0.0.0/8`, each with
 * or without a port.
 */
export function isLeftOut({ hostname, port, protocol }: URL, { no_proxy, NO_PROXY }: ProxyVariables): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const wanted = port || (protocol === "https:" ? "443" : "80");
  return (no_proxy || NO_PROXY || "").split(/[,\s]+/).some((entry) => {
    const { name, only } = partsOf(entry.toLowerCase());
    return name !== "" && (only === undefined || only === wanted) && covers(name, host);
  });
}

/** Splits an entry into name and port. A bare IPv6 address has colons and no port. */
function partsOf(entry: string): { name: string; only?: string | undefined } {
  if (isIP(entry.split("/")[0]!) === 6) return { name: entry };
  const [, name = "", only] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
  return { name: name.replace(/^\[(.*)\]$/, "$1"), only };
}

function covers(name: string, host: string): boolean {
  const [address = "", bits] = name.split("/");
  if (bits !== undefined) return isWithin(host, address, Number(bits));
  const plain = name.replace(/^\*?\./, "");
  if (!plain.includes("*")) return host === plain || host.endsWith(`.${plain}`);
  const pattern = plain
    .split("*")
    .map((part) => part.replaceAll(/[^\w-]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${pattern}$`).test(host);
}

function isWithin(host: string, address: string, bits: number): boolean {
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family) return false;
  if (!Number.isInteger(bits) || bits < 0 || bits > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const type = family === 4 ? "ipv4" : "ipv6";
  list.addSubnet(address, bits, type);
  return list.check(host, type);
}
