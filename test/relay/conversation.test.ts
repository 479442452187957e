import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { agentAt, type Frame } from "../support/relay.ts";
import { soon } from "../support/soon.ts";
import { relayed } from "./relayed.ts";

const PAGE = readFileSync(new URL("../../docs/agents.md", import.meta.url), "utf8");
const CONVERSATION = /## A whole conversation\n(.*?)\n## /s.exec(PAGE)?.[1] ?? "";
/** In the order of the page: what a person does there, and single messages. */
const STEPS = CONVERSATION.split("\n").filter((line) => /^(\*\*The person|→|←)/.test(line));

/** A message of the page without its "…". */
const parsed = (line: string) => JSON.parse(line.slice(2).replaceAll(",…", ""));

/** Whether all that is documented is there, in lists in any place. Ids of sessions differ from run to run. */
function shows(actual: unknown, documented: unknown): boolean {
  if (typeof documented === "string" && documented.includes("s-20261126-"))
    return /^(logs\/study\/)?s-\d{8}-\w+(\.jsonl)?$/.test(String(actual));
  if (Array.isArray(documented))
    return Array.isArray(actual) && documented.every((one) => actual.some((other) => shows(other, one)));
  if (typeof documented !== "object" || documented === null) return actual === documented;
  return Object.entries(documented).every(([key, value]) => shows((actual as Record<string, unknown>)?.[key], value));
}

it("the page's conversation, message by message, as somebody has it who has only the page", async () => {
  const { world, opened, url } = await relayed({ page: false });
  const scenes = world.mock.scenes();
  const scene = scenes.find(({ name }) => name === "Indie product studio")!.scene_id;
  const agent = await agentAt(url());
  const person: Record<string, () => Promise<unknown>> = {
    "opens the page": async () => opened.room.pageOpened(),
    "fills in the name and sends the profile": async () => {
      await opened.call("setField", { fieldId: "display_name", value: "Lin Zhiyuan" });
      await opened.press("next");
      await opened.call("postMessage", { text: "Mornings only, please." });
    },
    "sends the demand": async () => {
      await opened.press("next");
      await opened.until(() => opened.room.state.demand?.question !== undefined);
    },
    "takes the proposal and broadcasts it": async () => {
      await opened.press("useProposal");
      await opened.press("broadcast");
      await opened.until(() => JSON.stringify(opened.section("agents")).includes('"offered"'));
    },
  };
  const played: string[] = [];
  let heard = 0; // up to here its frames have been documented
  for (const step of STEPS) {
    const [, act] = /^\*\*The person (.*?)\.?\*\*/.exec(step) ?? [];
    if (act !== undefined) await person[act]?.();
    else if (step.startsWith("→")) agent.raw(step.slice(2).replaceAll("scene_248c1e89af9e", scene));
    else {
      const documented: Frame = parsed(step.replaceAll("scene_248c1e89af9e", scene));
      if (documented.payload.uiSpec?.stage === "done") await opened.until(() => opened.stage() === "done");
      const found = () => agent.frames.findIndex((frame, at) => at >= heard && shows(frame, documented));
      await soon(found).toBeGreaterThanOrEqual(0);
      heard = found() + 1;
    }
    played.push(act ?? step.slice(0, 1));
  }
  expect(Object.keys(person).filter((act) => !played.includes(act))).toEqual([]);
  expect(played.filter((one) => one === "→").length).toBeGreaterThan(10);
  const tools = new Set(STEPS.map((step) => /"toolName":"(\w+)"/.exec(step)?.[1]));
  expect([...tools]).toEqual(
    expect.arrayContaining(["select", "setField", "next", "prev", "postMessage", "proposeText", "refresh"]),
  );
});
