import type { BackendClient } from "./client.ts";
import type { CallOptions } from "./operation.ts";

/** The same client, each request of which carries the id of the tool call that causes it (agent layer §9). */
export function withRequestId(client: BackendClient, requestId: string): BackendClient {
  const named = (o?: CallOptions): CallOptions => ({ requestId, ...o });
  return {
    origin: client.origin,
    createScene: (input, o) => client.createScene(input, named(o)),
    listScenes: (filter, o) => client.listScenes(filter, named(o)),
    registerAgent: (sceneId, input, o) => client.registerAgent(sceneId, input, named(o)),
    listAgents: (sceneId, o) => client.listAgents(sceneId, named(o)),
    submitDemand: (input, o) => client.submitDemand(input, named(o)),
    getNegotiation: (id, o) => client.getNegotiation(id, named(o)),
    confirm: (id, input, o) => client.confirm(id, input, named(o)),
    action: (id, input, o) => client.action(id, input, named(o)),
  };
}
