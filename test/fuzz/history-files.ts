import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as realMs } from "node:timers/promises";
import fc from "fast-check";
import { nanoid } from "nanoid";
import { createFactFiles } from "../../src/negotiation/stores/home-facts.ts";
import { sha256 } from "../support/facts.ts";
import type { ManualClock } from "../support/manual-clock.ts";
import { createWorld } from "../support/world.ts";
import { document, mutatedJson } from "./material.ts";
import { target } from "./target.ts";
import { expectDocumented } from "./tools.ts";

const AT = Date.parse("2026-11-21T00:00:00Z");
const OWNER = { instance: "gone", pid: 1001 };
const ID = "<negotiation>";

/** A negotiation's folder, as it is named at the end. */
const FOLDER = "<folder>";
const KEY = { origin: "http://127.0.0.1:9", id: ID };
const FACTS: Record<string, object> = {
  submitted: { at: AT, user_id: "user_test", deadline_at: AT + 300_000, on_unconfirmed: "cancel", owner: OWNER },
  formulated: { at: AT, deadline_at: AT + 300_000 },
  "watched.1": { at: AT, owner: OWNER, decisions: 0 },
  "asked.1.aa": { at: AT, question_id: "question", round: 1, shown_hash: "x", formulated_hash: "y" },
  "decided.1": { at: AT, kind: "accept", by: "form", owner: OWNER, text_hash: "x" },
  "decided.2": { at: AT, kind: "withdraw", by: "guard", owner: OWNER },
  "undone.1": { at: AT, why: "no_effect" },
  "outcome.0": { at: AT, kind: "moved", owed: true },
  "outcome.1": { at: AT, kind: "confirmed", participants: 2 },
};
const names = fc.constantFrom(...Object.keys(FACTS));
const wrong = fc.constantFrom(
  "decided.0",
  "decided.999999",
  "decided",
  "UPPER",
  "outcome.x",
  "reported.",
  "x".repeat(200),
);
const place = fc.oneof(
  names.map((name) => `${FOLDER}/${name}.json`),
  wrong.map((name) => `${FOLDER}/${name}.json`),
  fc.constantFrom(
    `open/${FOLDER}.json`,
    `${FOLDER}.json`,
    "neg_other~000000000000/submitted.json",
    "open/nothing.json",
  ),
);
const contents = fc.oneof(
  document(mutatedJson(names.map((name) => ({ ...KEY, fact: FACTS[name] ?? {} })))),
  document(mutatedJson(fc.constant({ ...KEY, facts: FACTS }))),
  fc.constant("folder" as const),
);
/** One thing in one place, which need not be its own. */
const placed = fc.tuple(place, contents);

/** Whatever stands in `history/`: the tools go on, by their codes, and end. */
export const historyFiles = target({
  name: "history files",
  batch: 50,
  input: fc.record({
    facts: fc.array(placed, { maxLength: 5 }),
  }),
  open() {
    const home = mkdtempSync(join(tmpdir(), "towow-fuzz-"));
    let round = 0;
    return {
      async check({ facts }) {
        let end = async () => {};
        const world = await createWorld({ stepMs: 20 }, (close) => {
          end = close;
        });
        const first = await world.process();
        const intent = "A designer";
        const { result } = await first.call("towow_demand", { intent });
        const id = result.data.negotiation_id as string;
        world.dead.add(first.pid);

        const dir = join(home, `history-${++round}`);
        mkdirSync(dir, { mode: 0o700 });
        const own = `${id}~${sha256(KEY.origin).slice(0, 12)}`;
        for (const [where, bytes] of facts) {
          const path = join(dir, where.replace(FOLDER, own));
          try {
            mkdirSync(bytes === "folder" ? path : dirname(path), { recursive: true, mode: 0o700 });
            if (bytes !== "folder") writeFileSync(path, bytes.toString("latin1").replaceAll(ID, id), "latin1");
          } catch {
            // What stands there already has taken the place.
          }
        }

        Object.assign(world.facts, createFactFiles({ dir, newId: nanoid, now: Date.now }));
        const later = await world.process({ config: { wait_budget_s: 1 } });
        const call = async (args: Record<string, unknown>, tool = "towow_demand") =>
          expectDocumented(
            (await drive(world.clock, later.start(tool, args))).result,
            `${tool} ${JSON.stringify(args)}`,
          );
        await call({}, "towow_status");
        await call({ negotiation_id: id }, "towow_status");
        await call({ negotiation_id: id, confirmation_id: "question", decision: "accept" });
        await call({ intent });
        await drive(world.clock, later.negotiations.shutdown());
        await end();
      },
      close: () => rmSync(home, { recursive: true, force: true }),
    };
  },
});

/** Lets the clock go on only as fast as the disk does. */
async function drive<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let over = false;
  const end = work.finally(() => {
    over = true;
  });
  end.catch(() => {});
  while (!over) {
    await realMs(1);
    await clock.advance(20);
  }
  return end;
}
