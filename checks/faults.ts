// What may go wrong, drawn from a seed: faults, people and programs, against what must hold in any case.
// Run: node checks/faults.ts [lives [--runs 2600 --seed 1 --mix <name> --minutes 60 --trace --twice]
// | model [--runs 3000 --seed 1 --only calm] | fuzz [--minutes 10 --seed 1 --only <target>]
// | injections [--shard 1/4 --place "a 404"] | properties [--seeds 30 --first 1]]
import "./faults/read-tsx.ts"; // before a part is loaded, which paints pages
import { build, run } from "./harness.ts";

if (process.send === undefined) build(); // what the fuzz forks runs what its parent has built
await run({
  lives: () => import("./faults/lives.ts"),
  model: () => import("./faults/model.ts"),
  fuzz: () => import("./faults/fuzz.ts"),
  injections: () => import("./faults/injections.ts"),
  properties: () => import("./faults/properties.ts"),
});
