import type { Countdown } from "../countdown.ts";
import type { Observation } from "../observation.ts";
import { attemptOf, type PendingDecision, textState } from "../pending-decision.ts";
import type { Stage } from "../stage.ts";
import type { PlanInput } from "./next.ts";

export interface InputParts extends Pick<PlanInput, "isMine" | "isOwnerAlive" | "isOffered" | "isWithdrawingAtEnd"> {
  stage: Stage;
  observation: Pick<
    Observation,
    "snapshot" | "sinceReadMs" | "sinceAnswerMs" | "sinceRequestMs" | "sinceRequestEndMs" | "notFoundMs"
  >;
  /** Undefined where no deadline is known. */
  deadline: Pick<Countdown, "leftMs" | "leftAtMostMs"> | undefined;
  /** Of any decision: only that of the standing one counts. */
  pending: PendingDecision | undefined;
  /** The clock, ms since the epoch. */
  now: number;
  hash: (text: string) => string;
}

/** What a program has seen, as the plan asks for it. */
export function planInputOf({ stage, observation, deadline, pending, now, hash, ...rest }: InputParts): PlanInput {
  const { decision } = stage;
  const own = pending?.number === decision?.number ? pending : undefined;
  return {
    ...rest,
    ownerAgeMs: Math.abs(now - (stage.ownerSince ?? 0)),
    leftMs: deadline?.leftMs(),
    leftAtMostMs: deadline?.leftAtMostMs(),
    sinceReadMs: observation.sinceReadMs,
    sinceAnswerMs: observation.sinceAnswerMs,
    sinceRequestMs: observation.sinceRequestMs,
    sinceRequestEndMs: observation.sinceRequestEndMs,
    notFoundMs: observation.notFoundMs,
    decisionAgeMs: decision === undefined ? 0 : Math.abs(now - decision.at),
    attempt: attemptOf(own),
    text: textState(decision, own, observation.snapshot, hash),
    isDecidedHere: own !== undefined,
  };
}
