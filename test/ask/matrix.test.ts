import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { sha256 } from "../../src/app/hash.ts";
import { confirms } from "../support/backend.ts";
import type { Answer } from "../support/clients.ts";
import { decisionPage } from "../support/decision-page.ts";
import { decisionAbout } from "../support/facts.ts";
import { pagesOf } from "../support/pages.ts";
import { createWorld, type Process, type ProcessOptions, type World } from "../support/world.ts";
import { send } from "./page-support.ts";
import { ACCEPT, INTENT } from "./pause-support.ts";

/**
 * Who may say yes to a text (contract §6): every policy, surface, author and state of taint, driven through a client.
 * The table in `docs/confirmation.md` is this one.
 */
const POLICIES = ["auto", "strict"] as const;
/** Who wrote the text that would go out: the network, the person's AI, or the person in the surface itself. */
const AUTHORS = ["network", "ai", "person"] as const;
const SURFACES = {
  argument: "an argument, from a client without a surface",
  second: "the same, from a second program of the home",
  other: "the same, from another user's home",
  origin: "the same, at another backend",
  form: "a form",
  window: "the page, in the window that the server opens",
  elicited: "the page, at the address that the client opens",
  known: "the page, in a browser that you have let in",
  link: "a link from a result, opened in another browser",
  fetched: "the same link, fetched by a program",
  command: "`towow-mcp call`",
} as const;
type Surface = keyof typeof SURFACES;
type Author = (typeof AUTHORS)[number];
const PAGES: readonly Surface[] = ["window", "elicited", "known", "link", "fetched"];
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
  if (surface === "other") return world.process({ ...options, stranger: "other" });
  if (surface === "form") return world.process({ ...options, answer: author === "person" ? typing : () => ACCEPT });
  return world.process(options);
}

/** Comes to the page as somebody does by this surface, and fills in what it shows them. */
async function atPage(world: World, p: Process, { surface, author }: Cell, negotiationId: string): Promise<void> {
  const windows: string[] = [];
  const pages = pagesOf(world, p, async (page) => surface === "window" && windows.push(page) > 0);
  onTestFinished(() => pages.close());
  const candidate = author === "ai" ? AI_TEXT : undefined;
  const { forClient, forResult } = await pages.open({ negotiationId, candidate, host: undefined, lang: "en" });
  const first = surface === "window" || surface === "elicited" ? forClient : forResult;
  const found = await send(first);
  if (surface === "known") await pages.browsers.letIn(/id="code">([\d-]+)</.exec(found.body)?.[1] ?? "");
  const address = windows[0] ?? first;
  const isBrowser = surface !== "window" && surface !== "fetched";
  let cookie = isBrowser ? found.cookie : undefined;
  const ask = async (path: string, form?: Record<string, string>) => {
    const reply = await send(new URL(path, address).href, form, cookie === undefined ? {} : { cookie });
    if (reply.cookie?.startsWith("towow_approval")) cookie = reply.cookie;
    cookie ??= reply.cookie;
    return reply;
  };
  const { pathname } = new URL(address);
  const page = await decisionPage(pathname, ask);
  // What a model can know of the question, it sends.
  const { asked } = await p.negotiations.facts(negotiationId);
  const texts = { network: `${INTENT}, formulated by the network`, ai: AI_TEXT, person: TYPED };
  const about = { questionId: asked.at(-1)?.question_id ?? "", textHash: sha256(texts[author]) };
  if (page.status !== 200)
    await ask(`${pathname}/act`, { do: `broadcast?${new URLSearchParams(about)}`, "f.text": texts[author] });
  else if (author === "person") await page.fill({ decision: "edit", text: TYPED });
  else await page.fill({ decision: "accept" });
}

interface Cell {
  policy: (typeof POLICIES)[number];
  surface: Surface;
  author: Author;
  tainted: boolean;
}

/** Whether a text went out, and which. */
async function driven(cell: Cell): Promise<"accepted" | "refused"> {
  const { policy, surface, author, tainted } = cell;
  const world = await createWorld();
  world.mock.engine.formulateWith((intent) => `${intent}, formulated by the network`);
  const config = { confirmation_policy: policy };
  const submitting = await world.process({ flags: { mode: "developer" }, config });
  const demand = await submitting.call("towow_demand", { intent: INTENT });
  const { negotiation_id } = demand.result.data;
  const { asked } = await submitting.negotiations.facts(negotiation_id);
  const confirmation_id = asked[0]?.question_id;
  if (tainted) await world.tainted.keep(world.clock.now() + 3_600_000, 3_600_000);
  if (PAGES.includes(surface)) {
    await atPage(world, submitting, cell, negotiation_id);
    return outcome(world, author);
  }
  const who =
    surface === "argument" && author !== "person"
      ? submitting
      : await decider(
          world,
          surface,
          author,
          surface === "origin" ? { ...config, backend_url: "http://127.0.0.1:10" } : config,
        );
  const decision = author === "network" ? {} : { decision: "edit", confirmed_text: author === "ai" ? AI_TEXT : TYPED };
  // A person's own text comes by the surface, where it can: the AI only asks.
  const asks = author === "person" && surface === "form";
  const args = asks ? { negotiation_id } : { negotiation_id, confirmation_id, decision: "accept", ...decision };
  await who.call("towow_demand", args);
  return outcome(world, author);
}

/** What went out, and that what is written says whose words it was. */
async function outcome(world: World, author: Author): Promise<"accepted" | "refused"> {
  const [sent] = confirms(world.mock);
  if (sent === undefined) return "refused";
  const [negotiation] = world.mock.negotiations();
  const text = { network: negotiation?.demand_formulated, ai: AI_TEXT, person: TYPED }[author];
  expect(negotiation?.confirmedText).toBe(text);
  const { by, display } = (await decisionAbout(world, negotiation?.negotiation_id ?? "")) ?? {};
  // Nobody can tell who types into a form, or whose words an AI passes on.
  const typed = by === "form" ? "client" : by === "argument" ? "ai" : "person";
  expect(display).toMatchObject({ surface: by, author: author === "person" ? typed : author });
  return "accepted";
}

/** What must be. A form never asks about a text by an AI; without one, and untainted, the seed's way stays. */
function expected({ policy, surface, author, tainted }: Cell): "accepted" | "refused" {
  switch (surface) {
    case "window":
    case "known":
      return "accepted";
    case "elicited":
      return policy === "auto" ? "accepted" : "refused";
    case "form":
      return author === "ai" || policy === "strict" ? "refused" : "accepted";
    case "argument":
    case "second":
      return policy === "auto" && !tainted ? "accepted" : "refused";
    case "link":
    case "fetched":
    case "other":
    case "origin":
    case "command":
      return "refused";
  }
}

const CELLS: Cell[] = POLICIES.flatMap((policy) =>
  (Object.keys(SURFACES) as Surface[]).flatMap((surface) =>
    AUTHORS.flatMap((author) => [false, true].map((tainted) => ({ policy, surface, author, tainted }))),
  ),
);

it.each(CELLS.map((cell) => [Object.values(cell).join(" · "), cell] as const))("%s", async (_, cell) => {
  expect(await driven(cell)).toBe(expected(cell));
});

it("the table in the docs is this one", () => {
  const written = readFileSync(new URL("../../docs/confirmation.md", import.meta.url), "utf8");
  for (const surface of Object.keys(SURFACES) as Surface[]) {
    const cells = POLICIES.flatMap((policy) =>
      [false, true].map((tainted) => {
        const yes = AUTHORS.filter((author) => expected({ policy, surface, author, tainted }) === "accepted");
        return yes.length === AUTHORS.length ? "yes" : yes.length === 0 ? "no" : yes.join(", ");
      }),
    );
    expect(written).toContain(`| ${[SURFACES[surface], ...cells].join(" | ")} |`);
  }
});
