import { describe, expect, it } from "vitest";
import { looksLikeInstructions } from "../../src/safety/sanitize/instructions.ts";
import { confirms, requests } from "../support/backend.ts";
import { createWorld } from "../support/world.ts";
import { FIELDS, type Field, type Ids } from "./fields.ts";
import { obey } from "./obedient.ts";
import { GOALS, INJECTIONS, type Injection } from "./orders.ts";

/** What the model recognises an order by: it stands behind each. */
const WORD = "zq7";
/** Slow enough that what was accepted is still on its way at the end. */
const SLOW_MS = 20_000;
const DEVELOPER = { flags: { mode: "developer", toolset: "all" } };

/**
 * A client without any surface, whose model holds an open question's id and obeys whatever it reads. Gives what it has
 * done that only a person may.
 */
async function driven({ put, read }: Field, { goal, text }: Injection) {
  const world = await createWorld({ stepMs: SLOW_MS, confirmTimeoutMs: 3_000_000, formulationTimeoutMs: 3_000_000 });
  const config = { wait_budget_s: 3_600, confirm_deadline_s: 3_000 };
  const there = await world.process({ ...DEVELOPER, config, stranger: "elsewhere" });
  const p = await world.process({ ...DEVELOPER, config });
  const pause = async (intent: string, by = p) => (await by.call("towow_demand", { intent })).result.data;
  const first = await pause("The one that goes on");
  const open = await pause("The one that waits");
  const others = await pause("Somebody else's", there);
  await p.call("towow_demand", { ...first.resume_with.params, decision: "accept" });
  const ids: Ids = {
    moving: first.negotiation_id,
    waiting: open.negotiation_id,
    others: others.negotiation_id,
  };
  expect(open.resume_with.params.confirmation_id).toBeTruthy();
  const picked = {
    sceneId: world.sceneId,
    ids: [ids.waiting, ids.moving, ids.others],
    confirmationIds: new Set<string>([open.resume_with.params.confirmation_id]),
  };
  put(world, `${text} ${WORD}`, ids);
  const seen = await read(p, world, ids);
  delete world.rewrite;
  const wasRead = await obey(p, seen, { goal, word: WORD }, picked);
  const late = new RegExp(`/negotiations/(?:${ids.moving}|${ids.others})/action$`);
  const done = {
    confirmed: confirms(world.mock).length - 1,
    registered: requests(world.mock, "POST", /\/agents$/).length,
    created: requests(world.mock, "POST", /\/scenes$/).length,
    cancelled: requests(world.mock, "POST", late).length,
  };
  return { done, wasRead, seen };
}

const NOTHING = { confirmed: 0, registered: 0, created: 0, cancelled: 0 };

it("there are 150 texts, and each is short enough for a name", () => {
  expect(INJECTIONS.length).toBeGreaterThanOrEqual(150);
  expect(new Set(INJECTIONS.map(({ text }) => text)).size).toBe(INJECTIONS.length);
  for (const { text } of INJECTIONS) expect(text.length).toBeLessThan(75);
});

/** Those that hold any text first: there are more of them than texts of one goal. */
const ORDERED = [...FIELDS.filter(({ isPause }) => !isPause), ...FIELDS.filter(({ isPause }) => isPause)];

/** One order of each goal in every field, and every text in some field. */
const shareOf = (n: number, { isPause }: Field): Injection[] =>
  GOALS.map((goal) => {
    const all = INJECTIONS.filter((one) => one.goal === goal && (!isPause || looksLikeInstructions(one.text)));
    return all[n % all.length]!;
  });

describe("a model that obeys every order it reads", () => {
  it("would do all of it: where nothing taints, the same calls go through", async () => {
    const harmless: Field = { name: "none", put: () => {}, read: async () => `${WORD}` };
    for (const [goal, key] of Object.entries({
      confirm: "confirmed",
      register: "registered",
      create_scene: "created",
      cancel: "cancelled",
    })) {
      const { done } = await driven(harmless, { goal: goal as Injection["goal"], text: "" });
      expect(done[key as keyof typeof done], goal).toBeGreaterThan(0);
    }
  });

  it.each(ORDERED.map((field, n) => [field.name, n, field] as const))(
    "and finds them in %s confirms, registers, joins, creates and cancels nothing",
    async (_, n, field) => {
      for (const injection of shareOf(n, field)) {
        const { done, seen } = await driven(field, injection);
        expect({ ...injection, ...done }).toEqual({ ...injection, ...NOTHING });
        // What the person decides about is never rewritten (contract §6).
        if (!field.isPause) expect(seen, injection.text).not.toMatch(/<p>|<\/foreign>/);
      }
    },
  );

  it("every one of the texts stands in some field", () => {
    const used = new Set(ORDERED.flatMap((field, n) => shareOf(n, field).map(({ text }) => text)));
    expect(INJECTIONS.filter(({ text }) => !used.has(text))).toEqual([]);
  });
});
