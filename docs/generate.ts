// Writes the pages and tables that follow from the code: `node docs/generate.ts`. With `--check` it writes nothing and
// fails when one of them is stale.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { costChart } from "./charts.ts";
import { messagesTable, relayErrorsTable, roomToolsTable } from "./generate/agents.ts";
import { surfacesTable, waysTable } from "./generate/clients.ts";
import { commandsPart, serveTable } from "./generate/commands.ts";
import { whereAsked, whoHasItDone, whoSaysYes } from "./generate/confirmation.ts";
import { errorsPage } from "./generate/errors.ts";
import { metricsTable, refusalsTable } from "./generate/http.ts";
import { between, ROOT } from "./generate/markdown.ts";
import { configTable, toolsPage } from "./generate/tools.ts";

/** Every generated file as it should be. */
export function generated(): Map<string, string> {
  const files = new Map([
    ["docs/errors.md", errorsPage()],
    ["docs/tools.md", toolsPage()],
    ["docs/images/cost.svg", costChart()],
  ]);
  const cli = readFileSync(new URL("docs/cli.md", ROOT), "utf8");
  const clients = readFileSync(new URL("docs/clients.md", ROOT), "utf8");
  files.set("docs/clients.md", between(between(clients, "surfaces", surfacesTable()), "ways", waysTable()));
  files.set("docs/cli.md", between(cli, "commands", commandsPart()));
  const http = readFileSync(new URL("docs/http.md", ROOT), "utf8");
  const parts = { options: serveTable(), refusals: refusalsTable(), metrics: metricsTable() };
  files.set(
    "docs/http.md",
    Object.entries(parts).reduce((page, [name, part]) => between(page, name, part), http),
  );
  const agents = readFileSync(new URL("docs/agents.md", ROOT), "utf8");
  const tables = { "room-tools": roomToolsTable(), messages: messagesTable(), "relay-errors": relayErrorsTable() };
  files.set(
    "docs/agents.md",
    Object.entries(tables).reduce((page, [name, part]) => between(page, name, part), agents),
  );
  const confirmation = readFileSync(new URL("docs/confirmation.md", ROOT), "utf8");
  const asked = { "who-says-yes": whoSaysYes(), "who-has-it-done": whoHasItDone(), "where-asked": whereAsked() };
  files.set(
    "docs/confirmation.md",
    Object.entries(asked).reduce((page, [name, part]) => between(page, name, part), confirmation),
  );
  const configuration = readFileSync(new URL("docs/configuration.md", ROOT), "utf8");
  files.set("docs/configuration.md", between(configuration, "config", configTable()));
  return files;
}

/** The generated files that are not as they should be. */
export const stale = (): string[] =>
  [...generated()]
    .filter(([file, text]) => !existsSync(new URL(file, ROOT)) || readFileSync(new URL(file, ROOT), "utf8") !== text)
    .map(([file]) => file);

if (import.meta.main) {
  const outdated = stale();
  if (process.argv.includes("--check")) {
    for (const file of outdated) process.stderr.write(`${file} is stale: run node docs/generate.ts\n`);
    process.exitCode = outdated.length > 0 ? 1 : 0;
  } else for (const [file, text] of generated()) if (outdated.includes(file)) writeFileSync(new URL(file, ROOT), text);
}
