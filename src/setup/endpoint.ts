import { Failure } from "../errors.ts";
import { isLoopback, normalBackendUrl } from "../home/origin.ts";

/** A team's endpoint that a client calls itself, by its address alone: its person signs in there through the client. */
export interface Endpoint {
  readonly from: "endpoint";
  readonly url: string;
}

/**
 * An endpoint's address as clients call it: `https://host[:port]/mcp`; `/mcp` may be left out. `http` is for this machine.
 * Never repeats what it was given, which may hold a secret. Throws `tool.config.invalid.endpoint_address`.
 */
export function endpointOf(text: string): Endpoint {
  const endpoint = endpointIn(text);
  if (endpoint === undefined) throw new Failure("tool.config.invalid.endpoint_address");
  return endpoint;
}

/** The same; undefined where it is none. Never throws. */
export function endpointIn(text: string): Endpoint | undefined {
  const url = normalBackendUrl(text);
  if (url === undefined || !["", "/", "/mcp"].includes(url.pathname)) return undefined;
  if (url.protocol !== "https:" && !isLoopback(url)) return undefined;
  return { from: "endpoint", url: `${url.origin}/mcp` };
}
