// Real clients, with a script for their model and somebody who presses the keys, clicks and types.
// Run: node checks/clients.ts [setup [--save] | reads [--bin <folder>] | calls [--bin <folder with claude>] [--save]
// | journeys [--bin <folder>] [--only <client>] [--kind <journey>] [--save]
// | captures [--bin <folder with claude>] [--only <scene>] [--lang en|zh] [--save]
// | first-plan [--claude <program>] [--lang en|zh] [--save]]
// Without --bin or --claude the client comes from npm. --save puts what was seen into docs. Needs tmux and chromium.
import { build, run } from "./harness.ts";

build();
await run({
  setup: () => import("./clients/setup.ts"),
  reads: () => import("./clients/reads.ts"),
  calls: () => import("./clients/calls.ts"),
  journeys: () => import("./clients/journeys.ts"),
  captures: () => import("./clients/captures.ts"),
  "first-plan": () => import("./clients/first-plan.ts"),
});
