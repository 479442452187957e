import type { Negotiation } from "../backend/contract.ts";
import { UnknownNegotiation } from "../backend/errors.ts";
import { TowowError } from "../errors.ts";
import { failureOf } from "../log.ts";
import { phaseOf } from "../negotiation/backend-states.ts";
import { isFinal } from "../negotiation/polling.ts";
import type { Says } from "../negotiation/says.ts";
import type { Stage } from "../negotiation/stage.ts";
import type { Platform } from "../platform.ts";
import { momentsOf } from "../view/course.ts";
import type { DemandStatus, Person } from "./person.ts";
import { EMPTY_FORM, type LeftDemand, type RoomDemand, type RoomState } from "./room-state.ts";
import { takenUp } from "./transitions.ts";

export interface DemandTrackerDeps {
  platform: Platform;
  person: Person;
  state: () => RoomState;
  update: (change: (state: RoomState) => RoomState) => void;
}

/**
 * The wait, in ms, before the room tries again once the poller has given up after three failures. Otherwise a waiting
 * person would load the page again.
 */
const AGAIN_MS = 3_000;
/** The wait, in ms, after a final error such as a refused token. The answer changes only if a person changes something. */
const FINAL_AGAIN_MS = 30_000;
/** The most checks, one a second, for the tasks of a demand that is over. The feed brings them soon after the end or never. */
const MAX_CHECKS_AT_END = 15;

/** Keeps a room's demand up to date with the backend and this home, through outages of any length. */
export class DemandTracker {
  readonly #deps: DemandTrackerDeps;
  #id: string | undefined;
  #seen: Negotiation | undefined;
  /**
   * Counts the backend's answers. The objects cannot be compared, because an answer without news is the same object as
   * the one before.
   */
  #answers = 0;
  #stop = () => {};
  /** When the backend stopped answering, in ms since the epoch. */
  #outageSince: number | undefined;
  /** The error that the backend keeps answering with until somebody changes something. */
  #refusal: unknown;
  #isUpdating = false;
  /** True while nothing follows the demand, because the next try is still to come. */
  #waits = false;
  /** True once the room has shown the demand. */
  #isInRoom = false;
  #checksAtEnd = 0;
  #isEnded = false;

  constructor(deps: DemandTrackerDeps) {
    this.#deps = deps;
  }

  /** Shows this demand from now on instead of any other. Resolves once the room shows what this home knows of it. */
  async open(id: string, known: Partial<RoomDemand> = {}): Promise<void> {
    this.close();
    if (this.#isEnded) return; // the room closed while the demand was looked up
    this.#id = id;
    this.#seen = undefined;
    this.#answers += 1;
    this.#outageSince = undefined;
    this.#refusal = undefined;
    this.#isInRoom = false;
    this.#checksAtEnd = 0;
    await this.#update(known);
    if (this.#id === id) this.#follow(id);
  }

  /** Opens the person's undecided demand, unless they have gone on from the scenes by then. */
  async openUndecided(): Promise<void> {
    const { platform, person, state } = this.#deps;
    try {
      const id = await person.undecided();
      const { demand, place, history } = state();
      if (id === undefined || demand !== undefined || place !== "scene" || history !== undefined) return;
      await this.open(id);
    } catch (error) {
      platform.log.warn("room_read_failed", { error: failureOf(error) });
    }
  }

  /** Looks for news that needs no request to the backend, such as what other programs wrote down. */
  check(): void {
    const { demand } = this.#deps.state();
    if (demand === undefined || demand.stage.name === "not_found") return;
    if (demand.stage.name === "over" && (demand.tasks !== undefined || ++this.#checksAtEnd > MAX_CHECKS_AT_END)) return;
    if (!this.#isUpdating) void this.#update();
  }

  /** Prepares the demand as an outside agent may read it, if an agent is here and this has not been done. */
  async readForModel(): Promise<void> {
    const isUnread = () => {
      const { demand, agent } = this.#deps.state();
      return agent !== undefined && demand?.negotiation !== undefined && demand.forModel === undefined;
    };
    // An update that began before the agent came prepared nothing for it, so a second one may be needed.
    for (let tries = 0; tries < 2 && isUnread(); tries++) await this.#update();
  }

  /** If the backend does not know a demand of this home, shows what is written here instead, and returns true. */
  async takeForForgotten(error: unknown): Promise<boolean> {
    if (!(error instanceof UnknownNegotiation) || this.#deps.state().demand?.stage.isOwn !== true) return false;
    this.#outageSince ??= this.#deps.platform.clock.now();
    this.#refusal = error;
    await this.#update();
    return true;
  }

  /** Reads from the backend now. @throws whatever error the backend answers with */
  async refresh(): Promise<void> {
    const id = this.#id;
    if (id === undefined) return;
    const seen = await this.#deps.person.read(id);
    if (this.#id !== id) return;
    if (this.#waits) {
      this.#stop();
      this.#follow(id);
    }
    await this.#answered(seen);
  }

  /** Refreshes after an act that succeeded. If the backend does not answer now, the act still counts as a success. */
  async refreshAfterAct(): Promise<void> {
    await this.refresh().catch(async (error: unknown) => {
      if (!(error instanceof TowowError)) throw error;
      await this.#update(); // what is written here shows the act
    });
  }

  close(): void {
    this.#stop();
    this.#stop = () => {};
    this.#waits = false;
    this.#id = undefined;
  }

  /** Closes the tracker for good, so that no demand is shown from now on. */
  end(): void {
    this.#isEnded = true;
    this.close();
  }

  #follow(id: string): void {
    const { platform, person } = this.#deps;
    const { clock } = platform;
    this.#waits = false;
    const unsubscribe = person.follow(id, {
      next: (seen) => {
        if (this.#id !== id) return;
        void this.#answered(seen);
        if (phaseOf(seen.state) === "over") this.#stop();
      },
      fail: (error) => {
        if (this.#id !== id) return;
        this.#outageSince ??= clock.now();
        this.#refusal = isFinal(error) ? error : undefined;
        void this.#update();
        this.#waits = true;
        this.#stop = clock.after(this.#isSettled(error) ? FINAL_AGAIN_MS : AGAIN_MS, () => this.#follow(id));
      },
    });
    this.#stop = unsubscribe;
  }

  /**
   * Returns whether it is of no use to ask again soon. An unknown id counts only once the demand shows as not found,
   * because another replica may still know it.
   */
  #isSettled(error: unknown): boolean {
    const isUnknown = error instanceof UnknownNegotiation;
    return isFinal(error) && (!isUnknown || this.#deps.state().demand?.stage.name === "not_found");
  }

  #answered(seen: Negotiation): Promise<void> {
    this.#seen = seen;
    this.#answers += 1;
    this.#outageSince = undefined;
    this.#refusal = undefined;
    return this.#update();
  }

  /**
   * Updates the room's demand from the backend's last answer, from what is written here, and from whether the backend
   * still answers.
   */
  async #update(known: Partial<RoomDemand> = {}): Promise<void> {
    const { platform, person, state, update } = this.#deps;
    const id = this.#id;
    if (id === undefined) return;
    this.#isUpdating = true;
    const [seen, answers] = [this.#seen, this.#answers];
    try {
      const status = await person.status(id, seen, this.#refusal instanceof UnknownNegotiation);
      const isRead = seen !== undefined && state().agent !== undefined;
      const forModel = isRead ? await person.forModel(seen, status.stage) : undefined;
      if (this.#id !== id) return;
      if (this.#isInRoom && state().demand?.id !== id) return this.close(); // the person has gone on from this demand
      // A newer answer arrived during this update, so the demand is updated again from that one. Callers that wait for
      // this update wait for the new one as well.
      if (answers !== this.#answers) return await this.#update(known);
      this.#isInRoom = true;
      const refusal = this.#refusal === undefined ? undefined : person.tell(this.#refusal, state().lang);
      const now = { ...known, forModel, outageSince: this.#outageSince, refusal };
      update((before) => withStatus(before, id, status, now));
    } catch (error) {
      platform.log.warn("room_read_failed", { error: failureOf(error) }); // the next check, a second later, may succeed
    } finally {
      this.#isUpdating = false;
    }
  }
}

function withStatus(state: RoomState, id: string, status: DemandStatus, changed: Partial<RoomDemand>): RoomState {
  const { facts, sceneId, ...seen } = status;
  const before = state.demand?.id === id ? state.demand : undefined;
  const listed = state.scenes.items.find((scene) => scene.id === sceneId)?.name;
  const sceneName = listed || before?.sceneName || sceneId;
  const left = state.left?.find((one) => one.id === id);
  const about = before?.negotiation === undefined ? left?.formulated : before.negotiation.demand_formulated;
  const isOtherText =
    about !== undefined && seen.negotiation !== undefined && about !== seen.negotiation.demand_formulated;
  const isAsking = seen.stage.name === "asking";
  const known = before ?? { ...changed, ...left?.known };
  return {
    ...state,
    demand: {
      writtenBy: "unknown",
      ...before,
      ...seen,
      ...changed,
      ...(before === undefined && left?.known),
      ...writtenDown(seen.said),
      id,
      ...(sceneId !== undefined && { sceneId }),
      ...(sceneName !== undefined && { sceneName }),
    },
    entered: enteredWith(state.entered, status, { before, left }),
    // Edits belong to one text, so another text starts without them. They return when their demand is opened again.
    form:
      before !== undefined && (!isOtherText || !isAsking)
        ? state.form
        : {
            ...EMPTY_FORM,
            joined: state.form.joined,
            profile: state.form.profile,
            touched: state.form.touched,
            resume: state.form.resume,
            sceneId: sceneId ?? state.form.sceneId,
            ...(known.candidate !== undefined && takenUp({ text: known.candidate, by: "ai" })),
            ...(before === undefined && changed.toChange && { isEditing: true }),
            ...(before === undefined && !isOtherText && left?.form),
          },
    ...(before?.stage.name !== seen.stage.name && { busy: undefined }),
    // The first answer ends a notice that nothing could be read. The effect of a decision ends a notice that its answer
    // was lost.
    ...(seen.negotiation !== undefined && changed.outageSince === undefined && withoutReading(state)),
    ...(before !== undefined && hasTakenEffect(before.stage, seen.stage) && { notice: undefined }),
  };
}

/** Returns the author that was written down. If a text has several authors, only the room that submitted it knows them. */
const writtenDown = ({ writers: { submitted } }: Says): Partial<RoomDemand> =>
  submitted === "person" || submitted === "ai" ? { writtenBy: submitted } : {};

/** Drops the notice that nothing could be read, because the first answer makes it untrue. */
export const withoutReading = ({ notice }: RoomState): Pick<RoomState, "notice"> =>
  notice?.isOfReading ? { notice: undefined } : { notice };

/** Returns whether a decision that was on its way has arrived or has ended otherwise. */
const hasTakenEffect = ({ name }: Stage, now: Stage): boolean =>
  (name === "confirming" && now.reach === "broadcast") ||
  ((name === "confirming" || name === "cancelling") && (now.name === "over" || now.name === "not_found"));

type Entered = RoomState["entered"];

/** Returns when each stage began, as far as that is written down or was seen here. An end that was neither has no time. */
function enteredWith(
  entered: Entered,
  status: DemandStatus,
  { before, left }: { before: RoomDemand | undefined; left: LeftDemand | undefined },
): Entered {
  const seen = before === undefined ? (left?.entered ?? enteredBefore(entered, status.facts.submitted?.at)) : entered;
  const isOver = status.said.ending !== undefined && status.negotiation !== undefined;
  const isUnseen = isOver && before?.negotiation === undefined && !("done" in seen);
  return { ...seen, ...(isUnseen && { done: undefined }), ...enteredBy(status) };
}

/** Keeps the stages that were entered before the demand was submitted. A room that opens on an older demand keeps none. */
const enteredBefore = (entered: Entered, submittedAt = Number.POSITIVE_INFINITY): Entered =>
  Object.fromEntries(Object.entries(entered).filter(([, at]) => at !== undefined && at <= submittedAt));

/** Reads from what is written down when each stage began, so that a room that opens later shows the same times. */
function enteredBy({ facts, stage, said, negotiation }: DemandStatus): Entered {
  const { submitted, out, ended } = momentsOf(said, facts);
  const isNegotiating = stage.name === "moving" || (negotiation !== undefined && negotiation.participants.length > 0);
  return {
    ...(submitted !== undefined && { decision: submitted }),
    ...(isNegotiating && out !== undefined && { negotiating: out }),
    ...(stage.name === "over" && ended !== undefined && { done: ended }),
  };
}
