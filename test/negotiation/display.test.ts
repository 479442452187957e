import { describe, expect, it } from "vitest";
import type { DecisionRequest } from "../../src/negotiation/decide.ts";
import type { Rendering } from "../../src/negotiation/facts.ts";
import { BROWSER_PROOFS, SURFACES } from "../../src/question/who.ts";
import { confirms } from "../support/backend.ts";
import { decisionAbout, seenOn } from "../support/facts.ts";
import { createWorld } from "../support/world.ts";

/** The core's own gate: without a text that was shown whole, where a person decides, nothing is confirmed (contract §6). */

const TEXT = "A designer for hospital queues, in Hangzhou.";
const MISMATCH = "tool.negotiation.invalid.confirmation_id";
const OWN_HAND = "tool.policy.blocked.confirmation_required";

/** Whoever answers: what a hook of the client's can neither fill in nor read. */
const isOwnHand = ({ surface, browser }: Rendering): boolean =>
  surface === "terminal" || (surface === "page" && (browser === "own_window" || browser === "known"));

async function asked(confirmation_policy: "auto" | "strict") {
  const world = await createWorld();
  world.mock.engine.formulateWith(() => TEXT);
  const p = await world.process({ config: { confirmation_policy } });
  const demand = await p.call("towow_demand", { intent: "A designer" });
  const { negotiation_id: negotiationId } = demand.result.data;
  const facts = await p.negotiations.facts(negotiationId);
  const confirmationId = String(facts.asked[0]?.question_id);
  const decide = (rest: object) =>
    world.clock.run(
      p.negotiations.decide({ negotiationId, confirmationId, ...rest } as DecisionRequest).then(
        ({ kind }) => kind,
        (error: { code: string }) => error.code,
      ),
    );
  return { world, decide, negotiationId };
}

describe.each(["auto", "strict"] as const)("%s", (policy) => {
  const renderings: Rendering[] = SURFACES.flatMap((surface) =>
    [undefined, ...BROWSER_PROOFS].map((browser) => ({ ...seenOn(surface, TEXT), ...(browser && { browser }) })),
  );
  it.each(renderings.map((rendering) => [rendering.surface, rendering.browser ?? "no proof", rendering] as const))(
    "%s with %s: confirmed exactly where that shows a person",
    async (surface, _, rendering) => {
      const { world, decide, negotiationId } = await asked(policy);
      const isPerson =
        isOwnHand(rendering) || (policy === "auto" && (surface !== "page" || rendering.browser !== undefined));
      expect(await decide({ kind: "accept", rendering })).toBe(isPerson ? "confirmed" : OWN_HAND);
      expect(confirms(world.mock)).toHaveLength(isPerson ? 1 : 0);
      if (!isPerson) return;
      const { by, display } = (await decisionAbout(world, negotiationId)) ?? {};
      expect({ by, display }).toEqual({ by: surface, display: { ...rendering, author: "network" } });
    },
  );
});

describe("what was not rendered is not sent", () => {
  const PAGE = { browser: "own_window" } as const;
  it.each([
    ["no word of how it was shown", { kind: "accept" }],
    ["another text", { kind: "accept", rendering: { ...seenOn("page", "Another"), ...PAGE } }],
    ["nothing", { kind: "accept", rendering: { surface: "terminal", rendered_hash: "" } }],
    ["the network's text, and an edit goes out", { kind: "edit", text: "Mine", rendering: seenOn("terminal", TEXT) }],
    ["half of an edit", { kind: "edit", text: "Mine, all of it", rendering: seenOn("form", "Mine") }],
    [
      "an edit that no result can have held, and the question is another",
      { kind: "edit", text: "Mine", rendering: seenOn("argument", "Mine") },
    ],
  ])("%s", async (_, request) => {
    const { world, decide, negotiationId } = await asked("auto");
    expect(await decide(request)).toBe(MISMATCH);
    expect(confirms(world.mock)).toHaveLength(0);
    expect(await decisionAbout(world, negotiationId)).toBeUndefined();
  });
});
