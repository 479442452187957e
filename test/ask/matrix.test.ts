import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { confirms } from "../support/backend.ts";
import type { Answer } from "../support/clients.ts";
import { createWorld, type Process, type ProcessOptions, type World } from "../support/world.ts";
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
  page: "the page, opened by the client",
  command: "`towow-mcp call`",
} as const;
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
  if (surface === "other") return world.process({ ...options, stranger: "other" });
  if (surface === "form") return world.process({ ...options, answer: author === "person" ? typing : () => ACCEPT });
  if (surface !== "page") return world.process(options);
  const p: Process = await world.process({
    ...options,
    elicitation: { url: {} },
    async answer() {
      const page = p.pages.at(-1);
      const negotiationId = page?.negotiationId ?? "";
      // What the page itself does with its person's click; the page's own gate is in page.test.ts.
      const negotiation = await p.negotiations.get(negotiationId);
      const question = await p.negotiations.question(negotiation, negotiation.demand_formulated ?? "");
      const editedText = author === "network" ? undefined : author === "ai" ? page?.candidate : TYPED;
      const kind = editedText === undefined ? "accept" : "edit";
      const decision = {
        negotiationId,
        kind,
        by: "page",
        confirmationId: question.id,
        editedText,
        editSeen: true,
      } as const;
      await p.negotiations.decide(decision);
      return { action: "accept" };
    },
  });
  return p;
}

interface Cell {
  policy: (typeof POLICIES)[number];
  surface: Surface;
  author: Author;
  tainted: boolean;
}

/** Whether a text went out, and which. */
async function driven({ policy, surface, author, tainted }: Cell): Promise<"accepted" | "refused"> {
  const world = await createWorld();
  const config = { confirmation_policy: policy };
  const submitting = await world.process({ flags: { mode: "developer" }, config });
  const demand = await submitting.call("towow_demand", { intent: INTENT });
  const { negotiation_id } = demand.result.data;
  const { asked } = await submitting.negotiations.facts(negotiation_id);
  const confirmation_id = asked[0]?.question_id;
  if (tainted) await world.tainted.keep(world.clock.now() + 3_600_000, 3_600_000);
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
  const asks = author === "person" && (surface === "form" || surface === "page");
  const args = asks ? { negotiation_id } : { negotiation_id, confirmation_id, decision: "accept", ...decision };
  await who.call("towow_demand", args);
  const [sent] = confirms(world.mock);
  if (sent === undefined) return "refused";
  const { confirmedText } = world.mock.negotiations()[0] ?? {};
  expect(confirmedText).toBe(
    author === "network" ? world.mock.negotiations()[0]?.demand_formulated : author === "ai" ? AI_TEXT : TYPED,
  );
  return "accepted";
}

/** What must be. A form never asks about a text by an AI; without one, and untainted, the seed's way stays. */
function expected({ policy, surface, author, tainted }: Cell): "accepted" | "refused" {
  switch (surface) {
    case "page":
      return "accepted";
    case "form":
      return author === "ai" ? "refused" : "accepted";
    case "argument":
    case "second":
      return policy === "auto" && !tainted ? "accepted" : "refused";
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
