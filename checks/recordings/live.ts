import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { build, type Check, counted, options } from "../harness.ts";
import { call, legacy } from "../quality/program.ts";
import { recordingProxy } from "./proxy.ts";
import { problemsOf } from "./recording.ts";

/** What is asked of a live backend: it is read, and nothing is ever sent to it but a request for a token. */
const CALLS = [
  ["towow_list_scenes", () => ({})],
  ["towow_list_agents", (scene_id: string) => ({ scene_id })],
  ["towow_get_negotiation", () => ({ negotiation_id: "neg_000000000000" })],
] as const;

/** Ends that such a backend may give: one that cannot list, and an id that nobody has. */
const EXPECTED = ["tool.backend.unavailable.route_missing", "tool.negotiation.not_found.unknown_negotiation"];

/** A live smoke (seed 001): dry unless --yes-live, with what was spent before and after. */
const live: Check = async (args) => {
  const { of, to, "yes-live": isLive } = options(args, { of: "", to: "", "yes-live": false });
  if (of === "") return { ok: false, line: "--of <backend url> [--yes-live] [--to <folder>]" };
  const names = CALLS.map(([name]) => name).join(", ");
  if (!isLive) return { ok: true, line: `dry: with --yes-live it would call ${names} at ${new URL(of).host}` };
  build();
  return smoke(of, to);
};
export default live;

/** `to`: where the recordings stay; "" for nowhere. */
export async function smoke(of: string, to: string) {
  const home = await mkdtemp(join(tmpdir(), "towow-live-"));
  const folder = to === "" ? join(home, "recordings") : to;
  const proxy = await recordingProxy({ of, to: folder, name: "live" });
  const client = await legacy({ home, url: proxy.url }, ["--toolset", "all", "--profile", "read_only"]);
  try {
    const spent = async () => {
      const { contents } = await client.readResource({ uri: "towow://policy" });
      return JSON.parse((contents[0] as { text: string }).text).used;
    };
    const before = await spent();
    const ends: string[] = [];
    let scene = "";
    for (const [name, argsOf] of CALLS) {
      if (name === "towow_list_agents" && scene === "") continue;
      const { result } = await call(client, name, argsOf(scene));
      ends.push(result.error?.code ?? "ok");
      if (name === "towow_list_scenes") scene = firstScene(result.data);
    }
    const recorded = await Promise.all(
      (await readdir(folder))
        .sort(byCodeUnits)
        .map(async (file) => JSON.parse(await readFile(join(folder, file), "utf8"))),
    );
    const unclean = recorded.flatMap(problemsOf);
    const strange = ends.filter((end) => end !== "ok" && !EXPECTED.includes(end));
    const said = JSON.stringify({ before, after: await spent(), ends, recordings: recorded.length, unclean });
    return { ok: unclean.length + strange.length === 0, line: `${counted(recorded.length, "exchange")}: ${said}` };
  } finally {
    await client.close();
    await proxy.close();
    await rm(home, { recursive: true, force: true });
  }
}

const firstScene = (data: unknown): string =>
  (data as { scenes?: { scene_id: string }[] } | null)?.scenes?.[0]?.scene_id ?? "";
