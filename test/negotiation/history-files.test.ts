import fc from "fast-check";
import { expect, it } from "vitest";
import { createFileHistory } from "../../src/negotiation/history-files.ts";
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
