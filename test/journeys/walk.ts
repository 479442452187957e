import { expect } from "vitest";
import type { NegotiationView } from "../../mock-backend/main.ts";
import { falseClaims, type Said, toldEndings } from "../faults/said.ts";
import { type Door, OWN_TEXT } from "./door.ts";
import type { Decision, Journey, Step } from "./table.ts";

const INTENT = "python";
const OTHER_TEXT = "Somebody else's text about python";
const ANEW = "What the network made of it the second time: python";
const DEADLINE_MS = 300_000;
/** A plan is there long before. */
const TO_ITS_END_MS = 60_000;
const FOREVER = Number.POSITIVE_INFINITY;

/** One journey at one door: what the backend's journal must hold in the end, and nothing false on the way. */
export async function walk({ steps, intent = INTENT, ...must }: Journey, door: Door): Promise<void> {
  const { clock, mock } = door;
  const agreed: string[] = [];
  const falsehoods: string[] = [];
  let id: string | undefined;
  let demands = 0;
  let last: Said = { text: "" };
  const now = (): NegotiationView | undefined => mock.negotiations().find((one) => one.negotiation_id === id);
  const submittedAt = () => mock.journal.find(({ made }) => made === id)?.at ?? clock.now();
  const judge = (where: string, said: Said, from: number) => {
    const negotiation = now();
    if (negotiation === undefined) return;
    const isLeft = must.config?.on_unconfirmed === "leave";
    const truth = { negotiation, from, at: clock.now(), agreed, deadlineAt: submittedAt() + DEADLINE_MS, isLeft };
    for (const one of falseClaims(said, truth)) falsehoods.push(`${where}: ${one}: ${said.text.slice(0, 300)}`);
  };
  const hear = async (where: string, said: Promise<Said>) => {
    const from = clock.now();
    last = await said;
    judge(where, last, from);
  };
  const agree = (decision: Decision) => {
    if (decision === "accept") agreed.push(String(now()?.demand_formulated));
    if (decision === "change") agreed.push(OWN_TEXT);
  };
  const decide = (decision: Decision) => () => {
    agree(decision);
    return hear(decision, door.decide(decision));
  };
  const elsewhere = (decision: Decision) => async () => {
    agree(decision);
    await door.elsewhere(decision);
  };
  const met = async (where: string, asked: Promise<{ id?: string | undefined; said: Said }>) => {
    const found = await asked;
    id = found.id ?? id;
    await hear(where, Promise.resolve(found.said));
  };
  const acts: Record<Step, () => Promise<void> | void> = {
    async join() {
      await hear("join", door.join());
      expect(
        mock.journal.some(({ path, status }) => path.endsWith("/agents") && status < 300),
        last.text,
      ).toBe(true);
    },
    async demand() {
      demands += 1;
      await met("demand", door.demand(demands > 1 ? `${intent}, once more` : intent));
    },
    async again() {
      if (now()?.confirmedBy === undefined) await met("again", door.ask(String(id)));
    },
    accept: decide("accept"),
    change: decide("change"),
    reject: decide("reject"),
    async leave() {
      await door.leave();
      expect(now(), "what closing it did").toMatchObject({ confirmCount: 0, cancelled: false });
    },
    look: () => hear("look", door.look()),
    cancel: () => hear("cancel", door.cancel()),
    restart: () => door.restart(),
    "elsewhere accept": elsewhere("accept"),
    "elsewhere change": elsewhere("change"),
    "elsewhere reject": elsewhere("reject"),
    async "a stranger's"() {
      id = await door.strangers();
      await hear(
        "a stranger's",
        door.ask(id).then(({ said }) => said),
      );
    },
    "no withdrawal arrives": () =>
      mock.faults.add({ route: "action", kind: "delay", delayMs: 3_600_000, times: FOREVER }),
    away() {
      for (const route of ["submit", "confirm", "action", "get"] as const)
        mock.faults.add({ route, kind: "status", status: 503, times: FOREVER });
    },
    back: () => mock.faults.clear(),
    "its answer is lost": () => mock.faults.add({ route: "confirm", kind: "drop_after" }),
    async "others confirm"() {
      mock.engine.confirm(String(id), OTHER_TEXT, "other");
      await clock.advance(2_000);
    },
    "formulated anew": () => mock.engine.setFormulatedText(String(id), ANEW),
    "agents think": () => mock.engine.offerWith(() => "hang"),
    "an agent leaves"() {
      let asked = 0;
      mock.engine.offerWith(() => (asked++ === 0 ? "exit" : undefined));
    },
    async "the deadline passes"() {
      await clock.advance(Number(now()?.confirmDeadline) + 2_000 - clock.now());
    },
    async "to its end"() {
      await clock.advance(TO_ITS_END_MS);
      await hear("at its end", door.look());
    },
  };
  for (const step of steps) await acts[step]();
  if (must.ends !== undefined) {
    const from = clock.now();
    for (const { surface, ...said } of await door.beside()) judge(surface, said, from);
  }
  expect(falsehoods).toEqual([]);
  holds(must, now(), { agreed, last });
  // A demand that did not come left nothing behind, and its person was told so.
  if (demands > 0 && id === undefined) {
    expect(mock.negotiations()).toEqual([]);
    expect([last.text === "", last.isSuccess === true], last.text).toEqual([false, false]);
  }
  if (must.ends !== undefined) expect(toldEndings(last), last.text).toContain(must.ends);
}

function holds(
  { out, by, cancelled }: Pick<Journey, "out" | "by" | "cancelled">,
  negotiation: NegotiationView | undefined,
  { agreed, last }: { agreed: readonly string[]; last: Said },
): void {
  // Of a demand that did not come so far there is nothing.
  const texts = { formulated: negotiation?.demand_formulated, own: OWN_TEXT, others: negotiation?.confirmedText };
  const held = {
    by: negotiation?.confirmedBy,
    text: negotiation?.confirmedText,
    cancelled: negotiation?.cancelled ?? false,
  };
  expect(held, last.text).toEqual({ by, text: out && texts[out], cancelled: cancelled ?? false });
  // What the person never said yes to did not go out in their name.
  if (by === "user") expect(agreed).toContain(negotiation?.confirmedText);
}
