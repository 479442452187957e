import { expect, it } from "vitest";
import { changes } from "../../src/watch/live.ts";
import { agent, format, NOON, negotiation, view } from "./views.ts";

const priya = agent();
const chen = agent({ agent_id: "agent_2", display_name: "Chen" });
const bob = agent({ agent_id: "agent_3", display_name: "Bob" });

it("an agent that comes in between is announced, and no other once more", () => {
  const before = view(negotiation({ participants: [priya, { ...chen, state: "replied" }] }));
  const after = view(negotiation({ participants: [priya, bob, { ...chen, state: "replied" }] }));
  const lines = changes(before, after, { now: NOON, words: false }, format(80)).join("\n");
  expect(lines).toContain("Bob");
  expect(lines).not.toContain("Chen");
});
