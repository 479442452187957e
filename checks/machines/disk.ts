// The built server on a home whose disk is full or read-only: a tmpfs of half a megabyte, which only root can mount.
// As root: node checks/machines.ts disk [--rounds 60 --seed 1]

import { type ChildProcess, execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createMockBackend, type MockBackend } from "../../mock-backend/main.ts";
import { Dice } from "../../test/faults/sim.ts";
import { sendProfile } from "../../test/support/profile.ts";
import { CLI, counted, type Found, options, PROFILE, sleep } from "../harness.ts";

const UNWRITABLE = "tool.config.unavailable.home_unwritable";
const violations: string[] = [];
const expect = (holds: boolean, what: string) => void (holds || violations.push(what));

class Disk {
  readonly home = mkdtempSync(join(tmpdir(), "towow-disk-"));
  constructor() {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=512k,mode=700", "tmpfs", this.home]);
  }
  /** Takes all the room there is. */
  fill(): void {
    for (const size of [65_536, 4_096, 1])
      for (let n = 0; ; n++)
        try {
          writeFileSync(join(this.home, `ballast-${size}-${n}`), Buffer.alloc(size), { flag: "wx" });
        } catch {
          break;
        }
  }
  free(): void {
    for (const name of readdirSync(this.home)) if (name.startsWith("ballast-")) rmSync(join(this.home, name));
  }
  readOnly(): void {
    execFileSync("mount", ["-o", "remount,ro", this.home]);
  }
  files(): string[] {
    const entries = readdirSync(this.home, { recursive: true, withFileTypes: true });
    return entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name));
  }
  /** Every file whole, private, and none left over. */
  check(what: string): void {
    for (const path of this.files().filter((it) => !it.includes("ballast-"))) {
      expect((statSync(path).mode & 0o077) === 0, `${what}: others may read ${path}`);
      expect(!path.includes(".tmp"), `${what}: left over ${path}`);
      if (!/\.(json|decision|attempt)$/.test(path)) continue;
      try {
        JSON.parse(readFileSync(path, "utf8"));
      } catch {
        violations.push(`${what}: does not parse: ${path}`);
      }
    }
  }
  close(): void {
    execFileSync("umount", [this.home]);
    rmSync(this.home, { recursive: true });
  }
}

interface Data {
  resume_with?: { params: Record<string, unknown> };
}
interface World {
  disk: Disk;
  mock: MockBackend;
  call(tool: string, args?: Record<string, unknown>): Promise<{ code: string; data: Data }>;
  /** Ends the server as a client does: its stdin ends. */
  end(): Promise<void>;
  /** Its stdin ends, and nobody kills it. */
  leave(): Promise<void>;
}

async function inWorld(
  name: string,
  scenario: (world: World) => Promise<void>,
  prepare = (_: Disk) => {},
): Promise<void> {
  const disk = new Disk();
  const mock = createMockBackend({ stepMs: 15, seed: 7 });
  const { url } = await mock.listen();
  prepare(disk);
  const client = new Client({ name: "disk", version: "1" });
  let server: ChildProcess | undefined;
  const env = {
    PATH: process.env.PATH ?? "",
    TOWOW_HOME: disk.home,
    TOWOW_BACKEND_URL: url,
    TOWOW_LOG_LEVEL: "silent",
  };
  const transport = new StdioClientTransport({ command: process.execPath, args: [CLI], env });
  await client.connect(transport);
  server = (transport as unknown as { _process: ChildProcess })._process;
  const end = () => client.close();
  try {
    await scenario({
      disk,
      mock,
      async call(tool, args = {}) {
        const { structuredContent } = (await client.callTool({ name: tool, arguments: args })) as never;
        const { status, error, data } = structuredContent as {
          status: string;
          error: { code: string } | null;
          data: never;
        };
        return { code: error?.code ?? status, data };
      },
      end,
      async leave() {
        server?.stdin?.end();
      },
    });
    await client.ping().catch(() => {});
  } catch (error) {
    violations.push(`${name}: ${error}`);
  } finally {
    await end();
    disk.check(name);
    await mock.close();
    disk.close();
  }
}

const joined = ({ call, mock }: World) =>
  sendProfile(call, "towow_join", { scene: mock.scenes()[0]!.scene_id, display_name: "Lin", profile_data: PROFILE });
const undecided = (mock: MockBackend) => mock.negotiations().filter((it) => !it.cancelled && it.confirmedBy !== "user");
const demand = ({ call }: World, intent = "A designer") => call("towow_demand", { intent });

async function scenario(
  name: string,
  run: (world: World) => Promise<void>,
  prepare?: (disk: Disk) => void,
): Promise<void> {
  const before = violations.length;
  await inWorld(name, run, prepare);
  process.stdout.write(`| ${name} | ${violations.length - before} |\n`);
}

export default async function disk(args: string[]): Promise<Found> {
  const { rounds, seed } = options(args, { rounds: 60, seed: 1 });

  await scenario(
    "full from the start",
    async (world) => {
      const { code } = await joined(world);
      expect(code === UNWRITABLE, `full from the start: ${code}`);
      expect(world.mock.negotiations().length === 0, "submitted on a full disk");
    },
    (disk) => disk.fill(),
  );
  await scenario(
    "read-only from the start",
    async (world) => {
      expect((await joined(world)).code === UNWRITABLE, "read-only: joined");
      expect((await demand(world)).code !== "ok", "read-only: demanded");
      expect(
        (await world.call("towow_set_mode", { mode: "developer", persist: false })).code === "ok",
        "read-only: mode",
      );
      expect(world.mock.negotiations().length === 0, "submitted on a read-only disk");
    },
    (disk) => disk.readOnly(),
  );
  await scenario("full at a config write", async (world) => {
    await joined(world);
    const path = join(world.disk.home, "config.json");
    const before = readFileSync(path, "utf8");
    world.disk.fill();
    const { code } = await world.call("towow_set_mode", { mode: "developer" });
    expect(code === UNWRITABLE, `config write: ${code}`);
    expect(readFileSync(path, "utf8") === before, "config write: another content");
  });
  await scenario("full before a submit", async (world) => {
    await joined(world);
    world.disk.fill();
    const { code } = await demand(world);
    expect(code === UNWRITABLE, `submit: ${code}`);
    expect(world.mock.negotiations().length === 0, "submitted on a full disk");
  });
  await scenario("full at a decision", async (world) => {
    await joined(world);
    const { data } = await demand(world);
    const { params } = data.resume_with!;
    world.disk.fill();
    const { code } = await world.call("towow_demand", { ...params, decision: "accept" });
    expect(code === UNWRITABLE, `decision: ${code}`);
    expect(undecided(world.mock).length === 1, "decision: confirmed or withdrawn");
    world.disk.free();
    const again = await world.call("towow_demand", { ...params, decision: "accept" });
    expect(again.code === "ok", `decision, with room again: ${again.code}`);
  });
  for (const decision of ["reject", "cancel"])
    await scenario(`full at a no (${decision})`, async (world) => {
      await joined(world);
      const { params } = (await demand(world)).data.resume_with!;
      world.disk.fill();
      const { code } = await world.call("towow_demand", { ...params, decision });
      expect(code === "ok", `full at ${decision}: ${code}`);
      expect(undecided(world.mock).length === 0, `full at ${decision}: not withdrawn at once`);
    });
  await scenario("full at a no, the backend away, and the client gone", async (world) => {
    await joined(world);
    const { params } = (await demand(world)).data.resume_with!;
    world.disk.fill();
    for (const route of ["get", "action"] as const)
      world.mock.faults.add({ route, kind: "drop_before", times: Number.POSITIVE_INFINITY });
    await world.call("towow_demand", { ...params, decision: "reject" });
    await world.leave();
    await sleep(6_000); // longer than last words take
    expect(undecided(world.mock).length === 1, "withdrawn while the backend was away");
    world.mock.faults.clear();
    await sleep(3_000);
    expect(undecided(world.mock).length === 0, "the no did not arrive");
  });
  await scenario("full at the end", async (world) => {
    await joined(world);
    await demand(world);
    world.disk.fill();
    await world.end();
    await sleep(500);
    expect(undecided(world.mock).length === 0, "left undecided at the end");
  });
  await scenario("full under the log", async (world) => {
    await joined(world);
    world.disk.fill();
    for (let i = 0; i < 300; i++) await world.call("towow_set_mode", { mode: "normal", persist: false });
  });

  const dice = new Dice(seed);
  for (let round = 0; round < rounds; round++) {
    const afterMs = dice.int(0, 120);
    const name = `full at a random moment (round ${round}, after ${afterMs} ms)`;
    const before = violations.length;
    await inWorld(name, async (world) => {
      await joined(world);
      const filled = sleep(afterMs).then(() => world.disk.fill());
      const asked = await demand(world);
      const params = asked.data?.resume_with?.params;
      if (params) await world.call("towow_demand", { ...params, decision: dice.chance(0.5) ? "accept" : "reject" });
      await filled;
      await world.end();
      await sleep(300);
      expect(undecided(world.mock).length === 0, `${name}: left undecided`);
    });
    if (violations.length > before) process.stdout.write(`| ${name} | ${violations.length - before} |\n`);
  }
  for (const violation of violations) process.stdout.write(`${violation}\n`);
  return {
    ok: violations.length === 0,
    line: `${counted(10 + rounds, "disk")}, ${counted(violations.length, "violation")}`,
  };
}
