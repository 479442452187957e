import { createHash } from "node:crypto";
import { HomeUnwritable } from "../../src/home/errors.ts";
import { formulatedText } from "../../src/negotiation/backend-states.ts";
import type { Rendering } from "../../src/negotiation/facts.ts";
import {
  type Decided,
  type DecisionKind,
  type Facts,
  factName,
  factsOf,
  type NegotiationKey,
} from "../../src/negotiation/facts.ts";
import { recordOf } from "../../src/negotiation/records.ts";
import type { Negotiations } from "../../src/negotiation/service.ts";
import { type Decision, effectiveDecision, lastOutcome, type NumberedOutcome } from "../../src/negotiation/stage.ts";
import { ORIGIN, type World } from "./world.ts";

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** How a decision was shown: all of this text, there. */
export const seenOn = <Surface extends Rendering["surface"]>(surface: Surface, text: string) => ({
  surface,
  rendered_hash: sha256(text),
});

const keyOf = (id: string): NegotiationKey => ({ origin: ORIGIN, id });

/** All that this home has written about a negotiation. */
export const factsAbout = async (world: World, id: string): Promise<Facts> =>
  factsOf(await world.facts.read(keyOf(id)));

/** The question that was put to the person last. */
export const lastQuestionId = async (world: World, id: string): Promise<string | undefined> =>
  (await factsAbout(world, id)).asked.at(-1)?.question_id;

export const decisionAbout = async (world: World, id: string): Promise<Decision | undefined> =>
  effectiveDecision(await factsAbout(world, id));

export const outcomeOf = async (world: World, id: string): Promise<NumberedOutcome | undefined> =>
  lastOutcome(await factsAbout(world, id));

/**
 * What a program leaves that decided in a form and was killed before its request went out. `text`: of an edit; the
 * backend's own otherwise.
 */
export async function leaveDecision(
  world: World,
  killed: { pid: number },
  id: string,
  { kind, text }: { kind: DecisionKind; text?: string },
): Promise<void> {
  const { decided, asked } = await factsAbout(world, id);
  const current = world.mock.negotiations().find((negotiation) => negotiation.negotiation_id === id);
  if (current === undefined) throw new Error(`no negotiation ${id}`);
  const formulated = formulatedText(current as never);
  const isYes = kind === "accept" || kind === "edit";
  const question = asked.at(-1);
  const decision: Decided = {
    at: world.clock.now(),
    kind,
    by: "form",
    owner: { instance: `instance-${killed.pid}`, pid: killed.pid },
    ...(question && { question_id: question.question_id }),
    ...(isYes && { text_hash: sha256(text ?? formulated), formulated_hash: sha256(formulated) }),
  };
  const { created } = await world.facts.create(keyOf(id), factName.decided(decided.length + 1), decision, "open");
  if (!created) throw new Error("decided by somebody else meanwhile");
  world.dead.add(killed.pid);
}

const ATTEMPTS = ["attempt", "answer"];

/** From now on no fact can be written, as on a full disk; the returned function makes room. */
export const fillDisk = (world: World): (() => void) => refuse(world, () => true);

/** The same, but facts of these kinds still find room. */
export const fillDiskExceptFor = (world: World, ...kinds: string[]): (() => void) =>
  refuse(world, (kind) => !kinds.includes(kind));

/** The same, but what belongs to submits still finds room. */
export const fillDiskBehindSubmits = (world: World): (() => void) => fillDiskExceptFor(world, ...ATTEMPTS);

function refuse(world: World, isRefused: (kind: string) => boolean): () => void {
  const { create } = world.facts;
  world.facts.create = async (key, name, value, index) => {
    if (isRefused(name.split(".")[0] ?? "")) throw new HomeUnwritable({ path: "/home", reason: "ENOSPC" });
    return create(key, name, value, index);
  };
  return () => {
    world.facts.create = create;
  };
}

/** From now on the home cannot be read either, as on a network drive that is gone; the returned function brings it back. */
export function takeHome(world: World): () => void {
  const giveRoom = fillDisk(world);
  const { read, list, listOpen } = world.facts;
  const fails = async () => {
    throw new HomeUnwritable({ path: "/home", reason: "EIO" });
  };
  Object.assign(world.facts, { read: fails, list: fails, listOpen: fails });
  return () => {
    giveRoom();
    Object.assign(world.facts, { read, list, listOpen });
  };
}

/**
 * From now on the home gives no answer at all, as a network drive does whose server is gone; the returned function brings
 * that back, and what had been asked for is done then.
 */
export function hangHome(world: World): () => void {
  const { create, close, read, list, listOpen } = world.facts;
  const { promise: back, resolve } = Promise.withResolvers<void>();
  const late =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A) => {
      await back;
      return work(...args);
    };
  const [reads, writes] = [
    { read: late(read), list: late(list), listOpen: late(listOpen) },
    { create: late(create), close: late(close) },
  ];
  Object.assign(world.facts, { ...reads, ...writes });
  return () => {
    Object.assign(world.facts, { create, close, read, list, listOpen });
    resolve();
  };
}

/** How a negotiation ended for this user, as their programs wrote it down. */
export const endedAs = async (negotiations: Negotiations, id: string): Promise<string | undefined> =>
  recordOf(keyOf(id), await negotiations.facts(id)).ended?.as;
