// The gate over everything that clients see, as one JSON: the surface of both protocol eras beside its snapshot,
// results against the schemas that tools declare, the endpoint's boundary, what each address takes in bytes, and the
// evaluation set: 25 tasks that an agent should do by tools alone, run mechanically.
// Run: node checks/quality.ts. --update writes the snapshot.
import { writeFile } from "node:fs/promises";
import { build, type Found, only, options } from "./harness.ts";
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
import { readAll, surfaceOf } from "./quality/surface.ts";
import { evaluate } from "./quality/tasks.ts";

build();
await only(async (args) => {
  const stand = await createStand();
  try {
    return await checked(stand, options(args, { update: false }));
  } finally {
    await stand.close();
  }
});

async function checked(stand: Stand, { update }: { update: boolean }): Promise<Found> {
  const { world, client, old } = stand;
  const evaluation = await evaluate(stand);
  const [addresses, oldAddresses] = [await addressesFor(client, stand), await addressesFor(old, stand)];
  const eras = { "2025": await surfaceOf(old), "2026": await surfaceOf(client) };
  await readAll(old, oldAddresses);
  const sizes = await readAll(client, addresses);
  if (update) await writeFile(SNAPSHOT, `${JSON.stringify(printsOf(eras["2026"]), null, 2)}\n`);
  const result = {
    surface: {
      changed: await changedIn(eras["2026"]),
      differsBetweenEras: different(eras["2025"], eras["2026"]),
      capabilities: { "2025": eras["2025"].capabilities, "2026": eras["2026"].capabilities },
      listed: Object.keys(eras["2026"].listed).length,
      read: Object.keys(sizes).length,
    },
    schemas: await validated(old, oldAddresses),
    boundary: await boundaryOf(world),
    sizes,
    evaluation: {
      passed: evaluation.filter(({ found }) => found).length,
      of: evaluation.length,
      tokens: evaluation.reduce((sum, { tokens }) => sum + tokens, 0),
      tasks: evaluation,
    },
  };
  process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
  const { surface, schemas, boundary } = result;
  const { passed, of } = result.evaluation;
  const open = boundary.filter(({ expected, answered }) => expected !== answered).length;
  const [changed, differs, unlike] = [surface.changed, surface.differsBetweenEras, schemas.failed].map(
    (it) => it.length,
  );
  return {
    ok: [changed, differs, unlike, open].every((n) => n === 0) && passed === of,
    line: `${surface.listed} listed, ${changed} changed, ${differs} not alike in both eras, ${unlike} against their schemas, ${open} past the boundary, ${passed} of ${of} tasks`,
  };
}
