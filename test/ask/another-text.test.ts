import { expect, it } from "vitest";
import type { Answerer } from "../support/clients.ts";
import { leaveDecision } from "../support/facts.ts";
import { createWorld, type Process, type World } from "../support/world.ts";
import { FIVE_MINUTES, INTENT, only } from "./pause-support.ts";

/** Somebody wants another text than the network's, and it is never sent: then silence lets the network's go out no more. */

const LEAVE = { config: { on_unconfirmed: "leave" }, flags: { mode: "developer" } };
const OWN = "A nurse instead";
const CLOSED = { action: "cancel" } as const;
const first = { action: "accept", content: { decision: "edit" } } as const;

type Way = [
  name: string,
  answer: Answerer | undefined,
  wish: (p: Process, id: string, world: World) => Promise<unknown>,
];

/** A client that shows forms, whose person closes all but the first question. */
const changing = (): Answerer => {
  const answers = [first];
  return () => answers.shift() ?? CLOSED;
};

const WAYS: Way[] = [
  ["“change it first” in a form, and no text", changing(), async () => {}],
  [
    "an edit by their AI, whose page they close",
    () => CLOSED,
    (p, id) => p.call("towow_demand", { negotiation_id: id, decision: "edit", confirmed_text: OWN }),
  ],
  [
    "a text that is kept for an edit",
    undefined,
    (p, id) => p.call("towow_confirm", { negotiation_id: id, confirmed_text: OWN }),
  ],
  [
    "an edit whose program died with its text",
    undefined,
    async (p, id, world) => {
      await leaveDecision(world, p, id, { kind: "edit", text: OWN });
      const heir = await world.process(LEAVE);
      await heir.call("towow_list_scenes"); // takes over
    },
  ],
];

it.each(WAYS)("%s: withdrawn before the deadline, under `leave` too", async (_, answer, wish) => {
  const world = await createWorld();
  const elicitation = { form: {}, url: {} };
  const p = await world.process({ ...LEAVE, ...(answer && { answer, elicitation }) });
  await p.call("towow_demand", { intent: INTENT });
  await wish(p, only(world).negotiation_id, world);
  await world.clock.advance(FIVE_MINUTES + 30_000);
  expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0, confirmedBy: undefined });
});
