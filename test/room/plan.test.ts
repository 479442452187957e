import { expect, it } from "vitest";
import { agentSpec } from "../../src/room/agent-screen.ts";
import { contactIn } from "../../src/room/spec/contact.ts";
import { buttonsOn } from "../../src/room/tools.ts";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { SANITIZE_DEFAULTS } from "../../src/safety/sanitize/options.ts";
import { textsOf } from "../../src/text/index.ts";
import { DRAWING } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";
import { LANGS } from "../support/screens.ts";

/** How a plan is drawn is printed: `screens/room-end.*.txt`. */

it.each([
  ["Write to priya@example.com.", "p•••@•••.com", "priya@example.com"],
  ["Call +33 1 99 00 12 07, or mail me: a@b.example.org", "+33 ••• 07", "+33 1 99 00 12 07 · a@b.example.org"],
  ["电话 13800138000。", "••• 00", "13800138000"],
  ["微信 gaoyn-his。", "WeChat id g•••", "WeChat id gaoyn-his"],
])("of a contact as little is shown as tells which it is: %s", (offer, masked, whole) => {
  const contact = contactIn(offer, textsOf("en").pii.kinds);
  expect(contact?.masked).toBe(masked);
  expect(contact?.whole).toContain(whole);
  expect(contact?.masked).not.toContain(whole);
});

it("an offer that names no way to its author has no contact", () => {
  expect(contactIn("I build prototypes. 8 hours a week.", textsOf("en").pii.kinds)).toBeUndefined();
});

it.each(LANGS)("one step is filled: the first need that nobody covers, else the report: %s", (lang) => {
  const filled = (name: string) =>
    buttonsOn(uiSpec(roomStates(lang)[name]!, DRAWING))
      .filter(({ tone }) => tone === "primary")
      .map(({ toolName, params }) => [toolName, params.as ?? params.text]);
  const gap = { en: "A hospital for the pilot", zh: "愿意试点的医院" }[lang];
  expect(filled("plan")).toEqual([["ask", gap]]);
  expect(filled("plan-with-own-task")).toEqual([["export", "report"]]);
  expect(filled("plan-prose-only")).toEqual([["export", "report"]]);
  const { demand, ...rest } = roomStates(lang).plan!;
  const tasks = demand!.tasks!.map((task) => ({ ...task, assignee_id: "unknown" }));
  const gaps = buttonsOn(uiSpec({ ...rest, demand: { ...demand!, tasks } }, DRAWING)).filter(
    ({ toolName }) => toolName === "ask",
  );
  expect(gaps.map(({ tone }) => tone)).toEqual(["primary", "plain", "plain", "plain"]);
});

it("that there is only one offer is one of the points to settle", () => {
  const state = roomStates("en").plan!;
  const points = (demand: typeof state.demand) =>
    buttonsOn(uiSpec({ ...state, demand }, DRAWING)).flatMap(({ toolName, label }) =>
      toolName === "check" ? label : [],
    );
  const risks = [{ code: "single_offer", severity: "medium", evidence_path: "/participants" }] as const;
  const before = points(state.demand);
  const now = points({ ...state.demand!, risks });
  expect(now.slice(0, -1)).toEqual(before);
  expect(now.at(-1)).toMatch(/^There is only one offer/);
});

it("an outside agent reads that there is a contact, and not which", () => {
  const state = roomStates("en").plan!;
  const { negotiation, tasks } = state.demand!;
  const participants = negotiation!.participants.map((one) => ({
    ...one,
    offer_content: String(one.offer_content)
      .replace("priya@example.com", "[e-mail hidden]")
      .replace("+33 1 99 00 12 07", "[phone hidden]"),
  }));
  const forModel = { negotiation: { ...negotiation!, participants }, tasks, warnings: [] };
  const options = { ...SANITIZE_DEFAULTS, redactPii: true };
  const seen = agentSpec({ ...state, demand: { ...state.demand!, forModel } }, DRAWING, options);
  const text = JSON.stringify(seen);
  expect(text).not.toMatch(/priya@|12 07/);
  expect(text).toContain('"contact":{"masked":"[e-mail hidden]","whole":""}');
});
