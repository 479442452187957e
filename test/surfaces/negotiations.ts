import type { MockOptions } from "../../mock-backend/main.ts";
import { NOON } from "../commands/screens-support.ts";
import { sha256 } from "../support/facts.ts";
import { participants } from "../support/room-parts.ts";
import { WORDS } from "../support/room-words.ts";
import type { Lang } from "../support/screens.ts";
import { keyOf, type Task, WITH_PAGES } from "../support/task-client.ts";
import { browser, type Home, homeWithBackend, OWN, type Server, STEP_MS } from "./home.ts";

/** Negotiations that a person can have, each lived once through the front door. */

/** One negotiation, and where it was asked about. */
export interface Lived {
  it: Home;
  server: Server;
  id: string;
  taskId?: string;
  /** The backend does not answer. */
  isAway?: true;
  /** Of a page that asked, and the browser in which it is open. */
  page?: { url: string; browser: ReturnType<typeof browser> };
}
export type Life = (lang: Lang) => Promise<Lived>;

const MINUTE_MS = 60_000;

async function submitted(lang: Lang, options: MockOptions = {}, env: Record<string, string> = {}): Promise<Lived> {
  const it = await homeWithBackend(lang, options, env);
  return submitIn(it, lang);
}

/** As a client does that follows tasks and opens pages. */
async function submitIn(it: Home, lang: Lang, server = it.serve()): Promise<Lived> {
  const first = await server.request(
    "tools/call",
    { name: "towow_demand", arguments: { intent: WORDS[lang].raw } },
    WITH_PAGES,
  );
  const { taskId } = first;
  const [{ negotiation_id: id = "" } = {}] = it.mock.negotiations().slice(-1);
  return { it, server, id, taskId };
}

/** Its text stands before the person, who has opened the page. */
async function asked(lang: Lang, options: MockOptions = {}, env: Record<string, string> = {}): Promise<Lived> {
  return askedIn(await submitted(lang, options, env));
}
async function askedIn(lived: Lived): Promise<Lived> {
  const task = await opened(lived);
  const url = task.inputRequests?.[keyOf(task)]?.params.url;
  if (url === undefined) throw new Error("no page");
  const page = { url, browser: browser() };
  await page.browser.get(url);
  return { ...lived, page };
}

async function opened({ it, server, taskId }: Lived): Promise<Task> {
  await it.clock.pass(4 * STEP_MS + 1_000);
  const task = await server.request("tasks/get", { taskId }, WITH_PAGES);
  if (task.status !== "input_required") throw new Error(`not asked: ${JSON.stringify(task)}`);
  return task;
}

/** The person decides on the page; then so much time passes. */
async function onPage(lived: Lived, fill: Record<string, string>, thenMs: number): Promise<Lived> {
  const { it, page } = lived;
  const { fill: send } = await it.spend(page!.browser.decides(page!.url));
  await it.spend(send(fill));
  await it.clock.pass(thenMs);
  return lived;
}
/** Two offers are in. */
const OFFERING_MS = 2.6 * STEP_MS;
const OVER_MS = 20 * STEP_MS;

/** Agents answer one after the other, the strongest resonance first. */
const answering =
  (...answers: readonly unknown[]) =>
  (lived: Lived) => {
    let given = 0;
    lived.it.mock.engine.offerWith(() => answers[given++ % answers.length] as "exit" | undefined);
  };
const USUAL = undefined;

/** With `prepare` done before the person's yes, to its end. Everybody in the scene resonates. */
async function over(lang: Lang, prepare: (lived: Lived, lang: Lang) => void): Promise<Lived> {
  const lived = await asked(lang);
  lived.it.mock.engine.patch(lived.id, { min_score: 0 });
  prepare(lived, lang);
  return onPage(lived, { decision: "accept" }, OVER_MS);
}

/** The plan's own data, as the feed brings them, name a task of the submitter and one that nobody has. */
function withOwnTask({ it }: Lived, lang: Lang): void {
  const [, , own, gap] = WORDS[lang].tasks;
  it.mock.engine.onEvent(({ event_type, data }) => {
    if (event_type !== "plan.ready") return;
    const { tasks } = (data as { plan_json: { tasks: object[] } }).plan_json;
    const task = (id: string, title: string, assignee_id: string) =>
      tasks.push({ id, title, description: "", assignee_id, prerequisites: [], status: "pending" });
    task("task_own", own, OWN);
    task("task_gap", gap, "unknown");
  });
}

/** What the backend loses from now on, both ways. */
function away({ it }: Lived, ...routes: readonly ("get" | "action" | "confirm")[]): void {
  for (const route of routes) it.mock.faults.add({ route, kind: "drop_before", times: Number.POSITIVE_INFINITY });
}

async function somebodyElses(lang: Lang): Promise<Lived> {
  const it = await homeWithBackend(lang);
  const scene = it.mock.scenes().find(({ scene_id }) => scene_id === it.sceneId)!;
  const { negotiation_id: id } = it.mock.engine.submit(scene, "u-2", WORDS[lang].raw, null, null);
  await it.clock.pass(4 * STEP_MS + 1_000);
  return { it, server: it.serve(), id };
}

export const NEGOTIATIONS = {
  formulating: (lang) => submitted(lang),
  asking: (lang) => asked(lang),
  tainted: async (lang) => {
    const others = await somebodyElses(lang);
    await others.server.call("towow_status", { negotiation_id: others.id });
    return askedIn(await submitIn(others.it, lang, others.server));
  },
  "edited by hand": async (lang) => {
    const lived = await asked(lang);
    lived.it.mock.engine.patch(lived.id, { min_score: 0 });
    answering(USUAL, "exit")(lived);
    return onPage(lived, { decision: "edit", text: WORDS[lang].theirs }, OFFERING_MS);
  },
  "an edit lost with its program": async (lang) => {
    const lived = await asked(lang);
    const { it, id } = lived;
    const key = { origin: it.mock.url, id };
    const owner = { instance: "killed", pid: 999_999 };
    const yes = { kind: "edit", by: "page", text_hash: sha256(WORDS[lang].theirs), owner };
    await it.facts.create(key, "decided.1", { at: it.clock.now(), ...yes });
    await it.facts.create(key, "undone.1", { at: it.clock.now(), why: "edit_lost" });
    await it.clock.pass(5_000);
    return lived;
  },
  "a yes that hangs": async (lang) => {
    const lived = await asked(lang);
    away(lived, "confirm");
    await onPage(lived, { decision: "accept" }, 0);
    away(lived, "get");
    await lived.it.clock.pass(20_000);
    return { ...lived, isAway: true };
  },
  "away after a yes": async (lang) => {
    const lived = await asked(lang);
    await onPage(lived, { decision: "accept" }, 0);
    away(lived, "get");
    await lived.it.clock.pass(20_000);
    return { ...lived, isAway: true };
  },
  "a no that hangs": async (lang) => {
    const lived = await asked(lang);
    away(lived, "get", "action");
    return { ...(await onPage(lived, { decision: "reject" }, 20_000)), isAway: true };
  },
  "a no that another program carries out": async (lang) => {
    const lived = await asked(lang);
    const { it, id } = lived;
    const key = { origin: it.mock.url, id };
    const owner = { instance: "running", pid: process.ppid };
    await it.facts.create(key, "decided.1", { at: it.clock.now(), kind: "reject", by: "terminal", owner });
    it.mock.engine.cancel(id);
    await it.clock.pass(5_000);
    return lived;
  },
  "another program's": async (lang) => {
    const lived = await submitted(lang);
    await opened(lived);
    return { ...lived, server: lived.it.serve() };
  },
  "another person's": (lang) => somebodyElses(lang),

  rejected: async (lang) => onPage(await asked(lang), { decision: "reject" }, 1_000),
  withdrawn: async (lang) => {
    const lived = await asked(lang);
    lived.it.mock.engine.patch(lived.id, { min_score: 0 });
    await onPage(lived, { decision: "accept" }, OFFERING_MS);
    await lived.it.piped(`cancel ${lived.id} --yes`);
    await lived.it.clock.pass(5_000);
    return lived;
  },
  "left alone": async (lang) => {
    const lived = await asked(lang);
    await lived.it.clock.pass(5 * MINUTE_MS);
    return lived;
  },
  "left to the backend": async (lang) => {
    const lived = await asked(lang, {}, { TOWOW_ON_UNCONFIRMED: "leave" });
    await lived.it.clock.pass(5 * MINUTE_MS);
    return lived;
  },
  // Reading changes nothing of what is submitted already.
  "left to the backend, others' text read": async (lang) => {
    const lived = await asked(lang, {}, { TOWOW_ON_UNCONFIRMED: "leave" });
    const scene = lived.it.mock.scenes().find(({ scene_id }) => scene_id === lived.it.sceneId)!;
    const { negotiation_id } = lived.it.mock.engine.submit(scene, "u-2", WORDS[lang].raw, null, null);
    await lived.server.call("towow_status", { negotiation_id });
    return lived;
  },
  "a yes that its program took along": async (lang) => {
    const lived = await asked(lang);
    away(lived, "confirm");
    await onPage(lived, { decision: "accept" }, 0);
    await lived.server.end();
    return { it: lived.it, id: lived.id, server: lived.it.serve() };
  },
  "nobody came": async (lang) => {
    const lived = await asked(lang);
    lived.it.mock.engine.patch(lived.id, { min_score: 1.5 });
    return onPage(lived, { decision: "accept" }, OVER_MS);
  },
  "somebody left": (lang) => over(lang, answering(USUAL, "exit", USUAL)),
  "own task and a gap": (lang) => over(lang, withOwnTask),

  "unknown id": async (lang) => {
    const it = await homeWithBackend(lang);
    return { it, server: it.serve(), id: "neg_000000000000" };
  },
  "another backend's": async (lang) => {
    const it = await homeWithBackend(lang);
    const id = "neg_0123456789ab";
    const submitted = { at: NOON, user_id: OWN, deadline_at: NOON + 5 * MINUTE_MS, owner: it.owner };
    await it.facts.create({ origin: "https://elsewhere.example", id }, "submitted", submitted);
    return { it, server: it.serve(), id };
  },
  "an empty plan": async (lang) => {
    const lived = await over(lang, () => {});
    lived.it.mock.engine.patch(lived.id, { plan_output: "" });
    return lived;
  },
  "two thousand agents": async (lang) => {
    const lived = await asked(lang);
    await onPage(lived, { decision: "accept" }, OFFERING_MS);
    lived.it.mock.engine.patch(lived.id, { participants: participants(lang, 2_000) as never });
    await lived.it.clock.pass(5_000);
    return lived;
  },
  "offers that are no text": (lang) =>
    over(
      lang,
      answering(
        { content: { price: "1000", when: ["Mon", "Tue"], more: { on_site: true } }, capabilities: { design: 5 } },
        {
          content: "<b>bold</b> **strong** [here](https://evil.example) | a | b |\n# A heading",
          capabilities: ["<i>x</i>"],
        },
        { content: ["one", "two"], capabilities: "design" },
        { content: "", capabilities: [] },
      ),
    ),
} as const satisfies Record<string, Life>;
