import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FaultKind } from "../../mock-backend/faults.ts";
import { isSameDemand } from "../../src/negotiation/submit.ts";
import { createWorld } from "../support/world.ts";

const OTHERS = "Somebody else's demand: a kitchen by June";
const OWN = "I need a product designer for a hospital pilot";
const UNKNOWN = "tool.backend.timeout.submit_outcome_unknown";

/** Another person's demand waits for its person; then one's own is submitted. */
async function besideAnother() {
  const world = await createWorld();
  const other = await world.process({ stranger: "user_other", flags: { mode: "developer" } });
  const waiting = await other.call("towow_submit_demand", { scene_id: world.sceneId, intent: OTHERS });
  const others: string = waiting.result.data.negotiation_id;
  await world.clock.advance(5_000);
  world.dead.add(other.pid); // whatever becomes of it from here on is not its own program's doing
  const here = await world.process({ flags: { mode: "developer" } });
  const submit = (intent = OWN) => here.call("towow_submit_demand", { scene_id: world.sceneId, intent });
  /** What this person's programs have asked about the other's negotiation, but for reading it. */
  const touched = () => world.mock.journal.filter(({ path, method }) => path.includes(others) && method === "POST");
  const theirs = () => world.mock.negotiations().find(({ negotiation_id: id }) => id === others);
  const own = () => world.mock.negotiations().find(({ demand_raw }) => demand_raw === OWN);
  return { world, here, others, submit, touched, theirs, own };
}

const answered = async (kind: FaultKind, more = {}) => {
  const made = await besideAnother();
  made.world.mock.faults.add({ route: "submit", kind, other: made.others, ...more });
  return made;
};

describe("a submit that is answered with another's", () => {
  it("is one whose outcome is unknown: nothing of the other's is shown", async () => {
    const { submit, others } = await answered("others_answer");
    const { result, text } = await submit();
    expect(result.error?.code).toBe(UNKNOWN);
    expect(text + JSON.stringify(result)).not.toContain(others);
    expect(text + JSON.stringify(result)).not.toContain(OTHERS);
  });

  it("leaves the other's as it is: at the deadline, at a no, at the program's end", async () => {
    const { world, here, submit, touched, theirs, others } = await answered("others_answer");
    await submit();
    await here.call("towow_action", { negotiation_id: others, action: "cancel" });
    await here.call("towow_demand", { negotiation_id: others, decision: "reject" });
    await here.call("towow_confirm", { negotiation_id: others, decision: "accept", confirmation_id: "x" });
    await world.clock.run(here.negotiations.shutdown("withdraw"));
    expect(touched()).toEqual([]);
    expect(theirs()).toMatchObject({ state: "formulated", cancelled: false, confirmCount: 0 });
  });

  it("is not sent again for ten minutes, and stands in no list", async () => {
    const { world, here, submit } = await answered("others_answer");
    await submit();
    expect((await submit()).result.error?.code).toBe("tool.negotiation.conflict.submit_outcome_open");
    expect(await here.negotiations.records()).toEqual([]);
    expect((await here.call("towow_status")).result.data?.open ?? []).toEqual([]);
    await world.clock.advance(600_000);
    expect((await submit("Another demand, of one's own")).result.error).toBeNull();
  });
});

it("a demand that no read ever shows is withdrawn at the deadline", async () => {
  const { world, here, own } = await besideAnother();
  world.mock.faults.add({ route: "get", kind: "status", status: 500, times: Number.POSITIVE_INFINITY });
  await here.call("towow_submit_demand", { scene_id: world.sceneId, intent: OWN });
  await world.clock.advance(290_000);
  expect(own()).toMatchObject({ cancelled: true, confirmCount: 0 });
});

describe("an answer to a decision that shows another demand", () => {
  async function decided(decision: "accept" | "reject", then: { kind: "delay"; delayMs: number } | { kind: "status" }) {
    const made = await besideAnother();
    const { world, here, others } = made;
    world.mock.engine.cancel(others);
    const asked = await here.call("towow_demand", { intent: OWN });
    world.mock.faults.add({
      route: decision === "accept" ? "confirm" : "action",
      kind: "others_answer",
      other: others,
    });
    world.mock.faults.add({ route: "get", skip: decision === "accept" ? 1 : 0, times: 20, ...then });
    const args = { ...asked.result.data.resume_with.params, decision };
    const { result, text } = await here.call("towow_demand", args);
    world.mock.faults.clear();
    expect(text + JSON.stringify(result)).not.toContain(OTHERS);
    await world.clock.advance(20_000);
    return made;
  }

  const AFTER = [{ kind: "delay", delayMs: 20_000 }, { kind: "status" }] as const;

  it.each(AFTER)("shows nothing of it after a yes: %j", async (then) => {
    const { own } = await decided("accept", then);
    expect(own()).toMatchObject({ confirmedBy: "user", confirmCount: 1 });
  });

  it.each(AFTER)("nor after a no: %j", async (then) => {
    const { own } = await decided("reject", then);
    expect(own()).toMatchObject({ cancelled: true, confirmCount: 0 });
  });
});

describe("a submit whose answer breaks off behind its id", () => {
  it.each([40, 60, 200])("after %i bytes is guarded by that id", async (cutAt) => {
    const { world, submit, own } = await answered("cut_body", { cutAt });
    const { result } = await submit();
    expect(result).toMatchObject({ error: null, data: { negotiation_id: own()?.negotiation_id } });
    await world.clock.advance(290_000);
    expect(own()).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it("within its id is one whose outcome is unknown", async () => {
    const { submit } = await answered("cut_body", { cutAt: 25 });
    expect((await submit()).result.error?.code).toBe(UNKNOWN);
  });
});

describe("what a backend may change of a demand that it keeps", () => {
  const kept = (demand_raw: string) => ({ demand_raw });

  it("is not compared: spaces, line ends, the normal form, what nobody sees", () => {
    const intent = "  Cafe\u0301 in Köln,\r\n\tfor ２ people 张三\u200B  ";
    for (const raw of [
      intent.trim(),
      intent.normalize("NFC"),
      intent.normalize("NFD"),
      intent.replaceAll("\r\n", "\n"),
    ])
      expect(isSameDemand(intent, kept(raw))).toBe(true);
    expect(isSameDemand(intent, kept(intent.replace(/\s+/g, " ").normalize("NFKC").trim()))).toBe(true);
    expect(isSameDemand("half \uD800 a pair", kept("half \uFFFD a pair"))).toBe(true);
    // An answer may leave it out.
    expect(isSameDemand(intent, kept(""))).toBe(true);
    for (const raw of [`${intent} now`, intent.slice(0, 12), intent.toUpperCase(), OTHERS])
      expect(isSameDemand(intent, kept(raw))).toBe(false);
  });

  it.each([
    ["escapes", `Tom & Ann's "queue" <pilot>`, "Tom &amp; Ann&#39;s &quot;queue&quot; &#x3C;pilot&gt;"],
    ["escapes what was escaped", "Tom &amp; Ann", "Tom &amp;amp; Ann"],
    ["keeps no pictures", "A designer 🙂 for a pilot 👩🏽‍⚕️", "A designer ? for a pilot ???"],
    ["makes quotes and dashes plain", "“A designer” — Ann’s…", '"A designer" - Ann\'s...'],
    ["drops accents", "Café, Zürich, naïve", "Cafe, Zurich, naive"],
  ])("nor is it, where a backend %s", (_, intent, raw) => {
    expect(isSameDemand(intent, kept(raw))).toBe(true);
  });

  it("but what has no words is compared sign by sign", () => {
    expect(isSameDemand("🚀 🚀", kept("🚀🚀"))).toBe(true);
    expect(isSameDemand("🚀", kept("🎨"))).toBe(false);
  });

  it("whatever its words are", () => {
    const words = fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 1 });
    fc.assert(
      fc.property(
        words,
        fc.constantFrom("NFC", "NFD", "NFKC"),
        fc.constantFrom(" ", "\n", "\r\n\t"),
        (all, form, gap) => isSameDemand(all.join(" "), kept(all.join(gap).normalize(form))),
      ),
    );
  });
});
