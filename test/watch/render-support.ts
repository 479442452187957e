import { agent, NOON, negotiation, view } from "./views.ts";

export const options = { rows: 24, now: NOON, keys: true };

export const pause = (fields = {}) =>
  view(negotiation({ state: "formulated", ...fields }), { decideBy: NOON + 271_500, undecided: "withdrawn" });

export const offers = [
  agent({
    state: "replied",
    offer_content: "I build clickable prototypes before anybody commits. Ten days this month.",
  }),
  agent({ agent_id: "agent_2", display_name: "陈若溪", resonance_score: 0.5 }),
  agent({ agent_id: "agent_3", display_name: "Tom", resonance_score: 0.31, state: "exited" }),
];
