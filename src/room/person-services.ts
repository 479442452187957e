import { unusualRoute } from "../ask/consequences.ts";
import type { RoomOfPage } from "../ask/page/open-page.ts";
import type { Negotiation } from "../backend/contract.ts";
import { Failure, ignoreTowowError } from "../errors.ts";
import type { FeedEvidence } from "../feed/evidence.ts";
import { hostOf } from "../home/origin.ts";
import type { Settings } from "../home/settings.ts";
import type { Account } from "../mcp/account.ts";
import { formulatedText } from "../negotiation/backend-states.ts";
import type { Rendering } from "../negotiation/facts.ts";
import { type Outline, outlineOf, outlinesOf } from "../negotiation/outline.ts";
import { type Listed, newestOpen, openSince } from "../negotiation/records.ts";
import { findRisks } from "../negotiation/risks.ts";
import { isUndecided, reduce, type Stage } from "../negotiation/stage.ts";
import { toToolError } from "../result/tool-error.ts";
import { sanitizeInTurns, sanitizeLine, sanitizeListedItem } from "../safety/sanitize/foreign.ts";
import { SANITIZE_DEFAULTS, type SanitizeOptions, sanitizeOptions } from "../safety/sanitize/options.ts";
import { textsForRoom } from "../text/index.ts";
import { joinSentences } from "../text/join.ts";
import { negotiationInResult } from "../tools/negotiation-in-result.ts";
import { inTurns, turn } from "../turn.ts";
import { stopByPerson } from "../use/cancel.ts";
import { submitDemand } from "../use/demand.ts";
import { isJoined, joinScene, noteJoined, type Profile } from "../use/join.ts";
import { listScenes, resolveScene } from "../use/scenes.ts";
import type { Services } from "../use/services.ts";
import type { PlanTask } from "../view/plan.ts";
import { type Act, act, type PersonDeps } from "./act.ts";
import { RoomToolFailed } from "./errors.ts";
import type { DemandStatus, Lang, PageHand, Person, PersonDecision } from "./person.ts";
import { reportOf } from "./person-report.ts";
import { type Begin, Room } from "./room.ts";
import { type DemandForModel, type HistoryEntry, MAX_HISTORY, type RoomScene } from "./room-state.ts";
import type { PageFiles } from "./server/page-files.ts";
import { createRoomRoutes } from "./server/routes.ts";

/** Formats a moment in the person's own time zone if their browser has named it, or else in this machine's. */
const timeOfDay = (atMs: number, timeZone?: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", ...(timeZone !== undefined && { timeZone }) }).format(atMs);
const dayAndTime = (atMs: number, timeZone?: string): string =>
  new Intl.DateTimeFormat("sv-SE", {
    dateStyle: "short",
    timeStyle: "short",
    ...(timeZone !== undefined && { timeZone }),
  }).format(atMs);

/** Creates a person's room on the services that every other client of this person uses, and begins to load the scenes. */
export function createRoom(deps: PersonDeps, begin: Begin = {}, account?: Account): Room {
  const person = createPerson(deps, account);
  const room = new Room({ platform: deps, person, timeOfDay, dayAndTime }, begin);
  void room.loadScenes();
  return room;
}

/** Opens a room for the page of one question. */
export function openPageRoom(
  deps: PersonDeps,
  account: Account,
  files: () => Promise<PageFiles>,
  begin: Begin,
): RoomOfPage {
  const room = createRoom(deps, begin, account);
  const serve = createRoomRoutes({ platform: deps, files });
  return {
    async serve(request, visit) {
      await room.arrive(); // so that the first paint shows the question, even without a script
      return serve(request, { ...visit, room });
    },
    close: () => room.close(),
  };
}

/** Creates the services of one person at one backend, by default at the backend that is configured now. */
export const createPerson = (
  deps: PersonDeps,
  account: Account = deps.accounts.at(deps.live.current().backend_url),
): Person => new PersonAtBackend(deps, account);

class PersonAtBackend implements Person {
  readonly #deps: PersonDeps;
  readonly #account: Account;
  /**
   * The cleaned copy of each answer. A room checks once a second and mostly finds the same answer, which is then
   * cleaned only once.
   */
  readonly #cleaned = new WeakMap<Negotiation, Promise<Negotiation>>();

  constructor(deps: PersonDeps, account: Account) {
    this.#deps = deps;
    this.#account = account;
  }

  host(): string {
    const { origin } = this.#account;
    return origin === "" ? "" : hostOf(origin);
  }

  lang(): Lang {
    return this.#settings.lang;
  }

  lastScene(): string | undefined {
    return this.#settings.last_scene_id;
  }

  async scenes(lang: Lang): Promise<RoomScene[] | undefined> {
    try {
      return await this.#act("towow_list_scenes", {}, lang, (_, services) => allScenes(services));
    } catch (error) {
      if (error instanceof RoomToolFailed && error.code === CANNOT_LIST) return undefined;
      throw error;
    }
  }

  async join(...[scene, display_name, profile, lang]: Parameters<Person["join"]>) {
    // Without any filled field the person still has a profile, but the tool would treat an empty one as none.
    const profile_data = Object.keys(profile).length > 0 ? profile : { skills: [] };
    return this.#act("towow_join", { scene, display_name, profile_data }, lang, async (args, services) => {
      const { scene_id: sceneId, isExact } = await resolveScene(args.scene as string, services);
      if (!isExact) throw new Failure("tool.scene.not_found.no_match", { scene: args.scene as string });
      if (await isJoined(sceneId, services)) {
        await noteJoined(sceneId, services);
        return { alreadyJoined: true };
      }
      const registration = {
        sceneId,
        agentId: await services.userId(),
        name: args.display_name as string,
        profile: args.profile_data as Profile,
        source: "mcp",
      };
      return { alreadyJoined: (await joinScene(registration, services)).sent === undefined };
    });
  }

  async submit(...[scene_id, intent, lang, writer]: Parameters<Person["submit"]>): Promise<string> {
    const writtenBy = writer === "unknown" ? undefined : writer;
    return this.#act("towow_submit_demand", { scene_id, intent }, lang, async (args, services) => {
      const demand = { scene_id, intent: args.intent as string, user_id: await services.userId() };
      return (await submitDemand(demand, { writtenBy }, services)).id;
    });
  }

  async status(id: string, seen: Negotiation | undefined, isGone: boolean): Promise<DemandStatus> {
    const { negotiations } = this.#account;
    const facts = await negotiations.facts(id);
    const stage = reduce(facts, seen);
    const sceneId = facts.submitted?.scene_id;
    const settings = this.#settings;
    const userId = await this.#account.userId().catch(ignoreTowowError);
    const unusual = unusualRoute(facts.submitted, { sceneId: settings.last_scene_id, userId });
    const shared = { facts, stage, unusual, ownId: userId, ...(sceneId !== undefined && { sceneId }) };
    if (seen === undefined) return { ...shared, said: negotiations.says(stage, seen, { isGone }) };
    const { isGuarded } = await negotiations.guard(id, stage);
    const evidence = negotiations.evidence(seen);
    const said = negotiations.says(stage, seen, { isGone, isGuarded });
    const about = { said, evidence, lowScore: settings.low_resonance };
    const isOver = stage.name === "over" && !said.isBeingWithdrawn;
    if (isOver) await negotiations.reviews.note(about);
    // A review that cannot be read must not hold up the ending.
    const review = isOver ? await negotiations.reviews.of(id).catch(ignoreTowowError) : undefined;
    const pending = review?.codes ?? [];
    const risks = isOver ? findRisks(about) : [];
    const isAsking = stage.name === "asking" && !isGone;
    const asked = isAsking ? await negotiations.claimQuestion(seen, formulatedText(seen)) : undefined;
    const negotiation = await this.#screenOf(seen);
    return {
      ...shared,
      negotiation,
      said: { ...said, negotiation },
      tasks: tasksFor(evidence, SCREEN),
      review: pending.length === 0 ? undefined : { codes: pending, found: risks },
      risks,
      ...(asked && {
        question: {
          id: asked.id,
          silence: asked.silence,
          totalMs: settings.confirm_deadline_s * 1000,
          ...(settings.profile === "read_only" && { readsOnly: true as const }),
        },
      }),
    };
  }

  async forModel(seen: Negotiation, stage: Stage): Promise<DemandForModel> {
    const { negotiations } = this.#account;
    const settings = this.#settings;
    const reader = { settings, negotiations, session: { taint: MARKED_BY_THE_CONNECTION } };
    const { value, warnings } = await negotiationInResult(seen, stage, reader);
    return { negotiation: value, tasks: tasksFor(negotiations.evidence(seen), sanitizeOptions(settings)), warnings };
  }

  follow(...[id, listener]: Parameters<Person["follow"]>): () => void {
    return this.#account.negotiations.subscribe(id, listener);
  }

  read(id: string): Promise<Negotiation> {
    return this.#account.negotiations.get(id);
  }

  decide({ id: negotiationId, questionId: confirmationId, ...decision }: PersonDecision) {
    const { negotiations } = this.#account;
    const about = { negotiationId, confirmationId };
    if (decision.kind === "reject") return negotiations.decide({ ...about, kind: "reject", by: "page" });
    const { renderedHash: rendered_hash, by, ...yes } = decision;
    const rendering: Rendering = {
      surface: "page",
      rendered_hash,
      ...(by.browser !== undefined && { browser: by.browser }),
      ...(by.drawn !== undefined && { drawn: by.drawn }),
    };
    return negotiations.decide({ ...about, ...yes, rendering });
  }

  async cancel(id: string, lang: Lang, by: PageHand): Promise<void> {
    await this.#act("towow_action", { negotiation_id: id, action: "cancel" }, lang, async (_, services) => {
      await services.negotiations.refuseOtherBackend(id);
      await stopByPerson(id, by, services);
    });
  }

  async review(...[id, codes, verdict]: Parameters<Person["review"]>): Promise<boolean> {
    return (await this.#account.negotiations.reviews.answer(id, codes, verdict, "page")).length > 0;
  }

  history(): AsyncGenerator<HistoryEntry[]> {
    return history(this.#account, this.sanitizing());
  }

  async undecided(): Promise<string | undefined> {
    const now = this.#deps.clock.now();
    const fits = ({ stage: name }: Listed) => isUndecided({ name });
    const records = await this.#account.negotiations.records({ count: 0, since: openSince(now), fits });
    return newestOpen(records, now)?.negotiation_id;
  }

  report(...[id, lang, timeOf, asked]: Parameters<Person["report"]>): Promise<string> {
    const lowScore = this.#settings.low_resonance;
    return reportOf(id, { account: this.#account, clock: this.#deps.clock, lang, lowScore, timeOf, asked });
  }

  sanitizing(): SanitizeOptions {
    return sanitizeOptions(this.#settings);
  }

  tell(error: unknown, lang: Lang): string {
    if (error instanceof RoomToolFailed) return error.message;
    const { message, recovery_suggestion } = toToolError(error, {
      texts: textsForRoom(lang),
      idempotent: true, // on the page, trying again sends nothing twice
      callable: () => false,
    });
    return joinSentences([message, recovery_suggestion]);
  }

  get #settings(): Settings {
    return this.#deps.live.current();
  }

  #act<T>(tool: string, args: Act["args"], lang: Lang, work: Parameters<typeof act<T>>[2]): Promise<T> {
    return act({ tool, args, account: this.#account, lang }, this.#deps, work);
  }

  #screenOf(seen: Negotiation): Promise<Negotiation> {
    const known = this.#cleaned.get(seen) ?? forScreen(seen);
    this.#cleaned.set(seen, known);
    return known;
  }
}

/** Records no reading of others' words, because an outside agent's connection already records what the agent reads. */
const MARKED_BY_THE_CONNECTION = { isTainted: async () => false, mark: async () => {} };

const SCREEN = {
  limits: { ...SANITIZE_DEFAULTS.limits, offerChars: 24_000, planChars: 200_000 },
  redactPii: false,
};

/**
 * Cleans a negotiation for the person's own screen. The words of others are made harmless, but telephone numbers and
 * addresses stay whole. The demand's own texts stay raw, because the page itself makes invisible characters visible.
 */
async function forScreen(seen: Negotiation): Promise<Negotiation> {
  const { demand_raw, demand_formulated } = seen;
  const { value } = await sanitizeInTurns({ ...seen, demand_raw: "", demand_formulated: null }, SCREEN, turn);
  return { ...value, demand_raw, demand_formulated };
}

/** Task titles and descriptions are sentences, so they may be longer than a name. */
const TASK_COLUMNS = 1_000;

/** Returns the plan's tasks as structured data, or undefined if the backend's feed, their only source, has not carried them. */
function tasksFor({ plan }: FeedEvidence, { limits, ...options }: SanitizeOptions): PlanTask[] | undefined {
  const clean = (text: string) =>
    sanitizeLine(text, { ...options, limits: { ...limits, nameChars: TASK_COLUMNS } }).value;
  return plan?.tasks.map(({ title, description, ...ids }) => ({
    ...ids,
    title: clean(title),
    description: clean(description),
  }));
}

/** The most scenes that are loaded. The page's search covers only the scenes that were loaded. */
const MAX_SCENES = 1_000;
/** The error code of a backend that cannot list its scenes. */
const CANNOT_LIST = "tool.scene.unavailable.cannot_list";

async function allScenes(services: Services): Promise<RoomScene[]> {
  const scenes: RoomScene[] = [];
  for (const scene of (await listScenes(services)).slice(0, MAX_SCENES)) {
    const { value } = await inTurns(sanitizeListedItem(scene, sanitizeOptions(services.settings), false));
    scenes.push({ id: value.scene_id, name: value.name, description: value.description, agents: value.agent_count });
  }
  return scenes;
}

async function* history({ negotiations, backend }: Account, options: SanitizeOptions): AsyncGenerator<HistoryEntry[]> {
  const records = await negotiations.records({ count: MAX_HISTORY });
  const written = await Promise.all(records.map((one) => outlineOf(one, {}, { negotiations, options })));
  let entries = written.map((one) => entryOf(one, "awaited"));
  yield entries;
  for await (const some of outlinesOf(records, { negotiations, backend, options })) {
    const read = new Map(some.map((one) => [one.id, entryOf(one, one.failure === undefined ? "read" : "none")]));
    const isAway = some.every(({ failure }) => failure !== undefined); // then the other answers would fail too
    entries = entries.map((one) => read.get(one.id) ?? (isAway ? { ...one, answer: "none" } : one));
    yield entries;
    if (isAway) return;
  }
}

function entryOf(outline: Outline, answer: HistoryEntry["answer"]): HistoryEntry {
  const { id, submittedAt: at, sceneId, said, kind, demand: text } = outline;
  return { id, at, sceneId, kind, ending: said.ending, isUnwanted: said.isUnwanted, text, answer };
}
