// What the server costs a model: bytes of `tools/list` in each mode, and of typical results in each channel.
// Run: npm run bench:cost -- --before <git revision>. Without a revision it measures this tree alone. The table on
// docs/cost.md is what it printed; an earlier revision is built in a worktree of its own, which is removed again.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createMockBackend } from "../mock-backend/main.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const CALM_MS = 200;
const RESUME =
  "Lin Yue, product designer. Ten years in hospital software: queues, triage boards, patient apps. Figma, research, service design. Looking for people who want to build something small and useful.";
const SCENE = "Indie product studio";
const INTENT = "I need a product designer for a hospital queue pilot";

interface Cost {
  structured: number;
  text: number;
}
type Figures = Map<string, number | Cost>;

const bytes = (value: unknown): number =>
  Buffer.byteLength(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** A client of the program in `root`, on a home of its own, in one mode. */
async function connect(root: string, home: string, backendUrl: string, mode: string): Promise<Client> {
  const client = new Client({ name: "cost", version: "1" }, { capabilities: {} });
  const env = { PATH: process.env.PATH ?? "", TOWOW_HOME: home, TOWOW_BACKEND_URL: backendUrl, TOWOW_MODE: mode };
  const args = [join(root, "dist/cli.js")];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: { ...env, TOWOW_LANG: "en" }, stderr: "ignore" }),
  );
  return client;
}

async function lists(client: Client, mode: string, figures: Figures): Promise<void> {
  const { tools } = await client.listTools();
  figures.set(`\`tools/list\`, ${mode}, ${tools.length} tools`, bytes({ tools }));
  figures.set(
    `\`tools/list\`, ${mode}, without output schemas`,
    bytes({ tools: tools.map(({ outputSchema: _, ...tool }) => tool) }),
  );
}

function renamed(figures: Figures, from: string, to: string): void {
  const figure = figures.get(from);
  figures.delete(from);
  if (figure !== undefined) figures.set(to, figure);
}

/** Typical results, in the order in which a session meets them. `another` connects a second client of the same home. */
async function results(
  client: Client,
  another: () => Promise<Client>,
  mock: ReturnType<typeof createMockBackend>,
  figures: Figures,
): Promise<void> {
  const callOn = async (on: Client, name: string, args: Record<string, unknown>, as?: string) => {
    const { content, structuredContent } = await on.callTool({ name, arguments: args });
    const [first] = content as { text?: string }[];
    if (as !== undefined) figures.set(as, { structured: bytes(structuredContent), text: bytes(first?.text ?? "") });
    // biome-ignore lint/suspicious/noExplicitAny: this file knows the data of the tools it calls
    return (structuredContent as any).data;
  };
  const call = (name: string, args: Record<string, unknown>, as?: string) => callOn(client, name, args, as);
  const scene = mock.scenes().find(({ name }) => name === SCENE)?.scene_id ?? "";
  await call("towow_list_scenes", {}, `list of ${mock.scenes().length} scenes`);
  await call("towow_join", { scene, raw_content: RESUME }, "join: the guiding prompt");
  const profile_data = { skills: ["product design", "research", "figma"], bio: RESUME.slice(0, 200) };
  const joining = { scene, display_name: "Lin", profile_data };
  const shown = await call("towow_join", joining, "join: the profile to show");
  const profile_hash = shown.profile_hash ?? shown.resume_with?.params.profile_hash; // an earlier revision gave it there
  if (profile_hash) await call("towow_join", { ...joining, profile_hash }, "join: joined");
  else renamed(figures, "join: the profile to show", "join: joined"); // an earlier revision joined at once
  const pause = await call("towow_demand", { intent: INTENT, scene_id: scene }, "demand: the pause");
  await call("towow_demand", { ...pause.resume_with.params, decision: "accept" }, "demand: confirmed");
  const { negotiation_id } = pause;
  let done = await call("towow_status", { negotiation_id, wait: "done" });
  for (let look = 0; done.state !== "completed" && look < 20; look++)
    done = await call("towow_status", { negotiation_id, wait: "done" });
  const participants = mock.negotiations()[0]?.participants ?? [];
  // Each status as the first of a session: a later one gives only what is new.
  const status = async (as: string) => {
    const other = await another();
    await callOn(other, "towow_status", { negotiation_id }, as);
    await other.close();
  };
  await status(`status: the plan, offers: ${participants.length}`);
  // The same negotiation as it looked halfway: no plan yet, one offer missing.
  const [first, ...others] = participants;
  const { offer_content: _, offer_capabilities: __, ...waiting } = first ?? {};
  mock.engine.patch(negotiation_id, {
    state: "offering",
    plan_output: null,
    center_rounds: 0,
    participants: [{ ...waiting, state: "active" } as never, ...others],
  });
  await status("status: offering, one offer missing");
}

async function measure(root: string): Promise<Figures> {
  const figures: Figures = new Map();
  const home = await mkdtemp(join(tmpdir(), "towow-cost-"));
  const mock = createMockBackend({ stepMs: CALM_MS, seed: 7 });
  const { url } = await mock.listen();
  try {
    for (const mode of ["normal", "developer"]) {
      const another = () => connect(root, home, url, mode);
      const client = await another();
      await lists(client, mode, figures);
      if (mode === "developer") await results(client, another, mock, figures);
      await client.close();
    }
  } finally {
    await mock.close();
    await rm(home, { recursive: true, force: true });
  }
  return figures;
}

/** An earlier revision, built beside this one with the packages that are installed here. */
async function measureAt(revision: string): Promise<Figures> {
  const parent = await mkdtemp(join(tmpdir(), "towow-cost-tree-"));
  const tree = join(parent, "tree");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  git("worktree", "add", "--detach", tree, revision);
  try {
    await symlink(join(ROOT, "node_modules"), join(tree, "node_modules"));
    execFileSync(process.execPath, ["build/main.mjs"], { cwd: tree, stdio: ["ignore", "ignore", "inherit"] });
    return await measure(tree);
  } finally {
    git("worktree", "remove", "--force", tree);
    await rm(parent, { recursive: true, force: true });
  }
}

const number = (n: number | undefined): string => (n === undefined ? "–" : n.toLocaleString("en"));
const shown = (figure: number | Cost | undefined): string =>
  typeof figure === "object" ? `${number(figure.structured)} / ${number(figure.text)}` : number(figure);
const total = (figure: number | Cost): number => (typeof figure === "object" ? figure.structured : figure);

function change(before: number | Cost | undefined, now: number | Cost): string {
  if (before === undefined) return "–";
  const percent = Math.round((total(now) / total(before) - 1) * 100);
  return `${percent > 0 ? "+" : ""}${percent} %`;
}

function table(now: Figures, before: Figures | undefined, revision: string): string {
  const head = before === undefined ? ["Bytes", "now"] : ["Bytes", revision, "now", "change"];
  const rows = [...now].map(([what, figure]) =>
    before === undefined
      ? [what, shown(figure)]
      : [what, shown(before.get(what)), shown(figure), change(before.get(what), figure)],
  );
  return [head, head.map((_, i) => (i === 0 ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

const { before: revision } = parseArgs({ options: { before: { type: "string" } } }).values;
if (!existsSync(join(ROOT, "dist/cli.js"))) throw new Error("npm run build first");
const before = revision === undefined ? undefined : await measureAt(revision);
process.stdout.write(`${table(await measure(ROOT), before, revision ?? "")}\n`);
process.stdout.write("\nResults: structuredContent / text. The change of a result is that of its structuredContent.\n");
