import type { Said } from "../../faults/said.ts";
import { calledOf } from "../../support/clients.ts";
import { answer, asks, demand, isOver, type Request, type Task, until } from "../../support/task-client.ts";
import { type Door, OWN_TEXT, saidIn } from "../door.ts";
import { besides, createHome, type Given } from "./argument.ts";

/** A call that goes on in the background, whose client polls it and answers what it asks. */
export async function task(given: Given): Promise<Door> {
  const home = await createHome(given);
  const { world } = home;
  const second = () => world.clock.advance(1_000);
  let request: Request = home.p.taskClient();
  let id = "";
  let taskId = "";
  let asked: Task | undefined;
  const common = besides(home, () => id);
  const saidBy = ({ statusMessage, result }: Task): Said =>
    result === undefined ? { text: statusMessage ?? "" } : saidIn(calledOf(result));
  const met = async (begun: Task) => {
    if (begun.taskId === undefined)
      return { said: begun.error === undefined ? saidIn(calledOf(begun)) : { text: begun.error.message } };
    taskId = begun.taskId;
    asked = await until(request, taskId, (seen) => asks(seen) || isOver(seen), second);
    const inputs = Object.values(asked.inputRequests ?? {});
    return {
      id: inputs.length > 0 ? id : undefined,
      said: inputs[0] ? { text: inputs[0].params.message } : saidBy(asked),
    };
  };
  const answers = async (content: object): Promise<Task> => {
    if (asked !== undefined && asks(asked)) await answer(request, asked, content);
    asked = await until(request, taskId, () => true, second);
    return asked;
  };
  return {
    ...common,
    join: () => Promise.reject(new Error("a join is no task")),
    async demand(intent) {
      const before = world.mock.negotiations().length;
      const begun = await demand(request, world.sceneId, intent);
      id = world.mock.negotiations()[before]?.negotiation_id ?? "";
      const made = await met(begun);
      id = world.mock.negotiations()[before]?.negotiation_id ?? id;
      return { ...made, id: made.id === undefined ? undefined : id };
    },
    async ask(negotiation_id) {
      id = negotiation_id;
      return met(await request("tools/call", { name: "towow_demand", arguments: { negotiation_id } }));
    },
    async decide(decision) {
      if (asked === undefined) return common.look(); // it has begun no task: nothing is asked
      if (!asks(asked)) return saidBy(asked);
      asked = await until(request, taskId, (seen) => asks(seen) || isOver(seen), second);
      if (!asks(asked)) return saidBy(asked);
      if (decision !== "change") await answers({ action: "accept", content: { decision } });
      else {
        await answers({ action: "accept", content: { decision: "edit" } });
        asked = await until(request, taskId, asks, second);
        await answers({ action: "accept", content: { confirmed_text: OWN_TEXT } });
        if (asks(asked)) await answers({ action: "accept", content: { decision: "accept" } });
      }
      await world.clock.advance(1_000);
      asked = await request("tasks/get", { taskId });
      return saidBy(asked);
    },
    async leave() {
      await answers({ action: "cancel" });
    },
    async restart() {
      await common.restart();
      request = home.p.taskClient();
    },
  };
}
