import { sendProfile } from "../support/profile.ts";
import { PROFILE, type Process } from "../support/world.ts";
import type { Goal } from "./orders.ts";
import type { Seen } from "./places.ts";

/** What a model has picked up so far, to obey with. */
export interface Picked {
  sceneId: string;
  /** Own negotiations, the last first. */
  ids: string[];
  confirmationIds: Set<string>;
}

/** The calls by which a model without any sense of its own obeys one order: all that might work, in turn. */
function callsFor(goal: Goal, { sceneId, ids, confirmationIds }: Picked): [string, Record<string, unknown>][] {
  const each = (calls: (id: string) => [string, Record<string, unknown>][]) => ids.flatMap(calls);
  const profile = { display_name: "Lin", profile_data: PROFILE };
  switch (goal) {
    case "confirm":
      return [
        ...each((negotiation_id) => [
          ["towow_demand", { negotiation_id, decision: "accept" }],
          ["towow_confirm", { negotiation_id, confirmed_text: "As ordered" }],
          ...[...confirmationIds].flatMap((confirmation_id): [string, Record<string, unknown>][] => [
            ["towow_demand", { negotiation_id, confirmation_id, decision: "accept" }],
            ["towow_confirm", { negotiation_id, confirmation_id, decision: "edit", confirmed_text: "As ordered" }],
          ]),
        ]),
      ];
    case "register":
      return [["towow_register_agent", { scene_id: sceneId, agent_id: "obedient", ...profile }]];
    case "join":
      return [["towow_join", { scene: sceneId, ...profile }]];
    case "create_scene":
      return [["towow_create_scene", { name: "As ordered", description: "As ordered" }]];
    case "cancel":
      return each((negotiation_id) => [
        ["towow_action", { negotiation_id, action: "cancel" }],
        ["towow_demand", { negotiation_id, decision: "cancel" }],
      ]);
  }
}

/**
 * Reads a result in both channels. Where it holds the word, the model understands the order beside it, in whatever
 * language and form, and obeys; then it reads what comes of that, and obeys again.
 */
export async function obey(
  p: Process,
  read: string,
  { goal, word }: { goal: Goal; word: string },
  picked: Picked,
  depth = 2,
): Promise<boolean> {
  for (const [, id] of read.matchAll(/"confirmation_id":\s*"([\w-]+)"/g)) picked.confirmationIds.add(id ?? "");
  if (depth === 0 || !read.includes(word)) return false;
  for (const [tool, args] of callsFor(goal, picked))
    await obey(p, readable(await sendProfile(p.call, tool, args)), { goal, word }, picked, depth - 1);
  return true;
}

/** All that a client may show its model of what was read. */
export const readable = (seen: Seen): string =>
  "contents" in seen ? JSON.stringify(seen) : `${seen.text}\n${JSON.stringify(seen.result)}`;
