// What others know of what this is made of, and whether the addresses outside still answer (network).
// Run: node checks/audit.ts [packages | links]
import { run } from "./harness.ts";

await run({
  packages: () => import("./audit/packages.ts"),
  links: () => import("./audit/links.ts"),
});
