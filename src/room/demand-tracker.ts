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

/** The poller gives up after three bad answers. A person who waits would only load the page again, so the room tries again. */
const AGAIN_MS = 3_000;
/** The wait after a refused token or a lost id, in ms. The answer changes only if a person changes something. */
const FINAL_AGAIN_MS = 30_000;
/** What the feed adds to a plan comes within moments of the end, or never. The checks are one second apart. */
const MAX_CHECKS_AT_END = 15;

/** Keeps a room's demand up to date with the backend and this home, through outages of any length. */
export class DemandTracker {
  readonly #deps: DemandTrackerDeps;
  #id: string | undefined;
  #seen: Negotiation | undefined;
  /** Counts the answers. The object alone cannot tell them apart, because an answer without news is the same object. */
  #answers = 0;
  #stop = () => {};
  /** When the backend stopped answering, in ms since the epoch. */
  #outageSince: number | undefined;
  /** The error that the backend keeps answering with until somebody changes something. */
  #refusal: unknown;
  #isUpdating = false;
  /** True if nothing follows the demand until the next try. */
  #waits = false;
  /** True if the room has shown the demand. */
  #isInRoom = false;
  #checksAtEnd = 0;
  #isEnded = false;

  constructor(deps: DemandTrackerDeps) {
    this.#deps = deps;
  }

  /** Shows this demand from now on, and no other. Resolves when what this home knows of it is shown. */
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

  /** Opens the demand that waits for its person, unless they have gone on from the scenes by then. */
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

  /** Looks for news that needs no backend: what other programs wrote down, and the time that is left. */
  check(): void {
    const { demand } = this.#deps.state();
    if (demand === undefined || demand.stage.name === "not_found") return;
    if (demand.stage.name === "over" && (demand.tasks !== undefined || ++this.#checksAtEnd > MAX_CHECKS_AT_END)) return;
    if (!this.#isUpdating) void this.#update();
  }

  /** Reads what an outside agent may see of the demand, beside what the person sees. */
  async readForModel(): Promise<void> {
    const isUnread = () => {
      const { demand, agent } = this.#deps.state();
      return agent !== undefined && demand?.negotiation !== undefined && demand.forModel === undefined;
    };
    // An update that began before the agent came read nothing for it.
    for (let tries = 0; tries < 2 && isUnread(); tries++) await this.#update();
  }

  /** If the backend does not know a demand of this home, shows what is written here instead, and returns true. */
  async takeForForgotten(error: unknown): Promise<boolean> {
    if (!(error instanceof UnknownNegotiation) || this.#deps.state().demand?.stage.isOwn !== true) return false;
    this.#outageSince ??= this.#deps.clock.now();
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

  /** Refreshes after an act that succeeded. That the backend does not answer now does not make the act a failure. */
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

  /** Ends with the room: no demand is shown from now on. */
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

  /** Returns whether an error is final. Another replica may still know an unknown id, so that one is believed only later. */
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

  /** Puts together what is known now: the backend's last answer, and whether it still answers. */
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
      if (this.#isInRoom && state().demand?.id !== id) return this.close(); // the person has gone on from this demand
      // A newer answer has overtaken this one, so whatever awaits this update awaits that answer instead.
      if (answers !== this.#answers) return await this.#update(known);
      this.#isInRoom = true;
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
    // Switches and edits belong to one text, so another text starts without them. They return together with their demand.
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
    // A notice about a decision whose answer was lost ends once the decision's effect is seen.
    ...(seen.negotiation !== undefined && changed.outageSince === undefined && withoutReading(state)),
    ...(before !== undefined && hasTakenEffect(before.stage, seen.stage) && { notice: undefined }),
  };
}

/** Returns the author that was written down. Of a text by several authors, only the room that submitted it knows more. */
const writtenDown = ({ writers: { submitted } }: Says): Partial<RoomDemand> =>
  submitted === "person" || submitted === "ai" ? { writtenBy: submitted } : {};

/** Drops the notice that nothing could be read, which the first answer makes untrue. */
export const withoutReading = ({ notice }: RoomState): Pick<RoomState, "notice"> =>
  notice?.isOfReading ? { notice: undefined } : { notice };

/** Returns whether a decision that was on its way has arrived or has ended otherwise. */
const hasTakenEffect = ({ name }: Stage, now: Stage): boolean =>
  (name === "confirming" && now.reach === "broadcast") ||
  ((name === "confirming" || name === "cancelling") && (now.name === "over" || now.name === "not_found"));

type Entered = RoomState["entered"];

/** Returns when each stage began, as far as that is written or was seen. An end that nobody saw has no time. */
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

/** Keeps the stages that were gone through before a demand was submitted. A room that opens on a demand has none. */
const enteredBefore = (entered: Entered, submittedAt = Number.POSITIVE_INFINITY): Entered =>
  Object.fromEntries(Object.entries(entered).filter(([, at]) => at !== undefined && at <= submittedAt));

/** Returns when each stage began by what is written down, so that a room that opens later shows the same times. */
function enteredBy({ facts, stage, said, negotiation }: DemandStatus): Entered {
  const { submitted, out, ended } = momentsOf(said, facts);
  const isNegotiating = stage.name === "moving" || (negotiation !== undefined && negotiation.participants.length > 0);
  return {
    ...(submitted !== undefined && { decision: submitted }),
    ...(isNegotiating && out !== undefined && { negotiating: out }),
    ...(stage.name === "over" && ended !== undefined && { done: ended }),
  };
}
