// Prints the bill of materials (CycloneDX) of what is published: the packages that went into the bundle in dist/.
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const licences = await readFile(new URL("../dist/LICENSES.txt", import.meta.url), "utf8");
const bundled = new Set(
  [...licences.matchAll(/^(\S+) (\d\S+) \(\S+\)$/gm)].map(([, name, version]) => `${name}@${version}`),
);

const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
const { stdout, stderr, status } = spawnSync("npm", args, { cwd: join(import.meta.dirname, ".."), encoding: "utf8" });
if (status !== 0) throw new Error(stderr);
const bill = JSON.parse(stdout);

// To npm, what is bundled is needed for the development only; to those who run the bundle it is part of the program.
const components = bill.components
  .filter(({ name, version }) => bundled.has(`${name}@${version}`))
  .map(({ properties, scope: _, ...component }) => ({
    ...component,
    properties: properties?.filter(({ name }) => name !== "cdx:npm:package:development"),
  }));
const kept = new Set([bill.metadata.component["bom-ref"], ...components.map((component) => component["bom-ref"])]);
const dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((it) => kept.has(it)) }));
process.stdout.write(`${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`);
