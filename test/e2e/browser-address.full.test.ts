import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { runningMock } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { modernClient } from "../support/clients.ts";
import { buttonIn } from "../support/decision-page.ts";
import { temporaryHome } from "../support/home.ts";
import { rawServer } from "../support/raw-server.ts";

/** What any user of the machine can read of a process: its arguments. What root can: its environment. */

const TOKEN = "tok-4711";

/** A desktop whose opener keeps what it was given. */
async function machine(policy: "strict" | "auto") {
  const mock = await runningMock();
  const base = await temporaryHome();
  const [home, bin, kept] = ["home", "bin", "kept"].map((name) => join(base, name)) as [string, string, string];
  for (const folder of [home, bin, kept]) mkdirSync(folder, { mode: 0o700 });
  const opener = join(bin, "xdg-open");
  writeFileSync(
    opener,
    `#!/bin/sh\necho "$1" >> ${kept}/calls\nenv > ${kept}/env\ncp -p "$1" ${kept}/page || : >${kept}/page\nprintf '%s\\n' "$@" > ${kept}/args.new\nmv ${kept}/args.new ${kept}/args\n`,
  );
  chmodSync(opener, 0o755);
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: base,
    DISPLAY: ":0",
    TOWOW_HOME: home,
    TOWOW_BACKEND_URL: mock.url,
    TOWOW_API_TOKEN: TOKEN,
    TOWOW_CONFIRMATION_POLICY: policy,
    TOWOW_LANG: "en",
    TOWOW_MODE: "developer",
  };
  return { home, kept, mock, env };
}

/** A server under `strict`, where it opens the page itself. */
async function desktop(how: { spawned?: true } = {}) {
  const { home, kept, mock, env: given } = await machine("strict");
  const server = rawServer(given, how);
  await server.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  await expect.poll(() => existsSync(join(kept, "args"))).toBe(true);
  const read = (name: string) => readFileSync(join(kept, name), "utf8");
  return { home, server, mock, args: read("args").trim(), env: read("env"), page: read("page"), kept };
}

/** A yes by a browser that has opened the page. */
async function post(address: string, page: Response, html: string): Promise<number> {
  const cookie = page.headers.get("set-cookie")?.split(";")[0] ?? "";
  const body = new URLSearchParams({ do: buttonIn(html, "broadcast") ?? "withdraw" });
  return (await fetch(`${address}/act`, { method: "POST", headers: { cookie }, body, redirect: "manual" })).status;
}

it("the page's address is in no program's arguments: they name a file that nobody else can read", async () => {
  const { home, server, args, env, page, mock } = await desktop();
  expect(args).not.toMatch(/^https?:/);
  expect(args).toMatch(new RegExp(`^${join(home, "open")}/[\\w-]{16,}\\.html$`));
  expect(statSync(args).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(args)).mode & 0o777).toBe(0o700);
  expect(env).not.toContain(TOKEN);
  expect(env).not.toMatch(/approve/);
  const address = /http-equiv="refresh" content="0; url=(http:\/\/127\.0\.0\.1:\d+\/approve\/[\w-]+\/[\w-]+)"/.exec(
    page,
  )?.[1];
  expect(page).toContain(`<a href="${address}"`);
  expect(page).not.toContain("<script");
  const shown = await fetch(String(address));
  expect(shown.status).toBe(200);
  expect(await shown.text()).toContain(String(mock.negotiations()[0]?.demand_formulated));
  await server.end();
  expect(readdirSync(join(home, "open"))).toEqual([]);
});

it("the address that a client is to open shows a stranger nothing; the person decides in the window that it opens", async () => {
  const { env, kept, mock } = await machine("auto");
  let seen = "";
  /** Another user of the machine, who is first at the address and fills in whatever form is there. */
  const stranger = async (address: string) => {
    const page = await fetch(address);
    seen = await page.text();
    return post(address, page, seen);
  };
  const person = async () => {
    await expect.poll(() => existsSync(join(kept, "args"))).toBe(true);
    const own = /url=(http[^"]+)"/.exec(readFileSync(join(kept, "page"), "utf8"))![1]!;
    const page = await fetch(own);
    expect(await post(own, page, await page.text())).toBe(303);
  };
  const session = await modernClient({ env, pages: true }, async ({ url }) => {
    const refused = await stranger(String(url));
    expect(mock.negotiations()[0]).toMatchObject({ confirmCount: 0 });
    expect(refused).toBe(403);
    await person();
    return { action: "accept" };
  });
  const demand = await session.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  expect(demand.result.data).toMatchObject({ decision: "accept", decided_by: "page" });
  expect(seen).toContain("another browser window");
  expect(seen).not.toContain(String(mock.negotiations()[0]?.demand_formulated));
});

it("an opener that fails, and a browser that reads no hidden folder: nothing is said to be open, no file is left", async () => {
  for (const [opener, settings, home] of [
    ["exit 3", "echo firefox.desktop", "home"],
    ["exit 0", "echo firefox_firefox.desktop", ".towow"],
  ] as const) {
    const base = await temporaryHome();
    const bin = join(base, "bin");
    mkdirSync(bin);
    for (const [name, script] of Object.entries({ "xdg-open": opener, "xdg-settings": settings })) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    const mock = await runningMock();
    const server = rawServer({
      PATH: `${bin}:/usr/bin:/bin`,
      DISPLAY: ":0",
      TOWOW_HOME: join(base, home),
      TOWOW_BACKEND_URL: mock.url,
      TOWOW_CONFIRMATION_POLICY: "strict",
      TOWOW_MODE: "developer",
    });
    const demand = await server.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
    expect(demand.text).not.toMatch(/opened|打开/i);
    expect(existsSync(join(base, home, "open")) ? readdirSync(join(base, home, "open")) : []).toEqual([]);
  }
});

/** A program that says that it was run, in a project that is open. */
function plant(project: string, name: string): string {
  const ran = join(project, "ran");
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), `#!/bin/sh\necho "$0 $*" >> '${ran}'\n`);
  chmodSync(join(project, name), 0o755);
  return ran;
}

it.each([
  ["a relative folder of packages' programs", "node_modules/.bin", () => "./node_modules/.bin"],
  ["an empty entry, which is the working folder", ".", () => ""],
  ["what npx and npm run put there", "node_modules/.bin", (project: string) => join(project, "node_modules/.bin")],
  ["a folder of the project's", "tools", (project: string) => join(project, "tools")],
])("a project's own xdg-open is not started, nor found by the one that is: %s", async (_, folder, entry) => {
  const { env, kept, mock } = await machine("strict");
  const project = await temporaryHome();
  const ran = plant(project, `${folder}/xdg-open`);
  const PATH = `${entry(project)}:${env.PATH}`;
  const server = rawServer({ ...env, PATH }, { cwd: project });
  const demand = await server.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  expect(demand.text).toMatch(/opened/i);
  await expect.poll(() => existsSync(join(kept, "args")) || existsSync(ran)).toBe(true);
  expect(existsSync(ran)).toBe(false);
  const given = readFileSync(join(kept, "env"), "utf8").split("\n");
  expect(given).toContain(`PATH=${env.PATH}`);
  expect(given).toContain("PWD=/");
});

it("where the project's xdg-open is the only one, nothing is started, and nothing is said to be open", async () => {
  const { env, mock } = await machine("strict");
  const project = await temporaryHome();
  const ran = plant(project, "node_modules/.bin/xdg-open");
  const server = rawServer({ ...env, PATH: join(project, "node_modules/.bin") }, { cwd: project });
  const demand = await server.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  expect(demand.text).not.toMatch(/opened/i);
  await server.end();
  expect(existsSync(ran)).toBe(false);
  expect(mock.negotiations()[0]).toMatchObject({ confirmCount: 0 });
});

it("a model that calls again and again opens no more windows than a person reads, and hears why and what is left", async () => {
  const { env, kept, mock } = await machine("strict");
  const server = rawServer({ ...env, TOWOW_LANG: "en" });
  const first = await server.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  const { negotiation_id } = first.data as { negotiation_id?: string };
  const texts: string[] = [];
  for (let call = 0; call < 12; call++) texts.push((await server.call("towow_demand", { negotiation_id })).text);
  const windows = readFileSync(join(kept, "calls"), "utf8").trim().split("\n");
  expect(windows).toHaveLength(8);
  expect(texts.at(-1)).toContain("this program has opened 8 within 10 minutes");
  expect(texts.at(-1)).toContain(` confirm ${negotiation_id}`);
  expect(mock.negotiations()[0]).toMatchObject({ confirmCount: 0 });
  const profile = await server.call("towow_join", {
    scene: mock.sceneId,
    display_name: "Me",
    profile_data: { skills: ["design"] },
  });
  expect(profile.text).toContain("tool.policy.blocked.too_many_windows");
  expect(profile.text).toContain(" call towow_join");
  expect(readFileSync(join(kept, "calls"), "utf8").trim().split("\n")).toHaveLength(8);
});

it("what a killed server left goes with forget", async () => {
  const { home, server, args } = await desktop({ spawned: true });
  const gone = new Promise((resolve) => server.child.once("exit", resolve));
  server.child.kill("SIGKILL");
  await gone;
  expect(existsSync(args)).toBe(true);
  utimesSync(args, 1, 1);
  const { stdout } = await cli(["forget", "--logs", "--yes"], { env: { TOWOW_HOME: home } });
  expect(stdout).toContain("1 temporary file");
  expect(readdirSync(join(home, "open"))).toEqual([]);
});
