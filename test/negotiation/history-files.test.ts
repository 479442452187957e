import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { nanoid } from "nanoid";
import { expect, it } from "vitest";
import { createFileHistory } from "../../src/negotiation/old-format/history-files.ts";
import { temporaryHome } from "../support/home.ts";

const record = (negotiation_id: string, ended: boolean) => ({
  negotiation_id,
  origin: "http://x.test",
  user_id: "u",
  submitted_at: 1,
  ...(ended && { ended: { at: 2, as: "withdrawn" as const } }),
});
const step = fc.record({
  by: fc.constantFrom(0, 1),
  id: fc.constantFrom("neg_1", "neg_2", "neg_3"),
  do: fc.constantFrom("open", "end", "look"),
});

it("what is open is the same for all programs of a home, whoever opened or ended it, and whenever they look", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const dir = await temporaryHome();
      let ids = 0;
      const open = () => createFileHistory({ dir, newId: () => String(++ids), hash: () => "h" }).at("http://x.test");
      const programs = [open(), open()];
      const expected = new Map<string, boolean>();
      for (const { by, id, do: what } of steps) {
        const history = programs[by]!;
        const isOver = what === "end" || expected.get(id) === true; // an end is final
        if (what !== "look") {
          await history.put(record(id, isOver));
          expected.set(id, isOver);
        }
        const left = [...expected].filter(([, over]) => !over).map(([name]) => name);
        expect((await history.listOpen()).map((it) => it.negotiation_id).sort()).toEqual(left.sort());
        expect((await history.list()).length).toBe(expected.size);
      }
    }),
    { numRuns: 60 },
  );
});

const at = fc.constantFrom("http://a.test", "http://b.test");
const did = fc.record({
  at,
  id: fc.constantFrom("neg_1", "neg_2", "an id/with ../ signs"),
  do: fc.constantFrom("put", "end", "decide", "release"),
  by: fc.constantFrom("accept", "reject"),
});

it("two backends that hand out the same ids: each has its own records and decisions, those of older files too", async () => {
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const old = fc.constantFrom(undefined, "http://a.test", "http://b.test");
  await fc.assert(
    fc.asyncProperty(fc.array(did, { maxLength: 20 }), old, async (steps, origin) => {
      const dir = join(await temporaryHome(), "history");
      const files = createFileHistory({ dir, newId: nanoid, hash });
      const records = new Map<string, boolean>();
      const decisions = new Map<string, string>();
      if (origin !== undefined) {
        mkdirSync(dir);
        writeFileSync(join(dir, "neg_1.json"), JSON.stringify({ ...record("neg_1", false), origin }));
        records.set(`${origin} neg_1`, false);
      }
      for (const step of steps) {
        const key = `${step.at} ${step.id}`;
        const history = files.at(step.at);
        const owner = { instance: "i", pid: 1 };
        if (step.do === "put" || step.do === "end") {
          const ended = step.do === "end" || records.get(key) === true;
          await history.put({ ...record(step.id, ended), origin: step.at });
          records.set(key, ended);
        } else if (step.do === "decide") {
          const { won } = await history.decide(step.id, { kind: step.by as "accept", by: "page", at: 1, owner });
          expect(won).toBe(!decisions.has(key));
          if (won) decisions.set(key, step.by);
        } else {
          await history.release(step.id);
          decisions.delete(key);
        }
        for (const where of ["http://a.test", "http://b.test"]) {
          const own = [...records].filter(([name]) => name.startsWith(where));
          const open = own.filter(([, ended]) => !ended).map(([name]) => name.slice(where.length + 1));
          const seen = files.at(where);
          expect((await seen.listOpen()).map((it) => it.negotiation_id).sort()).toEqual(open.sort());
          expect((await seen.list()).length).toBe(own.length);
          for (const id of ["neg_1", "neg_2", "an id/with ../ signs"]) {
            expect((await seen.get(id))?.origin).toBe(records.has(`${where} ${id}`) ? where : undefined);
            expect((await seen.decision(id))?.kind).toBe(decisions.get(`${where} ${id}`));
          }
        }
      }
      for (const name of existsSync(dir) ? readdirSync(dir) : []) expect(name).toMatch(/^[\w@-]+\.(json|decision)$/);
    }),
    { numRuns: 40 },
  );
}, 60_000);
