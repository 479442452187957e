import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import { type Answer, calledOf, type Form } from "../../support/clients.ts";
import { createEndpointReplicas } from "../../support/endpoint-replicas.ts";
import { alongside, until as untilDone } from "../alongside.ts";
import { type Door, saidIn } from "../door.ts";
import { argumentsOf, type Given, joining } from "./argument.ts";
import { atForms, type Start } from "./form.ts";

/** Nothing of it leaves this process. */
const ADDRESS = new URL("http://localhost/mcp");

/** A session of the 2025 era at an endpoint, whose client shows forms. */
export async function http({ config = {} }: Given): Promise<Door> {
  const endpoint = createEndpointReplicas(config);
  const { clock, mock } = endpoint;
  const sceneId = mock.scenes()[0]?.scene_id ?? "";
  const token = await endpoint.token();
  let replica = endpoint.replica();
  let person = atForms();
  let id = "";

  async function session(bearer: string, answer?: (form: Form) => Promise<Answer>): Promise<Start> {
    const { fetch } = replica;
    const client = new Client(
      { name: "session", version: "1" },
      { capabilities: answer === undefined ? {} : { elicitation: {} } },
    );
    if (answer !== undefined)
      client.setRequestHandler(ElicitRequestSchema, async ({ params }) => (await answer(params as Form)) as never);
    const transport = new StreamableHTTPClientTransport(ADDRESS, {
      fetch: (input, init) => fetch(new Request(input, init as RequestInit)),
      requestInit: { headers: { Authorization: `Bearer ${bearer}` } },
    });
    await alongside(clock, client.connect(transport as never));
    onTestFinished(() => client.close());
    return async (name, args) =>
      calledOf(await client.callTool({ name, arguments: args }, undefined, { timeout: 600_000 }));
  }

  let start = await session(token, (form) => person.answer(form));
  const call = async (name: string, args: Record<string, unknown>, by = start) => alongside(clock, by(name, args));
  const until = (done: () => boolean) => untilDone(clock, done);
  const asking = async (args: Record<string, unknown>) => {
    const before = mock.negotiations().length;
    const met = await person.begins(start("towow_demand", args), until);
    if ("result" in met) return { said: saidIn(met) };
    id = (args.negotiation_id as string | undefined) ?? mock.negotiations()[before]?.negotiation_id ?? id;
    return { id, said: { text: met.message } };
  };
  const look = async () => saidIn(await call("towow_status", { negotiation_id: id, view: "full" }));
  return {
    clock,
    mock,
    async join() {
      await person.begins(start("towow_join", joining(sceneId)), until);
      return saidIn(await person.answers("accept", until));
    },
    demand: (intent) => asking({ intent, scene_id: sceneId }),
    ask: (negotiation_id) => asking({ negotiation_id }),
    decide: async (decision) => saidIn(await person.answers(decision, until)),
    async leave() {
      await person.answers("leave", until);
    },
    look,
    async cancel() {
      const cancelling = start("towow_action", { negotiation_id: id, action: "cancel" });
      const met = await person.begins(cancelling, until);
      return saidIn("result" in met ? met : await person.answers("accept", until));
    },
    async restart() {
      await clock.run(replica.users.close(undefined));
      replica = endpoint.replica();
      person = atForms();
      start = await session(token, (form) => person.answer(form));
    },
    async elsewhere(decision) {
      const other = await session(token);
      const { result } = await call("towow_demand", { negotiation_id: id }, other);
      await call("towow_demand", { ...result.data.resume_with.params, ...argumentsOf(decision) }, other);
    },
    async strangers() {
      const other = await session(await endpoint.token());
      const { result } = await call("towow_demand", { intent: "python", scene_id: sceneId }, other);
      return result.data.negotiation_id;
    },
    async beside() {
      const other = await session(token);
      return [{ surface: "another session", ...saidIn(await call("towow_status", { negotiation_id: id }, other)) }];
    },
  };
}
