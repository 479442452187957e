// Takes each client to the plan, in a terminal and for real: what stops its person on the way, how the profile and the
// text are put to them, what putting it off means, and what a run without a person does. Run: npm run check:journeys
// [-- --bin <folder with the clients' commands>] [--only <client>] [--kind <journey>] [--save]; without --bin the clients
// come from npm, --save puts the table into docs/clients.md. Needs tmux and chromium; it takes about ten minutes.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { between } from "../docs/generate/markdown.ts";
import { travelByAppServer } from "./journeys/app-server.ts";
import type { DrivenClient } from "./journeys/client.ts";
import { claude } from "./journeys/clients/claude.ts";
import { cline } from "./journeys/clients/cline.ts";
import { codex } from "./journeys/clients/codex.ts";
import { copilot } from "./journeys/clients/copilot.ts";
import { gemini } from "./journeys/clients/gemini.ts";
import { opencode } from "./journeys/clients/opencode.ts";
import { type Journey, KINDS, type Kind, travel } from "./journeys/journey.ts";
import { clientPrograms } from "./journeys/programs.ts";
import { arrived, failures, journeysTable, type Travelled } from "./journeys/table.ts";

type Driven = Pick<DrivenClient, "id" | "title" | "npm"> & { go: (kind: Kind, bin: string) => Promise<Journey> };

const inTerminal = (client: DrivenClient): Driven => ({ ...client, go: (kind, bin) => travel(client, kind, bin) });
const byAppServer: Driven = { ...codex, id: "app-server", title: "Codex app server", go: travelByAppServer };
const CLIENTS = [claude, codex].map(inTerminal).concat(byAppServer, [copilot, gemini, opencode, cline].map(inTerminal));

const { values } = parseArgs({
  options: { bin: { type: "string" }, only: { type: "string" }, kind: { type: "string" }, save: { type: "boolean" } },
});
const chosen = CLIENTS.filter(({ id }) => !values.only || values.only.split(",").includes(id));
const kinds = KINDS.filter((kind) => !values.kind || values.kind.split(",").includes(kind));
const programs = await clientPrograms([...new Set(chosen.map(({ npm }) => npm))], values.bin);
const seen = chosen.map(({ title, npm }): Travelled => ({ title, version: programs.versionOf(npm), journeys: {} }));

const LANES = 2;

/** Keys are lost on a machine that is busy enough, so each journey has two tries. */
async function made(client: Driven, kind: Kind): Promise<Journey> {
  const journey = await client.go(kind, programs.bin).catch(() => undefined);
  return journey !== undefined && arrived(kind, journey) ? journey : client.go(kind, programs.bin);
}

/** Most of a journey is waiting, so two are made at a time. */
async function lane(start: number): Promise<void> {
  for (let i = start; i < chosen.length; i += LANES)
    for (const kind of kinds) {
      const journey = await made(chosen[i]!, kind);
      seen[i]!.journeys[kind] = journey;
      const stops = journey.stops.map(({ row, shows, keys }) => `  ${row}: ${shows} (${keys})\n`);
      const head = `${seen[i]!.title}, ${kind}: ${journey.outcome}, ${journey.seconds.toFixed(0)} s\n`;
      process.stdout.write(`${head}${stops.join("")}`);
    }
}
try {
  await Promise.all(Array.from({ length: LANES }, (_, start) => lane(start)));
} finally {
  await programs.close();
}
const table = journeysTable(seen);
const failed = kinds.length === KINDS.length ? failures(seen) : [];
process.stdout.write(`\n${table}\n`);
for (const failure of failed) process.stderr.write(`FAILED ${failure}\n`);
if (values.save && failed.length === 0) {
  const page = new URL("../docs/clients.md", import.meta.url);
  const dated = `On ${new Date().toISOString().slice(0, 10)}:\n\n${table}`;
  writeFileSync(page, between(readFileSync(page, "utf8"), "journeys", dated));
}
process.exitCode = failed.length === 0 ? 0 : 1;
