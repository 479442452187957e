import { surfacesOf } from "../../support/surfaces.ts";
import { createWorld, type Process, type ProcessOptions, type World } from "../../support/world.ts";
import { type Door, NAME, OWN_TEXT, PROFILE, saidIn } from "../door.ts";
import type { Decision, Journey } from "../table.ts";

export interface Home {
  world: World;
  options: ProcessOptions;
  /** The program that runs now. */
  p: Process;
}

export type Given = Pick<Journey, "config">;

export async function createHome({ config = {} }: Given, more: ProcessOptions = {}): Promise<Home> {
  const world = await createWorld();
  const options = { flags: { mode: "developer" }, ...more, config };
  return { world, options, p: await world.process(options) };
}

export const argumentsOf = (decision: Decision) =>
  decision === "change" ? { decision: "edit", confirmed_text: OWN_TEXT } : { decision };

/** What every door of a home has alike. */
export function besides(home: Home, current: () => string) {
  const { world, options } = home;
  const { clock, mock } = world;
  return {
    clock,
    mock,
    async restart() {
      world.dead.add(home.p.pid);
      home.p = await world.process(options);
    },
    async elsewhere(decision: Decision) {
      const { flags, config } = options;
      const other = await world.process({ ...(flags && { flags }), ...(config && { config }) });
      const { result } = await other.call("towow_demand", { negotiation_id: current() });
      await other.call("towow_demand", { ...result.data.resume_with.params, ...argumentsOf(decision) });
    },
    async strangers() {
      const other = await world.process({ stranger: "somebody else" });
      return (await other.call("towow_demand", { intent: "python" })).result.data.negotiation_id as string;
    },
    beside: () => surfacesOf(world, home.p, current()),
    look: async () => saidIn(await home.p.call("towow_status", { negotiation_id: current(), view: "full" })),
    cancel: async () => saidIn(await home.p.call("towow_action", { negotiation_id: current(), action: "cancel" })),
  };
}

export const joining = (sceneId: string) => ({ scene: sceneId, display_name: NAME, profile_data: PROFILE });

/** An AI passes the person's words on. */
export async function argument(given: Given, more?: ProcessOptions): Promise<Door> {
  const home = await createHome(given, more);
  let id = "";
  let params: Record<string, unknown> = {};
  const asking = async (args: Record<string, unknown>) => {
    const called = await home.p.call("towow_demand", args);
    const { data } = called.result;
    const met = data?.resume_with?.params as Record<string, unknown> | undefined;
    if (met !== undefined) params = met;
    id = (met?.negotiation_id as string | undefined) ?? id;
    return { id: met?.negotiation_id as string | undefined, said: saidIn(called) };
  };
  return {
    ...besides(home, () => id),
    async join() {
      const shown = await home.p.call("towow_join", joining(home.world.sceneId));
      const { resume_with, profile_hash } = shown.result.data;
      if (resume_with === null) return saidIn(shown);
      return saidIn(await home.p.call("towow_join", { ...resume_with.params, profile_hash }));
    },
    demand: (intent) => asking({ intent }),
    ask: (negotiation_id) => asking({ negotiation_id }),
    decide: async (decision) => saidIn(await home.p.call("towow_demand", { ...params, ...argumentsOf(decision) })),
    leave: async () => {},
  };
}

/** As `towow-mcp call` runs it, with its person at the terminal, who says yes to what it asks there. */
export const call = (given: Given): Promise<Door> =>
  argument(given, { fromCommandLine: true, atTerminal: async () => true });
