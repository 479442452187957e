import { describe, expect, it } from "vitest";
import { type Answer, READING_MS } from "../support/clients.ts";
import { decisionAbout } from "../support/facts.ts";
import { answer as answerTask, asks, demand, FOLLOWS, until, WITH_PAGES } from "../support/task-client.ts";
import { createWorld, type World } from "../support/world.ts";
import { CONDITIONS, type Given, tableOf, taintedWhere } from "./matrix-support.ts";
import { INTENT, only } from "./pause-support.ts";

/**
 * What becomes of a demand whose question was answered without a yes, and of which nobody hears any more: every question,
 * answer, kind of client, policy, state of taint, and setting of `on_unconfirmed`.
 */
const QUESTIONS = { form: "A designer, in Vienna", page: "A designer,\nin Vienna" } as const;
const ANSWERS = {
  closed: "closed",
  done: "answered “I'm done”",
  declined: "declined",
  unseen: "declined by its client, unseen",
  change: "“change it first”, and no text",
} as const;
const CLIENTS = { call: "in a call", task: "in a background task" } as const;
const SETTINGS = ["cancel", "leave"] as const;

interface Cell extends Given {
  question: keyof typeof QUESTIONS | "none";
  answer: keyof typeof ANSWERS;
  client: keyof typeof CLIENTS;
  setting: (typeof SETTINGS)[number];
}

const ACTIONS: Record<Cell["answer"], Answer["action"]> = {
  closed: "cancel",
  done: "accept",
  declined: "decline",
  unseen: "decline",
  change: "accept",
};
const said = ({ answer }: Cell): Answer =>
  answer === "change" ? { action: "accept", content: { decision: "edit" } } : { action: ACTIONS[answer] };
const IS_READ = ({ answer }: Cell) => answer !== "unseen";

async function asked(world: World, cell: Cell): Promise<void> {
  const { question, client, policy, setting } = cell;
  const config = { confirmation_policy: policy, on_unconfirmed: setting };
  const read = () => world.clock.sleep(IS_READ(cell) ? READING_MS : 0);
  if (question === "none") {
    await (await world.process({ config })).call("towow_demand", { intent: INTENT });
    return;
  }
  if (client === "task") {
    const request = (await world.process({ config })).taskClient(question === "page" ? WITH_PAGES : FOLLOWS);
    const { taskId } = await demand(request, world.sceneId, INTENT);
    const task = await until(request, taskId, asks, () => world.clock.advance(1_000));
    await world.clock.run(read());
    await answerTask(request, task, said(cell));
    return;
  }
  let isFirst = true;
  const answering = async (): Promise<Answer> => {
    if (!isFirst) return { action: "cancel" };
    isFirst = false;
    await read();
    return said(cell);
  };
  const p = await world.process({ config, elicitation: { form: {}, url: {} }, answer: answering });
  await p.call("towow_demand", { intent: INTENT });
}

async function fateOf(cell: Cell): Promise<string> {
  const world = await createWorld();
  world.mock.engine.formulateWith(() => (cell.question === "none" ? INTENT : QUESTIONS[cell.question]));
  await taintedWhere(cell.tainted, world);
  await asked(world, cell);
  await world.clock.advance(5_000);
  const isAtOnce = only(world).cancelled;
  await world.clock.advance(330_000);
  const { cancelled, confirmCount, confirmedBy, negotiation_id } = only(world);
  expect(confirmCount).toBe(0);
  if (confirmedBy !== undefined) return "broadcast by the backend";
  expect(cancelled).toBe(true);
  const { kind } = (await decisionAbout(world, negotiation_id)) ?? {};
  return isAtOnce ? `${kind} at once` : `${kind} before the deadline`;
}

/** What must be. Only silence under `leave` lets the backend broadcast; a page that was declined, or a text that shall be another, is no silence. */
function expected({ question, answer, setting, tainted }: Cell): string {
  if (question === "form" && answer === "declined") return "reject at once";
  const isAnswered = answer === "change" || (question === "page" && answer === "declined");
  const isLeft = setting === "leave" && !isAnswered;
  const isUnseenByAnybody = question === "none" && tainted;
  return isLeft && !isUnseenByAnybody ? "broadcast by the backend" : "withdraw before the deadline";
}

const CELLS: Cell[] = CONDITIONS.flatMap((given) =>
  SETTINGS.flatMap((setting) => [
    { ...given, setting, question: "none", answer: "closed", client: "call" } as const,
    ...(Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[])
      .filter((question) => question === "page" || given.policy === "auto") // under `strict` no form is opened
      .flatMap((question) =>
        (Object.keys(ANSWERS) as Cell["answer"][]).flatMap((answer) =>
          question === "page" && answer === "change"
            ? []
            : (Object.keys(CLIENTS) as Cell["client"][]).map((client) => ({
                ...given,
                setting,
                question,
                answer,
                client,
              })),
        ),
      ),
  ]),
);

describe("what silence does", () => {
  const fates: [Cell, string][] = [];

  it.each(CELLS.map((cell) => [Object.values(cell).join(" · "), cell] as const))("%s", async (_, cell) => {
    const fate = await fateOf(cell);
    expect(fate).toBe(expected(cell));
    fates.push([cell, fate]);
  });

  it("each ends as the snapshot says", async () => {
    const rows = fates.map(([{ question, answer, client, setting, ...given }, why]) => {
      const what = question === "none" ? ["shown by an AI, unanswered"] : [question, ANSWERS[answer], CLIENTS[client]];
      return { row: [setting, ...what], given, verdict: { accepted: why.startsWith("broadcast"), why } };
    });
    await expect(tableOf(rows)).toMatchFileSnapshot("snapshots/what-silence-does.txt");
  });
});
