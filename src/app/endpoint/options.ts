import { randomBytes } from "node:crypto";
import { customAlphabet } from "nanoid";
import { Failure } from "../../errors.ts";
import { isLoopback } from "../../home/origin.ts";
import type { ConfigKey } from "../../home/schema.ts";
import type { RequestRules } from "../../mcp/http/request-checks.ts";
import type { Io } from "../io.ts";

/** The arguments of `serve`, as the command line and the environment give them. */
export interface ServeArguments {
  io: Io;
  root: URL;
  /** Formats a log line for stderr. Without it, lines are JSON. */
  readLog?: (line: string) => string;
  /** The settings of contract §3 that were given as flags. */
  flags: Partial<Record<ConfigKey, unknown>>;
  host: string;
  port: string;
  publicUrl?: string;
  allowedHosts?: string;
  allowedOrigins?: string;
  store?: string;
  replica?: string;
  metrics: string;
  tokenPage?: string;
  signIn?: string;
  clientDocuments?: string;
  ownTokens?: string;
  sessionIdle: string;
  maxSessions: string;
  maxUsers: string;
  maxNewTokens: string;
  rate: string;
  atOnce: string;
  drain: string;
  receiveTimeout: string;
  unreadTimeout: string;
}

export interface ServeOptions {
  host: string;
  port: number;
  publicUrl: URL | undefined;
  requestRules: RequestRules;
  /** The Redis address. Undefined if state lives in this process. */
  storeUrl: string | undefined;
  stateKey: Uint8Array;
  /** True if the operator chose the key, so that it is the same after a restart. */
  hasStateKey: boolean;
  replica: string;
  /** True if `/metrics` is answered. */
  metricsOn: boolean;
  /** True if the front page gives a token to each visitor who asks, so that the operator need not make one for them. */
  tokenPage: boolean;
  /** True if people can sign their programs in here, so that a client needs only the address. */
  signIn: boolean;
  /** True if a program may name itself by the address of a document, which this endpoint then fetches. */
  clientDocuments: boolean;
  /** True if clients may send the backend's token in a header. If not, they have to sign in. */
  ownTokens: boolean;
  sessionIdleMs: number;
  maxSessions: number;
  maxUsers: number;
  maxNewTokens: number;
  requestsPer10s: number;
  atOnce: number;
  drainMs: number;
  /** A request must arrive whole within this time, in milliseconds. */
  receiveMs: number;
  /** A client that reads nothing of its answer is disconnected after this time, in milliseconds. */
  unreadMs: number;
  /** True if the endpoint serves every client that sends the home's key as the person of this machine. */
  localIdentity: boolean;
}

const MAX_BODY_BYTES = 2 * 1024 * 1024;
const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];
const STATE_KEY_BYTES = 32;
const newReplicaName = customAlphabet("abcdefghijklmnopqrstuvwxyz0123456789", 8);

const invalid = (key: string, expected: string) =>
  new Failure("tool.config.invalid.serve_option", { option: `--${key}`, expected });

/**
 * Reads and checks the options.
 * @throws `tool.config.invalid.serve_option` or `tool.config.invalid.serve_host` for the first value that cannot be
 * used
 */
export function readServeOptions(args: ServeArguments): ServeOptions {
  const { env } = args.io;
  // Brackets enclose an IPv6 address in a URL, not in a socket's options.
  const host = args.host.replace(/^\[(.*)\]$/, "$1");
  const publicUrl = args.publicUrl === undefined ? undefined : readPublicUrl(args.publicUrl);
  const allowedHosts = names("allowed-hosts", args.allowedHosts, /^[a-z0-9.:[\]-]+$/i);
  const allowedOrigins = names("allowed-origins", args.allowedOrigins, /^https?:\/\/[a-z0-9.:[\]-]+$/i);
  const noOrigin = allowedOrigins.find((origin) => !URL.canParse(origin));
  if (noOrigin !== undefined) throw invalid("allowed-origins", "https://host[:port],…");
  const isLocal = URL.canParse(`http://${bracketed(host)}`) && isLoopback(new URL(`http://${bracketed(host)}`));
  const isPublic = publicUrl !== undefined || allowedHosts.length > 0 || !isLocal;
  if (!isLocal && publicUrl === undefined && allowedHosts.length === 0)
    throw new Failure("tool.config.invalid.serve_host", { host });
  const localIdentity = !isPublic && args.store === undefined;
  const hasPages = publicUrl !== undefined || localIdentity;
  if (args.tokenPage === "on" && !hasPages) throw invalid("public-url", "https://host[:port]");
  if (args.signIn === "on" && !hasPages) throw invalid("public-url", "https://host[:port]");
  // A person must say yes on a page before a program is signed in, so sign-in is on by default wherever there are
  // pages.
  const signIn = hasPages && args.signIn !== "off";
  if (args.ownTokens === "off" && !signIn) throw invalid("sign-in", "on");
  // If strangers can reach the endpoint, it issues tokens only if the operator asks for that, because each token is an
  // account and takes up a user here.
  const isHere = isLocal && allowedHosts.length === 0 && (publicUrl === undefined || isLoopback(publicUrl));
  return {
    host,
    port: wholeNumber("port", args.port, 0, 65_535),
    publicUrl,
    requestRules: {
      hosts: [
        ...LOOPBACK_HOSTS,
        ...(isLocal ? [bracketed(host)] : []),
        ...(publicUrl ? [publicUrl.host] : []),
        ...allowedHosts.map((h) => h.toLowerCase()),
      ],
      origins: allowedOrigins.map((origin) => new URL(origin).origin), // Browsers write origins in this form.
      largestBodyBytes: MAX_BODY_BYTES,
    },
    storeUrl: readStore(args.store),
    stateKey: readStateKey(env.TOWOW_STATE_KEY, args.store !== undefined),
    hasStateKey: (env.TOWOW_STATE_KEY ?? "") !== "",
    replica: readReplica(args.replica),
    metricsOn: args.metrics === "on",
    tokenPage: hasPages && (args.tokenPage ?? (isHere ? "on" : "off")) === "on",
    signIn,
    clientDocuments: signIn && (args.clientDocuments ?? (publicUrl?.protocol === "https:" ? "on" : "off")) === "on",
    ownTokens: args.ownTokens !== "off",
    sessionIdleMs: wholeNumber("session-idle", args.sessionIdle, 1, 86_400) * 1000,
    maxSessions: wholeNumber("max-sessions", args.maxSessions, 1, 1_000_000),
    maxUsers: wholeNumber("max-users", args.maxUsers, 1, 1_000_000),
    maxNewTokens: wholeNumber("max-new-tokens", args.maxNewTokens, 1, 1_000_000),
    requestsPer10s: wholeNumber("rate", args.rate, 1, 1_000_000),
    atOnce: wholeNumber("at-once", args.atOnce, 1, 100_000),
    drainMs: wholeNumber("drain", args.drain, 0, 3_600) * 1000,
    receiveMs: wholeNumber("receive-timeout", args.receiveTimeout, 1, 3_600) * 1000,
    unreadMs: wholeNumber("unread-timeout", args.unreadTimeout, 1, 3_600) * 1000,
    localIdentity,
  };
}

function wholeNumber(key: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw invalid(key, `${min}–${max}`);
  return value;
}

function names(key: string, list: string | undefined, form: RegExp): string[] {
  const found = (list ?? "").split(",").map((name) => name.trim());
  const given = found.filter((name) => name !== "");
  if (given.some((name) => !form.test(name))) throw invalid(key, "name,name,…");
  return given;
}

/** Reads an address that is only an origin, because `/approve`, `/mcp` and the other paths are fixed below it. */
function readPublicUrl(text: string): URL {
  const url = URL.parse(text);
  const plain = url !== null && url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
  if (!plain || (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url))))
    throw invalid("public-url", "https://host[:port]");
  return url;
}

function readStore(text: string | undefined): string | undefined {
  if (text === undefined || text === "memory") return undefined;
  if (!/^rediss?:\/\/./.test(text)) throw invalid("store", "memory | redis://host[:port] | rediss://…");
  return text;
}

/**
 * Reads the key for signing. Replicas must be able to read what another one has signed, so they need a shared key. A
 * single process makes its own.
 */
function readStateKey(text: string | undefined, shared: boolean): Uint8Array {
  if (text === undefined || text === "") {
    if (shared) throw keyInvalid();
    return randomBytes(STATE_KEY_BYTES);
  }
  const bytes = Buffer.from(text, "base64");
  if (bytes.length < STATE_KEY_BYTES) throw keyInvalid();
  return bytes;
}

const keyInvalid = () =>
  new Failure("tool.config.invalid.serve_option", {
    option: "TOWOW_STATE_KEY",
    expected: "$(openssl rand -base64 32)",
  });

function readReplica(text: string | undefined): string {
  if (text === undefined) return newReplicaName();
  if (!/^[a-z0-9-]{1,32}$/.test(text)) throw invalid("replica", "[a-z0-9-]{1,32}");
  return text;
}

/** Returns a host in the form that it has in a URL. */
export const bracketed = (host: string): string => (host.includes(":") && !host.startsWith("[") ? `[${host}]` : host);
