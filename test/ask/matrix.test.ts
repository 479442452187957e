import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TEXT_SURFACES } from "../../docs/generate/confirmation.ts";
import { sha256 } from "../../src/sha256.ts";
import { confirms } from "../support/backend.ts";
import { ChatPage, hostOf, ticketOf } from "../support/chat.ts";
import type { Answer } from "../support/clients.ts";
import { decisionPage } from "../support/decision-page.ts";
import { decisionAbout } from "../support/facts.ts";
import { demand, FOLLOWS, type Task, WITH_PAGES } from "../support/task-client.ts";
import { createWorld, type Process, type ProcessOptions, type World } from "../support/world.ts";
import {
  answeringPage,
  type ByPage,
  isAboutPage,
  isPage,
  POLICIES,
  type Policy,
  pageOf,
  tableOf,
  taintedWhere,
  type Verdict,
} from "./matrix-support.ts";
import { ACCEPT, INTENT } from "./pause-support.ts";

/**
 * Who may say yes to a text (contract §6): every policy, surface, author and state of taint, driven through a client.
 * The table in `docs/confirmation.md` is this one.
 */
/** Who wrote the text that would go out: the network, the person's AI, or the person in the surface itself. */
const AUTHORS = ["network", "ai", "person"] as const;
const SURFACES = TEXT_SURFACES;
type Surface = keyof typeof SURFACES;
type Author = (typeof AUTHORS)[number];
const AI_TEXT = "A text that the AI wrote";
const TYPED = "Typed by hand";

/** A person who writes their own text where the form asks for one. */
const typing = ({ requestedSchema }: { requestedSchema?: { properties: Record<string, unknown> } }): Answer =>
  requestedSchema !== undefined && "confirmed_text" in requestedSchema.properties
    ? { action: "accept", content: { confirmed_text: TYPED } }
    : { action: "accept", content: { decision: "edit" } };

async function decider(world: World, surface: Surface, author: Author, config: Record<string, unknown>) {
  const options: ProcessOptions = { flags: { mode: "developer" }, config };
  if (surface === "command") return world.process({ ...options, fromCommandLine: true });
  if (isAboutPage(surface)) return world.process({ ...options, ...answeringPage(world, surface) });
  if (surface === "other") return world.process({ ...options, stranger: "other" });
  if (surface === "form") return world.process({ ...options, answer: author === "person" ? typing : () => ACCEPT });
  return world.process(options);
}

/** Comes to the page as somebody does by this surface, and fills in what it shows them. Gives what it answered. */
async function atPage(world: World, p: Process, surface: ByPage, author: Author, negotiationId: string) {
  const candidate = author === "ai" ? AI_TEXT : undefined;
  const about = { negotiationId, candidate, lang: "en" } as const;
  const { path, ask } = await pageOf(world, p, surface, (pages) => pages.open(about));
  const { status, fill } = await decisionPage(path, ask);
  // What a model can know of the question, it sends.
  const { asked } = await p.negotiations.facts(negotiationId);
  const texts = { network: `${INTENT}, formulated by the network`, ai: AI_TEXT, person: TYPED };
  const button = { questionId: asked.at(-1)?.question_id ?? "", textHash: sha256(texts[author]) };
  if (status !== 200 || surface === "foreign")
    return ask(`${path}/act`, { do: `broadcast?${new URLSearchParams(button)}`, "f.text": texts[author] });
  return fill(author === "person" ? { decision: "edit", text: TYPED } : { decision: "accept" });
}

const isTask = (surface: Surface): surface is "task" | "unshown" | "formless" | "asForm" =>
  surface === "task" || surface === "unshown" || surface === "formless" || surface === "asForm";

/** Answers a background task's question, or what passes for one. Gives where the task stands then. */
async function inTask(world: World, { surface, author, policy, tainted }: Cell): Promise<string> {
  if (surface === "asForm") world.mock.engine.formulateWith((intent) => `${intent},\nby the network`);
  const p = await world.process({ flags: { mode: "developer" }, config: { confirmation_policy: policy } });
  const request = p.taskClient(surface === "asForm" ? WITH_PAGES : FOLLOWS);
  const { taskId } = await demand(request, world.sceneId, INTENT);
  await world.clock.advance(2_000);
  const { negotiation_id } = world.mock.negotiations()[0]!;
  const { result } = await (await world.process()).call("towow_demand", { negotiation_id });
  await taintedWhere(tainted, world);
  const answering = surface === "formless" ? p.taskClient({ extensions: FOLLOWS.extensions }) : request;
  const answer = async (content: object) => {
    const keys = surface === "unshown" ? [] : await shownTo(world, () => request("tasks/get", { taskId }));
    const tried = keys.length > 0 ? keys : guessed(String(result.data.resume_with?.params.confirmation_id));
    const inputResponses = Object.fromEntries(tried.map((key) => [key, { action: "accept", content }]));
    await answering("tasks/update", { taskId, inputResponses });
  };
  if (author === "ai") {
    const args = { negotiation_id, decision: "edit", confirmed_text: AI_TEXT };
    await request("tools/call", { name: "towow_demand", arguments: args });
  }
  await answer({ decision: author === "network" ? "accept" : "edit", confirmed_text: TYPED });
  if (author === "person") await answer({ confirmed_text: TYPED });
  await world.clock.advance(2_000);
  return (await request("tasks/get", { taskId })).status;
}

/** The keys of what a client is asked soon; none where it is asked nothing. */
async function shownTo(world: World, poll: () => Promise<Task>): Promise<string[]> {
  for (let polls = 0; polls < 4; polls++) {
    const { inputRequests } = await poll();
    if (inputRequests !== undefined) return Object.keys(inputRequests);
    await world.clock.advance(1_000);
  }
  return [];
}

/** Keys that could be worked out of what a result holds. */
const guessed = (confirmationId: string): string[] =>
  ["form", "write", "page"].flatMap((shape) => {
    const key = sha256(JSON.stringify([confirmationId, shape, 0, 0]));
    return [key, key.slice(0, 16), confirmationId].flatMap((one) => [one, `question-${one}`]);
  });

interface Cell {
  policy: Policy;
  surface: Surface;
  author: Author;
  tainted: boolean;
}

/** Whether a text went out, and which; and what whoever tried was answered. */
async function driven(cell: Cell): Promise<Verdict> {
  const { policy, surface, author, tainted } = cell;
  const world = await createWorld();
  world.mock.engine.formulateWith((intent) => `${intent}, formulated by the network`);
  if (isTask(surface)) return { why: await inTask(world, cell), accepted: await isOut(world, author) };
  const config = { confirmation_policy: policy };
  const submitting = await world.process({ flags: { mode: "developer" }, config });
  if (surface === "chat") return { why: await inChat(world, cell), accepted: await isOut(world, author, "client") };
  const demand = await submitting.call("towow_demand", { intent: INTENT });
  const { negotiation_id } = demand.result.data;
  const { asked } = await submitting.negotiations.facts(negotiation_id);
  const confirmation_id = asked[0]?.question_id;
  await taintedWhere(tainted, world);
  if (isPage(surface)) {
    const { status } = await atPage(world, submitting, surface, author, negotiation_id);
    return { accepted: await isOut(world, author), why: String(status) };
  }
  if (surface === "terminal") {
    await typed(submitting, author, { negotiationId: negotiation_id, confirmationId: confirmation_id });
    return { accepted: await isOut(world, author), why: "" };
  }
  const who =
    (surface === "argument" && author !== "person") || surface === "twoTexts"
      ? submitting
      : await decider(
          world,
          surface,
          author,
          surface === "origin" ? { ...config, backend_url: "http://127.0.0.1:10" } : config,
        );
  const decision = author === "network" ? {} : { decision: "edit", confirmed_text: author === "ai" ? AI_TEXT : TYPED };
  // A person's own text comes by the surface, where it can: the AI only asks.
  const asks = author === "person" && (surface === "form" || isAboutPage(surface));
  const two = surface === "twoTexts" && { decision: "accept", confirmed_text: author === "person" ? TYPED : AI_TEXT };
  const args = asks ? { negotiation_id } : { negotiation_id, confirmation_id, decision: "accept", ...decision, ...two };
  const { result } = await who.call("towow_demand", args);
  return { accepted: await isOut(world, author), why: result.error?.code ?? (result.warnings[0] || result.status) };
}

/** Presses the button of the page that its client draws. A text by the AI is never shown there. */
async function inChat(world: World, { policy, author, tainted }: Cell): Promise<string> {
  const config = { confirmation_policy: policy };
  const client = await hostOf(await world.process({ config, chat: { stateKey: randomBytes(32) } }), "modern");
  const called = client.callTool({ name: "towow_demand", arguments: { intent: INTENT } });
  const page = new ChatPage(world, client, ticketOf(await world.clock.run(called)));
  await taintedWhere(tainted, world);
  await page.open();
  if (author === "ai") return page.sheet?.outgoing === AI_TEXT ? "shown" : "not shown";
  if (author === "person") {
    await page.press("edit");
    await page.act("", { "f.text": TYPED });
  }
  await page.press("broadcast");
  return page.button("broadcast")?.why ?? "";
}

/** What the command in a terminal does once its person has typed the code (`e2e/confirm` drives the whole of it). */
async function typed(
  { negotiations }: Process,
  author: Author,
  question: { negotiationId: string; confirmationId: string | undefined },
): Promise<void> {
  const text = { network: `${INTENT}, formulated by the network`, ai: AI_TEXT, person: TYPED }[author];
  const rendering = { surface: "terminal", rendered_hash: sha256(text) } as const;
  if (author === "network") await negotiations.decide({ ...question, kind: "accept", rendering });
  else await negotiations.decide({ ...question, kind: "edit", rendering, text });
}

/** Whether a text went out: then it is the one that was decided on, and what is written says whose words it was. */
async function isOut(world: World, author: Author, typist?: "client"): Promise<boolean> {
  const [sent] = confirms(world.mock);
  if (sent === undefined) return false;
  const [negotiation] = world.mock.negotiations();
  const text = { network: negotiation?.demand_formulated, ai: AI_TEXT, person: TYPED }[author];
  expect(negotiation?.confirmedText).toBe(text);
  const { by, display } = (await decisionAbout(world, negotiation?.negotiation_id ?? "")) ?? {};
  // Nobody can tell who types into a form, or whose words an AI passes on; what a terminal takes was typed there.
  const hand = by === "form" ? "client" : by === "argument" ? "ai" : "person";
  const whose = author === "person" || (author === "ai" && by === "terminal") ? (typist ?? hand) : author;
  expect(display).toMatchObject({ surface: by, author: whose });
  return true;
}

/** What must be. A form never asks about a text by an AI; without one, and untainted, the seed's way stays. */
function expected({ policy, surface, author, tainted }: Cell): boolean {
  switch (surface) {
    case "window":
    case "known":
    case "signed":
    case "terminal":
      return true;
    case "elicited":
      return policy === "auto";
    case "chat":
    case "form":
    case "task":
      return author !== "ai" && policy === "auto";
    case "argument":
    case "second":
      return policy === "auto" && !tainted;
    case "done":
    case "declined":
    case "twoTexts":
    case "foreign":
    case "link":
    case "fetched":
    case "stranger":
    case "another":
    case "unshown":
    case "formless":
    case "asForm":
    case "other":
    case "origin":
    case "command":
      return false;
  }
}

const CELLS: Cell[] = POLICIES.flatMap((policy) =>
  (Object.keys(SURFACES) as Surface[]).flatMap((surface) =>
    AUTHORS.flatMap((author) => [false, true].map((tainted) => ({ policy, surface, author, tainted }))),
  ),
);

describe("who says yes to a text", () => {
  const verdicts: [Cell, Verdict][] = [];

  it.each(CELLS.map((cell) => [Object.values(cell).join(" · "), cell] as const))("%s", async (_, cell) => {
    const verdict = await driven(cell);
    expect(verdict.accepted, verdict.why).toBe(expected(cell));
    verdicts.push([cell, verdict]);
  });

  it("each is answered as the snapshot says", async () => {
    const rows = verdicts.map(([{ surface, author, ...given }, verdict]) => {
      return { row: [SURFACES[surface], author], given, verdict };
    });
    await expect(tableOf(rows)).toMatchFileSnapshot("snapshots/who-says-yes-to-a-text.txt");
  });
});

it("the table in the docs is this one", () => {
  const written = readFileSync(new URL("../../docs/confirmation.md", import.meta.url), "utf8");
  for (const surface of Object.keys(SURFACES) as Surface[]) {
    const cells = POLICIES.flatMap((policy) =>
      [false, true].map((tainted) => {
        const yes = AUTHORS.filter((author) => expected({ policy, surface, author, tainted }));
        return yes.length === AUTHORS.length ? "yes" : yes.length === 0 ? "no" : yes.join(", ");
      }),
    );
    expect(written).toContain(`| ${[SURFACES[surface], ...cells].join(" | ")} |`);
  }
});
