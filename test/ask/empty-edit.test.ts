import { expect, it } from "vitest";
import { cancels, confirms, submits } from "../support/backend.ts";
import type { Answer } from "../support/clients.ts";
import { lastQuestionId } from "../support/facts.ts";
import { answer, asks, decided, demand, isOver, until } from "../support/task-client.ts";
import { createWorld, type World } from "../support/world.ts";
import { INTENT, only } from "./pause-support.ts";

const OWN = "A designer, in Vienna";
const typed = (confirmed_text: string): Answer => ({ action: "accept", content: { confirmed_text } });

/** What the backend was sent so far. */
const sent = ({ mock }: World) => [submits(mock).length, confirms(mock).length, cancels(mock).length];

/** Half of an emoji at its end, as a cut at a number of UTF-16 units leaves it. */
const HALF = `${OWN} \ud83c`;

it.each([
  ["", "empty"],
  [" \n", "empty"],
  [HALF, "half a character"],
])(
  "an edit in the background left as %j: asked again about the same demand, under the same ids",
  async (empty, why) => {
    const world = await createWorld();
    const request = (await world.process()).taskClient();
    const { taskId } = await demand(request, world.sceneId, INTENT);
    const next = (holds: typeof asks) => until(request, taskId, holds, () => world.clock.advance(1_000));
    await answer(request, await next(asks), decided("edit"));
    const writing = await next(asks);
    const { negotiation_id } = only(world);
    const confirmationId = await lastQuestionId(world, negotiation_id);
    await answer(request, writing, typed(empty));
    const again = await next(asks);
    expect(again).toMatchObject({ taskId, status: "input_required", statusMessage: expect.stringContaining(why) });
    expect(Object.values(again.inputRequests!)).toEqual(Object.values(writing.inputRequests!));
    expect(await lastQuestionId(world, negotiation_id)).toBe(confirmationId);
    expect(sent(world)).toEqual([1, 0, 0]);
    await answer(request, again, typed(OWN));
    const { result } = await next(isOver);
    expect(result.structuredContent.data).toMatchObject({ negotiation_id, decision: "edit" });
    expect(only(world)).toMatchObject({ negotiation_id, confirmedText: OWN, confirmCount: 1 });
    expect(sent(world)).toEqual([1, 1, 0]);
  },
);

it.each([
  ["", "tool.negotiation.invalid.confirmed_text_empty"],
  [" \n", "tool.negotiation.invalid.confirmed_text_empty"],
  [HALF, "tool.input.invalid.ill_formed"],
])(
  "an edit in a form left as %j: the next call asks about the same demand, under the same ids",
  async (empty, code) => {
    const world = await createWorld();
    const texts = [empty, OWN];
    const p = await world.process({
      answer: ({ requestedSchema: { properties } }) =>
        "confirmed_text" in properties
          ? typed(texts.shift() ?? "")
          : { action: "accept", content: { decision: "edit" } },
    });
    const left = await p.call("towow_demand", { intent: INTENT });
    const { negotiation_id } = only(world);
    const confirmationId = await lastQuestionId(world, negotiation_id);
    expect(left.result.error).toMatchObject({
      code,
      resume_with: { tool: "towow_demand", params: { negotiation_id } },
    });
    expect(sent(world)).toEqual([1, 0, 0]);
    const done = await p.call("towow_demand", left.result.error?.resume_with?.params);
    expect(await lastQuestionId(world, negotiation_id)).toBe(confirmationId);
    expect(done.result.data).toMatchObject({ negotiation_id, decision: "edit" });
    expect(p.forms.map(({ message }) => message).slice(0, 2)).toEqual(p.forms.map(({ message }) => message).slice(2));
    expect(sent(world)).toEqual([1, 1, 0]);
  },
);
