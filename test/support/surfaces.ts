import { createHash } from "node:crypto";
import type { Runtime } from "../../src/app/runtime.ts";
import type { Negotiation } from "../../src/backend/contract.ts";
import { UnknownNegotiation } from "../../src/backend/errors.ts";
import { printOutline } from "../../src/commands/list.ts";
import { outlinesOf } from "../../src/commands/negotiations/outline.ts";
import { Printer } from "../../src/commands/printer.ts";
import { dossierFor } from "../../src/commands/report.ts";
import { reviewText, waitingReviews } from "../../src/commands/reviews.ts";
import { localStateOf } from "../../src/commands/watch/show.ts";
import { ignoreTowowError, TowowError } from "../../src/errors.ts";
import { reportMarkdown } from "../../src/report/markdown.ts";
import { createPerson } from "../../src/room/person-services.ts";
import { EMPTY_FORM, type RoomState } from "../../src/room/room-state.ts";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { SANITIZE_DEFAULTS } from "../../src/safety/sanitize/options.ts";
import { paintWith } from "../../src/terminal/paint.ts";
import { textsOf } from "../../src/text/index.ts";
import { negotiationsTexts } from "../../src/text/negotiations.ts";
import { watchTexts } from "../../src/text/watch.ts";
import { jsonDisplay } from "../../src/watch/json.ts";
import { changes } from "../../src/watch/live.ts";
import { viewOf } from "../../src/watch/view.ts";
import type { Said } from "../faults/said.ts";
import { ORIGIN, type Process, type World } from "./world.ts";

/** One negotiation as each surface of the product tells it now, each by its own code. */

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const LANG = "en";

export type Told = Said & { surface: string };

/** What a command works with, on this process's services. */
export function runtimeOf(world: World, { deps }: Process): Runtime {
  return {
    io: { stdout: { isTTY: true } },
    deps,
    live: deps.live,
    facts: world.facts,
    isAlive: async ({ pid }: { pid: number }) => !world.dead.has(pid),
    account: () => deps.accounts.at(deps.live.current().backend_url),
  } as unknown as Runtime;
}

/** What the backend shows this process now; undefined where it does not answer. `isGone`: it says that it knows none. */
async function look(p: Process, id: string): Promise<{ seen: Negotiation | undefined; isGone: boolean }> {
  const backend = await p.deps.accounts.at(p.deps.live.current().backend_url).backend();
  try {
    return { seen: await backend.getNegotiation(id), isGone: false };
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    return { seen: undefined, isGone: error instanceof UnknownNegotiation };
  }
}

async function tool(p: Process, name: string, args: object): Promise<Told> {
  const { result } = await p.start(name, { ...args });
  const { data, error, summary, status, warnings } = result;
  const text = [summary, error?.message, error?.recovery_suggestion].filter(Boolean).join("\n");
  const isSuccess = error === null && status === "ok" && data?.state === "completed";
  const isWhole = error === null;
  return { surface: name, text, codes: warnings, state: data?.state, isSuccess, isWhole };
}

async function watch(world: World, p: Process, id: string): Promise<Told[]> {
  const { seen, isGone } = await look(p, id);
  const all = textsOf(LANG);
  const { clock, timeOfDay } = p.deps;
  const view = viewOf({
    id,
    host: "127.0.0.1",
    snapshot: seen,
    isGone,
    local: await localStateOf(runtimeOf(world, p), id),
    outage: undefined,
    lowScore: 0.55,
    limits: { offerChars: 1_000, planChars: 1_000 },
  });
  const format = { width: 80, paint: paintWith(false), texts: watchTexts(LANG), all, timeOfDay };
  const lines = changes(undefined, view, { now: clock.now(), words: false }, format);
  const written: Record<string, unknown>[] = [];
  jsonDisplay({ write: (value) => written.push(value), clock, texts: all }).show(view);
  const [json] = written;
  const { codes, ending, state } = {
    codes: json?.warnings as string[],
    ending: json?.ending as Told["ending"],
    state: seen?.state,
  };
  const isSuccess = view.said.hasSucceeded;
  return [
    { surface: "watch", text: lines.join("\n"), state, isSuccess, isWhole: true },
    { surface: "watch --json", text: String(json?.summary ?? ""), codes, ending, state, isSuccess, isWhole: true },
  ];
}

async function list(world: World, p: Process, id: string): Promise<Told> {
  const [outline] = await outlinesOf(runtimeOf(world, p), [id]);
  let text = "";
  const terminal = { width: 400, colour: false, write: (line: string) => (text += line) };
  printOutline(outline!, new Printer(terminal), negotiationsTexts(LANG));
  const { warnings: codes, state } = outline!;
  return { surface: "list", text, codes, state, isSuccess: text.startsWith("✓"), isWhole: true };
}

async function reviews(world: World, p: Process, id: string): Promise<Told> {
  const { listed: shown } = await waitingReviews(runtimeOf(world, p));
  const of = shown.filter(({ negotiation_id }) => negotiation_id === id);
  return { surface: "reviews", text: of.map(reviewText).join("\n"), codes: of.flatMap(({ codes }) => codes) };
}

async function room(p: Process, id: string): Promise<Told> {
  const { seen, isGone } = await look(p, id);
  const person = createPerson(p.deps);
  const { facts: _, sceneId: __, ...status } = await person.status(id, seen, isGone);
  const state = {
    lang: LANG,
    host: "127.0.0.1",
    place: "scene",
    entered: {},
    scenes: { state: "listed", items: [] },
    form: { ...EMPTY_FORM, sceneId: "scene_000000000000" },
    messages: [],
    demand: { id, writtenBy: "person", ...status },
  } as RoomState;
  const { clock, timeOfDay } = p.deps;
  const spec = uiSpec(state, { now: clock.now(), timeOfDay, dayAndTime: timeOfDay });
  const sentences = [spec.heading, spec.lead, ...spec.notes.map(({ text }) => text), JSON.stringify(spec.sections)];
  return { surface: "room", text: sentences.join("\n"), state: seen?.state, isWhole: seen !== undefined };
}

async function report(p: Process, id: string): Promise<Told | undefined> {
  const { negotiations, deps } = p;
  const { clock } = deps;
  const backend = await deps.accounts.at(deps.live.current().backend_url).backend();
  const reading = { backend, negotiations, clock, settings: { lang: LANG, low_resonance: 0.55 } as const };
  const value = await dossierFor(id, reading, SANITIZE_DEFAULTS).catch(ignoreTowowError);
  if (value === undefined) return undefined;
  const about = { lang: LANG, host: "", madeAt: 0, timeOf: String, needs: [], isMasked: true } as const;
  const { warnings: codes, ending, reach, state } = value;
  return { surface: "report", text: reportMarkdown([value], about), codes, ending, reach, state, isWhole: true };
}

/** As a client was given it when the task began. */
const taskIdOf = (id: string): string => `towow-${hash(JSON.stringify(["task", ORIGIN, id])).slice(0, 12)}`;

async function task(p: Process, id: string): Promise<Told | undefined> {
  const { statusMessage, result } = await p.taskClient()("tasks/get", { taskId: taskIdOf(id) });
  const of = result?.structuredContent;
  if (of === undefined) return statusMessage === undefined ? undefined : { surface: "task", text: statusMessage };
  const { summary, warnings: codes, status, data } = of;
  return { surface: "task", text: summary, codes, state: data?.state, isSuccess: status === "ok", isWhole: true };
}

/** What every surface says of it now. The clock runs meanwhile. */
export async function surfacesOf(world: World, p: Process, id: string): Promise<Told[]> {
  const run = <T>(work: Promise<T>) => world.clock.run(work);
  const told = [
    await run(tool(p, "towow_status", { negotiation_id: id, view: "full" })),
    await run(tool(p, "towow_get_negotiation", { negotiation_id: id, fresh: true })),
    ...(await run(watch(world, p, id))),
    await run(list(world, p, id)),
    await run(reviews(world, p, id)),
    await run(room(p, id)),
    await run(report(p, id)),
    await task(p, id),
  ];
  return told.filter((one) => one !== undefined);
}
