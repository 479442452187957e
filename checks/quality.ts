// The gate over everything that clients see: the surface of both protocol eras beside its snapshot, results against the
// schemas that tools declare, the endpoint's boundary, what each address takes in bytes, and the evaluation set: 25
// tasks that an agent should do by tools alone, run mechanically.
// Run: node checks/quality.ts. --update writes the snapshot. stdout holds one JSON and nothing else, whatever happens; a
// step that failed holds the end of what it said. Exit status 1 where one did.
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { options, ROOT } from "./harness.ts";
import { boundaryOf } from "./quality/boundary.ts";
import {
  addressesFor,
  changedIn,
  createStand,
  different,
  printsOf,
  SNAPSHOT,
  type Stand,
  validated,
} from "./quality/stand.ts";
import { type Gate, gateOf, Steps } from "./quality/steps.ts";
import { readAll, surfaceOf } from "./quality/surface.ts";
import { evaluate } from "./quality/tasks.ts";

const gate = await checked(options(process.argv.slice(2), { update: false }));
process.stdout.write(`${JSON.stringify(gate, null, 1)}\n`);
process.exit(gate.ok ? 0 : 1); // what was killed or hangs waits for ever

async function checked({ update }: { update: boolean }): Promise<Gate> {
  const steps = new Steps();
  const isBuilt = await steps.take("build", async () => {
    const { status, stdout, stderr } = spawnSync("npm", ["run", "build", "--silent"], { cwd: ROOT, encoding: "utf8" });
    return { ok: status === 0, said: `${stdout}${stderr}` };
  });
  const stand = isBuilt ? await steps.value("stand", createStand) : undefined;
  if (stand === undefined) return gateOf(steps);
  await takeAll(steps, stand, update);
  await stand.close();
  return gateOf(steps);
}

/** Each is taken whatever became of the others. */
async function takeAll(steps: Steps, stand: Stand, update: boolean): Promise<void> {
  const { world, client, old } = stand;
  await steps.take("evaluation", async () => {
    const tasks = await evaluate(stand);
    const passed = tasks.filter(({ found }) => found).length;
    const tokens = tasks.reduce((sum, { tokens }) => sum + tokens, 0);
    return { ok: passed === tasks.length, result: { passed, of: tasks.length, tokens, tasks } };
  });
  await steps.take("surface", async () => {
    const eras = { "2025": await surfaceOf(old), "2026": await surfaceOf(client) };
    if (update) await writeFile(SNAPSHOT, `${JSON.stringify(printsOf(eras["2026"]), null, 2)}\n`);
    const changed = await changedIn(eras["2026"]);
    const differsBetweenEras = different(eras["2025"], eras["2026"]);
    const capabilities = { "2025": eras["2025"].capabilities, "2026": eras["2026"].capabilities };
    const listed = Object.keys(eras["2026"].listed).length;
    return {
      ok: changed.length + differsBetweenEras.length === 0,
      result: { listed, changed, differsBetweenEras, capabilities },
    };
  });
  await steps.take("reads", async () => {
    await readAll(old, await addressesFor(old, stand));
    return { ok: true, result: { sizes: await readAll(client, await addressesFor(client, stand)) } };
  });
  await steps.take("schemas", async () => {
    const result = await validated(old, await addressesFor(old, stand));
    return { ok: result.failed.length === 0, result };
  });
  await steps.take("boundary", async () => {
    const result = await boundaryOf(world);
    return { ok: result.every(({ expected, answered }) => expected === answered), result };
  });
}
