import type { PlanTask } from "../backend/feed/events.ts";
import type { FeedEvidence } from "../feed/evidence.ts";
import {
  type Findings,
  noFindings,
  type Sanitized,
  type SanitizeOptions,
  sanitized,
} from "../safety/sanitize/options.ts";
import { sanitizeId, sanitizeName, sanitizeText, sanitizeWord } from "../safety/sanitize/text.ts";
import { inTurns, type Steps } from "../turn.ts";

/** What only the backend's live events say, in the form in which results show it. All of the texts are by others. */
export type EvidenceInResult = {
  /** The agents whose resonance was below the threshold. */
  left_out?: { count: number; agents: { agent_id: string; display_name: string; resonance_score: number }[] };
  /** The tools that the Center used, in order. */
  center_calls?: string[];
  /** The demands that the Center sent out under the person's id. */
  sub_demands?: { negotiation_id: string; text: string }[];
  /** The plan's tasks, in an order in which they can be done. `after` names the tasks before each. */
  tasks?: { id: string; title: string; description: string; assignee_id: string; after: string[] }[];
};

/**
 * The maximum number of agents below the threshold that a result names. The closest ones are named, and the others
 * only counted.
 */
const MAX_LEFT_OUT = 10;
const MAX_TASKS = 50;
/** The maximum length of a task's description, in graphemes. The plan itself holds the whole description. */
const TASK_CHARS = 280;
const SUB_DEMAND_CHARS = 1_000;

/** Returns the evidence, cleaned for a model, or undefined if the live events have nothing to show. */
export async function evidenceInResult(
  evidence: FeedEvidence,
  options: SanitizeOptions,
): Promise<Sanitized<EvidenceInResult> | undefined> {
  if (isEmpty(evidence)) return undefined;
  const found = noFindings();
  return sanitized(await inTurns(cleaning(evidence, options, found)), found);
}

/** Returns whether there is nothing to show, which is so before the broadcast. */
const isEmpty = ({ filteredCount, centerCalls, subDemands, plan }: FeedEvidence): boolean =>
  filteredCount + centerCalls.length + subDemands.length + (plan?.tasks.length ?? 0) === 0;

/** Returns whether the evidence holds texts besides names, because a text may give orders to the model that reads it. */
export const holdsTexts = ({ sub_demands, tasks }: EvidenceInResult): boolean =>
  (sub_demands?.length ?? 0) > 0 || (tasks?.length ?? 0) > 0;

function* cleaning(evidence: FeedEvidence, options: SanitizeOptions, found: Findings): Steps<EvidenceInResult> {
  const { redactPii, limits } = options;
  const id = (text: string) => sanitizeId(text, limits.nameChars, found);
  const word = (text: string) => sanitizeWord(text, limits.nameChars, { redactPii }, found);
  const name = (text: string) => sanitizeName(text, limits.nameChars, { redactPii }, found);
  const { filtered, filteredCount, centerCalls, subDemands, plan } = evidence;
  const closest = filtered.toSorted((a, b) => b.resonance_score - a.resonance_score).slice(0, MAX_LEFT_OUT);
  const agents = closest.map(({ agent_id, display_name, resonance_score }) => ({
    agent_id: id(agent_id),
    display_name: name(display_name),
    resonance_score,
  }));
  yield;
  const sub_demands = [];
  for (const { negotiation_id, text } of subDemands) {
    const clean = yield* sanitizeText(text, SUB_DEMAND_CHARS, { redactPii }, found);
    sub_demands.push({ negotiation_id: id(negotiation_id), text: clean.text });
  }
  const tasks = [];
  for (const task of (plan?.tasks ?? []).slice(0, MAX_TASKS)) tasks.push(yield* taskInResult(task));
  return {
    ...(filteredCount > 0 && { left_out: { count: filteredCount, agents } }),
    ...(centerCalls.length > 0 && { center_calls: centerCalls.map(({ tool_name }) => word(tool_name)) }),
    ...(sub_demands.length > 0 && { sub_demands }),
    ...(tasks.length > 0 && { tasks }),
  };

  function* taskInResult({ title, description, assignee_id, prerequisites, ...task }: PlanTask): Steps<Task> {
    const clean = yield* sanitizeText(description, TASK_CHARS, { redactPii }, found);
    return {
      id: id(task.id),
      title: name(title),
      description: clean.text,
      assignee_id: id(assignee_id),
      after: prerequisites.map(id),
    };
  }
}

type Task = NonNullable<EvidenceInResult["tasks"]>[number];
