import { afterAll, beforeAll, expect, it } from "vitest";
import { boundaryOf } from "../../checks/quality/boundary.ts";
import { addressesFor, changedIn, createStand, different, type Stand, validated } from "../../checks/quality/stand.ts";
import { readAll, surfaceOf } from "../../checks/quality/surface.ts";
import { evaluate, TASKS } from "../../checks/quality/tasks.ts";

let stand: Stand;
beforeAll(async () => {
  stand = await createStand();
});
afterAll(() => stand.close());

it("what clients list is what checks/quality/surface.json holds (`node checks/quality.ts --update` takes a change over)", async () => {
  expect(await changedIn(await surfaceOf(stand.client))).toEqual([]);
});

it("clients of both eras are told the same names", async () => {
  expect(different(await surfaceOf(stand.old), await surfaceOf(stand.client))).toEqual([]);
});

it("everything that is listed can be read, by clients of both eras", async () => {
  const read = async (client: Stand["client"] | Stand["old"]) =>
    Object.keys(await readAll(client, await addressesFor(client, stand)));
  const names = await read(stand.client);
  expect(await read(stand.old)).toEqual(names);
  expect(names.length).toBeGreaterThan(30);
});

it("results are what their tools' schemas declare", async () => {
  expect((await validated(stand.old, await addressesFor(stand.old, stand))).failed).toEqual([]);
});

it("the endpoint answers what it should not get with the status that it promises", async () => {
  for (const { sent, expected, answered } of await boundaryOf(stand.world)) expect(answered, sent).toBe(expected);
});

it("an agent does each task by tools alone", async () => {
  const outcomes = await evaluate(stand);
  expect(outcomes.filter(({ found }) => !found).map(({ wanted }) => wanted)).toEqual([]);
  expect(outcomes).toHaveLength(TASKS.length);
});
