import { unusualIn } from "../ask/consequences.ts";
import type { RoomOfPage } from "../ask/page/open-page.ts";
import type { Negotiation } from "../backend/contract.ts";
import { Failure, ignoreTowowError } from "../errors.ts";
import type { FeedEvidence } from "../feed/evidence.ts";
import { hostOf } from "../home/origin.ts";
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
import type { DemandStatus, Lang, Person, PersonDecision } from "./person.ts";
import { reportOf } from "./person-report.ts";
import { type Begin, Room } from "./room.ts";
import { type DemandForModel, type HistoryEntry, MAX_HISTORY, type RoomScene } from "./room-state.ts";
import type { PageFiles } from "./server/page-files.ts";
import { createRoomRoutes } from "./server/routes.ts";

/** Writes a moment in the person's own time zone, if their browser has named it. */
const timeOfDay = (atMs: number, timeZone?: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", ...(timeZone !== undefined && { timeZone }) }).format(atMs);
const dayAndTime = (atMs: number, timeZone?: string): string =>
  new Intl.DateTimeFormat("sv-SE", {
    dateStyle: "short",
    timeStyle: "short",
    ...(timeZone !== undefined && { timeZone }),
  }).format(atMs);

/** Creates the room of one person. It uses the same services as every other client of theirs. */
export function createRoom(deps: PersonDeps, begin: Begin = {}, account?: Account): Room {
  const { clock, log, newId } = deps;
  const person = createPerson(deps, account);
  const room = new Room({ person, clock, log, newId, timeOfDay, dayAndTime }, begin);
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
  const serve = createRoomRoutes({ clock: deps.clock, log: deps.log, files });
  return {
    async serve(request, visit) {
      await room.arrive(); // so that the first paint shows the question, even without a script
      return serve(request, { ...visit, room });
    },
    close: () => room.close(),
  };
}

/** Acts for one person at one backend, by default the one that is configured when their room opens. */
export function createPerson(
  deps: PersonDeps,
  account: Account = deps.accounts.at(deps.live.current().backend_url),
): Person {
  const { live } = deps;
  const { negotiations } = account;
  /** The cleaned copy of each answer. A room checks once a second and mostly finds the same answer. */
  const cleaned = new WeakMap<Negotiation, Promise<Negotiation>>();
  const doing = (tool: string, args: Act["args"], lang: Lang): Act => ({ tool, args, account, lang });
  return {
    host: () => (account.origin === "" ? "" : hostOf(account.origin)),
    lang: () => live.current().lang,
    lastScene: () => live.current().last_scene_id,
    async scenes(lang) {
      try {
        return await act(doing("towow_list_scenes", {}, lang), deps, (_, services) => allScenes(services));
      } catch (error) {
        if (error instanceof RoomToolFailed && error.code === CANNOT_LIST) return undefined;
        throw error;
      }
    },
    async join(scene, display_name, profile, lang) {
      // A person who gives only a name has a profile too, but a tool would treat an empty one as none.
      const profile_data = Object.keys(profile).length > 0 ? profile : { skills: [] };
      return act(doing("towow_join", { scene, display_name, profile_data }, lang), deps, async (args, services) => {
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
    },
    async submit(scene_id, intent, lang, writer) {
      const writtenBy = writer === "unknown" ? undefined : writer;
      return act(doing("towow_submit_demand", { scene_id, intent }, lang), deps, async (args, services) => {
        const demand = { scene_id, intent: args.intent as string, user_id: await services.userId() };
        return (await submitDemand(demand, { writtenBy }, services)).id;
      });
    },
    status: (id, seen, isGone) => status(id, seen, isGone, account),
    forModel,
    follow: (id, listener) => negotiations.subscribe(id, listener),
    read: (id) => negotiations.get(id),
    decide({ id: negotiationId, questionId: confirmationId, ...decision }: PersonDecision) {
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
    },
    async cancel(id, lang, by) {
      const doingIt = doing("towow_action", { negotiation_id: id, action: "cancel" }, lang);
      await act(doingIt, deps, async (_, services) => {
        await services.negotiations.refuseOtherBackend(id);
        await stopByPerson(id, by, services);
      });
    },
    async review(id, codes, verdict) {
      return (await negotiations.reviews.answer(id, codes, verdict, "page")).length > 0;
    },
    history: () => history(account, sanitizeOptions(live.current())),
    async undecided() {
      const now = deps.clock.now();
      const fits = ({ stage: name }: Listed) => isUndecided({ name });
      return newestOpen(await negotiations.records({ count: 0, since: openSince(now), fits }), now)?.negotiation_id;
    },
    report: (id, lang, timeOf, asked) =>
      reportOf(id, { account, clock: deps.clock, lang, lowScore: live.current().low_resonance, timeOf, asked }),
    sanitizing: () => sanitizeOptions(live.current()),
    tell(error, lang) {
      if (error instanceof RoomToolFailed) return error.message;
      const { message, recovery_suggestion } = toToolError(error, {
        texts: textsForRoom(lang),
        idempotent: true, // on the page, trying again sends nothing twice
        callable: () => false,
      });
      return joinSentences([message, recovery_suggestion]);
    },
  };

  function screenOf(seen: Negotiation): Promise<Negotiation> {
    const known = cleaned.get(seen) ?? forScreen(seen);
    cleaned.set(seen, known);
    return known;
  }

  async function forModel(seen: Negotiation, stage: Stage): Promise<DemandForModel> {
    const settings = live.current();
    const reader = { settings, negotiations, session: { taint: MARKED_BY_THE_CONNECTION } };
    const { value, warnings } = await negotiationInResult(seen, stage, reader);
    return { negotiation: value, tasks: tasksFor(negotiations.evidence(seen), sanitizeOptions(settings)), warnings };
  }

  async function status(
    id: string,
    seen: Negotiation | undefined,
    isGone: boolean,
    at: Account,
  ): Promise<DemandStatus> {
    const facts = await at.negotiations.facts(id);
    const stage = reduce(facts, seen);
    const sceneId = facts.submitted?.scene_id;
    const settings = live.current();
    const userId = await account.userId().catch(ignoreTowowError);
    const unusual = unusualIn(facts.submitted, { sceneId: settings.last_scene_id, userId });
    const shared = { facts, stage, unusual, ownId: userId, ...(sceneId !== undefined && { sceneId }) };
    if (seen === undefined) return { ...shared, said: at.negotiations.says(stage, seen, { isGone }) };
    const { isGuarded } = await at.negotiations.guard(id, stage);
    const evidence = at.negotiations.evidence(seen);
    const said = at.negotiations.says(stage, seen, { isGone, isGuarded });
    const about = { said, evidence, lowScore: settings.low_resonance };
    const isOver = stage.name === "over" && !said.isBeingWithdrawn;
    if (isOver) await at.negotiations.reviews.note(about);
    // A review that cannot be read must not hold up the ending.
    const review = isOver ? await at.negotiations.reviews.of(id).catch(ignoreTowowError) : undefined;
    const pending = review?.codes ?? [];
    const risks = isOver ? findRisks(about) : [];
    const isAsking = stage.name === "asking" && !isGone;
    const asked = isAsking ? await at.negotiations.claimQuestion(seen, formulatedText(seen)) : undefined;
    const negotiation = await screenOf(seen);
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
}

/** Marks nothing, because an outside agent's connection marks all that the agent has read. */
const MARKED_BY_THE_CONNECTION = { isTainted: async () => false, mark: async () => {} };

const SCREEN = {
  limits: { ...SANITIZE_DEFAULTS.limits, offerChars: 24_000, planChars: 200_000 },
  redactPii: false,
};

/**
 * Cleans a negotiation for the person's own screen. The words of others are made harmless, but telephone numbers and
 * addresses stay whole. The text to decide on stays raw, because the page itself makes invisible characters visible.
 */
async function forScreen(seen: Negotiation): Promise<Negotiation> {
  const { demand_raw, demand_formulated } = seen;
  const { value } = await sanitizeInTurns({ ...seen, demand_raw: "", demand_formulated: null }, SCREEN, turn);
  return { ...value, demand_raw, demand_formulated };
}

/** Task titles and descriptions are sentences, so they may be longer than a name. */
const TASK_COLUMNS = 1_000;

/** Returns the plan's tasks as structured data, which only the feed carries. */
function tasksFor({ plan }: FeedEvidence, { limits, ...options }: SanitizeOptions): PlanTask[] | undefined {
  const clean = (text: string) =>
    sanitizeLine(text, { ...options, limits: { ...limits, nameChars: TASK_COLUMNS } }).value;
  return plan?.tasks.map(({ title, description, ...ids }) => ({
    ...ids,
    title: clean(title),
    description: clean(description),
  }));
}

/** Nobody looks through more scenes than this. The search covers only the scenes that were loaded. */
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
