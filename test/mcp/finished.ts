import type { Participant } from "../../mock-backend/data.ts";
import type { MockOptions } from "../../mock-backend/main.ts";
import { createWorld, type ProcessOptions } from "../support/world.ts";

/** A negotiation that is over, with what the others wrote in it as a test wants it, and the process that started it. */
export async function finished(
  wrote: { plan_output?: string | null; participants?: Partial<Participant>[] },
  { mock = {}, ...options }: ProcessOptions & { mock?: MockOptions } = {},
) {
  const world = await createWorld(mock);
  const own = { flags: { mode: "developer" }, ...options };
  const first = await world.process(own);
  const demand = await first.call("towow_demand", { intent: "A designer" });
  const { negotiation_id } = demand.result.data as { negotiation_id: string };
  await first.call("towow_demand", { ...demand.result.data.resume_with.params, decision: "accept" });
  await first.call("towow_status", { wait: "done" });
  const { participants, ...rest } = wrote;
  world.mock.engine.patch(negotiation_id, {
    ...rest,
    ...(participants && {
      participants: participants.map((one, i) => ({
        agent_id: `agent_${i}`,
        display_name: `Agent ${i}`,
        resonance_score: 0.5,
        state: "replied" as const,
        ...one,
      })),
    }),
  });
  // Who has seen the end asks for it no more.
  const p = await world.process(own);
  const read = async (uri: string) => {
    const { contents } = await world.clock.run(p.client.readResource({ uri }));
    return contents[0] as { uri: string; mimeType: string; text: string; _meta: Record<string, unknown> };
  };
  return { world, p, id: negotiation_id, read };
}

/** The fenced part of a text, or undefined. */
export const fenced = (text: string): string | undefined =>
  /<<<foreign (\w+)\n([\s\S]*)\n>>>foreign \1$/.exec(text)?.[2];
