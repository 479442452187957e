// Takes each client to the plan, in a terminal and for real: what stops its person on the way, how the profile and the
// text are put to them, what putting it off means, what a run without a person does, and how a second demand is decided
// on once others' text was read. Clients without a surface, agents of one's own around a library and programs that start
// the server for each call go that last way alone. Two are made at a time; all take about twenty minutes.
// Run: node checks/clients.ts journeys [--bin <folder with the clients' commands>] [--only <client>] [--kind <journey>]
// [--save]; --save puts the tables into docs/clients.md.
import { readFileSync, writeFileSync } from "node:fs";
import { between } from "../../docs/generate/markdown.ts";
import { counted, type Found, options } from "../harness.ts";
import { travelByAppServer } from "./journeys/app-server.ts";
import { type Caller, callers, travelByCalls } from "./journeys/calls.ts";
import type { DrivenClient } from "./journeys/client.ts";
import { claude } from "./journeys/clients/claude.ts";
import { cline } from "./journeys/clients/cline.ts";
import { codex } from "./journeys/clients/codex.ts";
import { continueCli } from "./journeys/clients/continue.ts";
import { copilot } from "./journeys/clients/copilot.ts";
import { gemini } from "./journeys/clients/gemini.ts";
import { kilo } from "./journeys/clients/kilo.ts";
import { nanocoder } from "./journeys/clients/nanocoder.ts";
import { opencode } from "./journeys/clients/opencode.ts";
import { qwen } from "./journeys/clients/qwen.ts";
import { sdks } from "./journeys/clients/sdks.ts";
import { type Journey, KINDS, type Kind, travel } from "./journeys/journey.ts";
import { clientPrograms } from "./journeys/programs.ts";
import { arrived, failures, journeysTable, missionsTable, type Travelled } from "./journeys/table.ts";

type Driven = Pick<DrivenClient, "id" | "title" | "npm" | "beside"> & {
  kinds: readonly Kind[];
  go: (kind: Kind, bin: string) => Promise<Journey>;
};

const SECOND: readonly Kind[] = ["second"];
const inTerminal =
  (kinds: readonly Kind[]) =>
  (client: DrivenClient): Driven => ({
    ...client,
    kinds,
    go: (kind, bin) => travel(client, kind, bin),
  });
const byAppServer: Driven = {
  ...codex,
  id: "app-server",
  title: "Codex app server",
  kinds: KINDS,
  go: travelByAppServer,
};
const byCalls = (caller: Caller): Driven => ({
  ...caller,
  kinds: SECOND,
  go: (kind, bin) => travelByCalls(caller, kind, bin),
});
const CLIENTS = [
  ...[claude, codex].map(inTerminal(KINDS)),
  byAppServer,
  ...[copilot, gemini, opencode, cline].map(inTerminal(KINDS)),
  ...[qwen, kilo, continueCli, nanocoder, ...sdks].map(inTerminal(SECOND)),
  ...callers.map(byCalls),
];

const LANES = 2;

export default async function journeys(args: string[]): Promise<Found> {
  const given = options(args, { bin: "", only: "", kind: "", save: false });
  const chosen = CLIENTS.filter(({ id }) => !given.only || given.only.split(",").includes(id));
  const kinds = KINDS.filter((kind) => !given.kind || given.kind.split(",").includes(kind));
  const kindsOf = (client: Driven) => kinds.filter((kind) => client.kinds.includes(kind));
  const packages = chosen.flatMap(({ npm, beside = [] }) => [npm, ...beside]);
  const programs = await clientPrograms([...new Set(packages)], given.bin || undefined);
  const seen = chosen.map(({ title, npm }): Travelled => ({ title, version: programs.versionOf(npm), journeys: {} }));

  /** Keys are lost on a machine that is busy enough, so each journey has two tries. */
  async function made(client: Driven, kind: Kind): Promise<Journey | undefined> {
    const once = () =>
      client.go(kind, programs.bin).catch((error) => void process.stderr.write(`${client.title}, ${kind}: ${error}\n`));
    const journey = await once();
    return arrived(kind, journey ?? undefined) ? journey! : ((await once()) ?? undefined);
  }

  /** Most of a journey is waiting, so two are made at a time. */
  async function lane(start: number): Promise<void> {
    for (let i = start; i < chosen.length; i += LANES)
      for (const kind of kindsOf(chosen[i]!)) {
        const journey = await made(chosen[i]!, kind);
        if (journey === undefined) continue;
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
  const failed = seen.flatMap((client, at) => failures(client, kindsOf(chosen[at]!)));
  for (const failure of failed) process.stderr.write(`FAILED ${failure}\n`);
  const isWhole = given.only === "" && failed.length === 0;
  const page = new URL("../../docs/clients.md", import.meta.url);

  /** Prints a table of the clients that went these ways, and puts it into the page. */
  function tell(name: string, needs: readonly Kind[], tableOf: (clients: readonly Travelled[]) => string): void {
    const travelled = seen.filter((_, at) => needs.every((kind) => kindsOf(chosen[at]!).includes(kind)));
    if (travelled.length === 0) return;
    const table = tableOf(travelled);
    process.stdout.write(`\n${table}\n`);
    if (!given.save || !isWhole) return;
    const dated = `On ${new Date().toISOString().slice(0, 10)}:\n\n${table}`;
    writeFileSync(page, between(readFileSync(page, "utf8"), name, dated));
  }
  tell("journeys", ["plan", "long", "later", "headless"], journeysTable);
  tell("missions", SECOND, missionsTable);
  const went = seen.reduce((sum, { journeys }) => sum + Object.keys(journeys).length, 0);
  return {
    ok: failed.length === 0,
    line: `${counted(seen.length, "client")}, ${counted(went, "journey")}, ${counted(failed.length, "failure")}`,
  };
}
