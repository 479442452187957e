import { Failure } from "../errors.ts";
import { isLoopback, normalBackendUrl } from "../home/origin.ts";

/**
 * A team's endpoint that a client calls directly. The entry holds only its address, and the person signs in at the endpoint
 * through the client.
 */
export interface Endpoint {
  readonly from: "endpoint";
  readonly url: string;
}

/**
 * Returns an endpoint from its address as clients call it: `https://host[:port]/mcp`, where `/mcp` may be left out.
 * `http` is accepted for this machine alone. The input is never repeated, because it may contain a secret.
 * @throws `tool.config.invalid.endpoint_address`
 */
export function endpointOf(text: string): Endpoint {
  const endpoint = endpointIn(text);
  if (endpoint === undefined) throw new Failure("tool.config.invalid.endpoint_address");
  return endpoint;
}

/**
 * Returns an endpoint from its address as {@link endpointOf} does, but undefined if the text is no such address. Never throws.
 */
export function endpointIn(text: string): Endpoint | undefined {
  const url = normalBackendUrl(text);
  if (url === undefined || !["", "/", "/mcp"].includes(url.pathname)) return undefined;
  if (url.protocol !== "https:" && !isLoopback(url)) return undefined;
  return { from: "endpoint", url: `${url.origin}/mcp` };
}
