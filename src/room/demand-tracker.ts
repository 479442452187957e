import type { Negotiation } from "../backend/contract.ts";
import { UnknownNegotiation } from "../backend/errors.ts";
import type { Clock } from "../clock.ts";
import { TowowError } from "../errors.ts";
import { failureOf, type Log } from "../log.ts";
import { phaseOf } from "../negotiation/backend-states.ts";
import { isFinal } from "../negotiation/polling.ts";
import type { Says } from "../negotiation/says.ts";
import type { Stage } from "../negotiation/stage.ts";
import { momentsOf } from "../view/course.ts";
import type { DemandStatus, Person } from "./person.ts";
import { EMPTY_FORM, type LeftDemand, type RoomDemand, type RoomState } from "./room-state.ts";
import { takenUp } from "./transitions.ts";

export interface DemandTrackerDeps {
  person: Person;
  clock: Clock;
  log: Log;
  state: () => RoomState;
  update: (change: (state: RoomState) => RoomState) => void;
}

/** The poller gives up after three bad answers; a person who waits on would load the page again, so it goes on. */
const AGAIN_MS = 3_000;
/** After a refused token or a lost id: the answer changes only if a person changes something. */
const FINAL_AGAIN_MS = 30_000;
/** What the feed adds to a plan comes a moment after it, or never. One check is a second. */
const MAX_CHECKS_AT_END = 15;

/** Keeps a room's demand as the backend and this home show it, through outages of any length. */
export class DemandTracker {
  readonly #deps: DemandTrackerDeps;
  #id: string | undefined;
  #seen: Negotiation | undefined;
  /** How many answers have come: one that says the same again is the same object. */
  #answers = 0;
  #stop = () => {};
  /** Since when the backend has not answered, ms since the epoch. */
  #outageSince: number | undefined;
  /** What the backend answers instead, where it will not answer otherwise by itself. */
  #refusal: unknown;
  #isUpdating = false;
  /** Nothing follows it until the next try. */
  #waits = false;
  /** The room shows it, or did. */
  #isShown = false;
  #checksAtEnd = 0;
  #isEnded = false;

  constructor(deps: DemandTrackerDeps) {
    this.#deps = deps;
  }

  /** Shows this demand from now on, and no other. Gives when what this home knows of it is shown. */
  async open(id: string, known: Partial<RoomDemand> = {}): Promise<void> {
    this.close();
    if (this.#isEnded) return; // its room closed while it was looked for
    this.#id = id;
    this.#seen = undefined;
    this.#answers += 1;
    this.#outageSince = undefined;
    this.#refusal = undefined;
    this.#isShown = false;
    this.#checksAtEnd = 0;
    await this.#update(known);
    if (this.#id === id) this.#follow(id);
  }

  /** What waits for its person stands before the scenes, unless they have gone on from there by then. */
  async openUndecided(): Promise<void> {
    const { person, log, state } = this.#deps;
    try {
      const id = await person.undecided();
      const { demand, place, history } = state();
      if (id === undefined || demand !== undefined || place !== "scene" || history !== undefined) return;
      await this.open(id);
    } catch (error) {
      log.warn("room_read_failed", { error: failureOf(error) });
    }
  }

  /** What other programs wrote down, and the time that is left, may be news without the backend. */
  check(): void {
    const { demand } = this.#deps.state();
    if (demand === undefined || demand.stage.name === "not_found") return;
    if (demand.stage.name === "over" && (demand.tasks !== undefined || ++this.#checksAtEnd > MAX_CHECKS_AT_END)) return;
    if (!this.#isUpdating) void this.#update();
  }

  /** An outside agent is to see the demand: what it may read of it is put beside what the person sees. */
  async readForModel(): Promise<void> {
    const isUnread = () => {
      const { demand, agent } = this.#deps.state();
      return agent !== undefined && demand?.negotiation !== undefined && demand.forModel === undefined;
    };
    // What was on its way when the agent came knows nothing of it.
    for (let tries = 0; tries < 2 && isUnread(); tries++) await this.#update();
  }

  /** An own demand that the backend says it does not know is told by what is written here. */
  async takeForForgotten(error: unknown): Promise<boolean> {
    if (!(error instanceof UnknownNegotiation) || this.#deps.state().demand?.stage.isOwn !== true) return false;
    this.#outageSince ??= this.#deps.clock.now();
    this.#refusal = error;
    await this.#update();
    return true;
  }

  /** Reads from the backend now. @throws what it answered */
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

  /** After an act that succeeded: a backend that does not answer now is no failure of it, and is followed all the same. */
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

  /** With the room: no demand is shown from now on. */
  end(): void {
    this.#isEnded = true;
    this.close();
  }

  #follow(id: string): void {
    const { person, clock } = this.#deps;
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

  /** One replica of a backend may not know an id that the others know: that is believed as late as everywhere else. */
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

  /** Puts together what is known now; the last answer of the backend counts, and whether it still answers. */
  async #update(known: Partial<RoomDemand> = {}): Promise<void> {
    const { person, state, update, log } = this.#deps;
    const id = this.#id;
    if (id === undefined) return;
    this.#isUpdating = true;
    const [seen, answers] = [this.#seen, this.#answers];
    try {
      const status = await person.status(id, seen, this.#refusal instanceof UnknownNegotiation);
      const isRead = seen !== undefined && state().agent !== undefined;
      const forModel = isRead ? await person.forModel(seen, status.stage) : undefined;
      if (this.#id !== id) return;
      if (this.#isShown && state().demand?.id !== id) return this.close(); // its person has gone on from it
      // Overtaken by a newer answer: who waits for this update waits for that one.
      if (answers !== this.#answers) return await this.#update(known);
      this.#isShown = true;
      const refusal = this.#refusal === undefined ? undefined : person.tell(this.#refusal, state().lang);
      const now = { ...known, forModel, outageSince: this.#outageSince, refusal };
      update((before) => withStatus(before, id, status, now));
    } catch (error) {
      log.warn("room_read_failed", { error: failureOf(error) }); // the next check, a second later, may succeed
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
    // Switches and edits are about one text: another one starts without them. They are there again with their demand.
    form:
      before !== undefined && (!isOtherText || !isAsking)
        ? state.form
        : {
            ...EMPTY_FORM,
            joined: state.form.joined,
            profile: state.form.profile,
            visited: state.form.visited,
            resume: state.form.resume,
            sceneId: sceneId ?? state.form.sceneId,
            ...(known.candidate !== undefined && takenUp({ text: known.candidate, by: "ai" })),
            ...(before === undefined && changed.toChange && { isEditing: true }),
            ...(before === undefined && !isOtherText && left?.form),
          },
    ...(before?.stage.name !== seen.stage.name && { busy: undefined }),
    // What was said of a decision whose answer was lost is over once its effect is seen.
    ...(seen.negotiation !== undefined && changed.outageSince === undefined && withoutReading(state)),
    ...(before !== undefined && hasTakenEffect(before.stage, seen.stage) && { notice: undefined }),
  };
}

/** What the program that submitted it wrote down; where that is of several hands, only the room that did knows more. */
const writtenDown = ({ writers: { submitted } }: Says): Partial<RoomDemand> =>
  submitted === "person" || submitted === "ai" ? { writtenBy: submitted } : {};

/** That nothing could be read is over with the first answer. */
export const withoutReading = ({ notice }: RoomState): Pick<RoomState, "notice"> =>
  notice?.isOfReading ? { notice: undefined } : { notice };

/** Whether a decision that was on its way has arrived, or ended in another way. */
const hasTakenEffect = ({ name }: Stage, now: Stage): boolean =>
  (name === "confirming" && now.reach === "broadcast") ||
  ((name === "confirming" || name === "cancelling") && (now.name === "over" || now.name === "not_found"));

type Entered = RoomState["entered"];

/** When each stage began, as far as that is written down or was seen here. An end that nobody saw come has no time. */
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

/** What was gone through here on the way to a demand; a room that opens on one has gone through nothing before it. */
const enteredBefore = (entered: Entered, submittedAt = Number.POSITIVE_INFINITY): Entered =>
  Object.fromEntries(Object.entries(entered).filter(([, at]) => at !== undefined && at <= submittedAt));

/** When each stage began, as it is written down; a room that opens later shows the same times. */
function enteredBy({ facts, stage, said, negotiation }: DemandStatus): Entered {
  const { submitted, out, ended } = momentsOf(said, facts);
  const isOut = stage.name === "moving" || (negotiation !== undefined && negotiation.participants.length > 0);
  return {
    ...(submitted !== undefined && { decision: submitted }),
    ...(isOut && out !== undefined && { negotiating: out }),
    ...(stage.name === "over" && ended !== undefined && { done: ended }),
  };
}
