import { type Agent, request as httpRequest, Agent as PlainAgent, type RequestOptions } from "node:http";
import { once } from "../once.ts";

export type Address = RequestOptions & { headers: Record<string, string> };

/** How requests to one address go out. */
export interface Route {
  request: typeof httpRequest;
  agent: Agent;
  /** Where to, and what a proxy on the way has to know. */
  options: Address;
  /** Where what is connected to is a proxy. */
  isProxy?: true;
}

export interface Routes {
  to(url: URL): Promise<Route>;
  /** Drops the connections, with the requests on them. */
  close(): void;
}

/** Servers commonly close a connection that has rested for 5 s, and a request that meets the closing is lost. */
export const KEEP_ALIVE = { keepAlive: true, timeout: 4_000 };

/** Straight to the address, over connections that are kept. TLS is loaded for who needs it. */
export function directRoutes(): Routes {
  const agents: Agent[] = [];
  const keep = <A extends Agent>(agent: A): A => {
    agents.push(agent);
    return agent;
  };
  const plain = once(() => ({ request: httpRequest, agent: keep(new PlainAgent(KEEP_ALIVE)) }));
  const secure = once(async () => {
    const { Agent, request } = await import("node:https");
    return { request: request as typeof httpRequest, agent: keep(new Agent(KEEP_ALIVE)) };
  });
  return {
    to: async (url) => ({ ...(isSecure(url) ? await secure() : plain()), options: addressOf(url) }),
    close: () => agents.forEach((agent) => void agent.destroy()),
  };
}

export const isSecure = ({ protocol }: URL): boolean => protocol === "https:";

function addressOf({ protocol, hostname, port, pathname, search }: URL): Address {
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), port, path: `${pathname}${search}`, headers: {} };
}
