import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { browsersOf } from "../../src/commands/home.ts";
import { cli } from "../support/cli.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { type HttpBrowser, httpBrowser } from "../support/http-browser.ts";
import { ManualClock } from "../support/manual-clock.ts";

/** An endpoint for this machine alone, whose person has signed in to their room with the home's key. */

let endpoint: Endpoint;
let origin = "";
let room = "";
let own: HttpBrowser;
beforeEach(async () => {
  endpoint = await startEndpoint();
  origin = new URL(endpoint.url).origin;
  own = httpBrowser(endpoint.port, origin);
  room = `${origin}${(await own.ask(`${origin}/room`)).headers.location}`;
  expect((await own.ask(room, { token: endpoint.homeKey() })).status).toBe(303);
  expect(await isInRoom(own)).toBe(true);
});
afterEach(() => endpoint.close());

const isInRoom = async (browser: HttpBrowser) => !(await browser.ask(room)).text.includes('type="password"');
const run = async (...args: string[]) => {
  const env = { PATH: process.env.PATH ?? "", TOWOW_HOME: endpoint.home, TOWOW_LANG: "en" };
  const { status, stdout } = await cli(args, { env });
  expect(status).toBe(0);
  return stdout;
};

it("whoami lists the browser, and forget revokes it from the next request on", async () => {
  expect(await run("whoami")).toContain("firefox-linux");
  await run("forget", "--browser", "firefox-linux");
  expect(await isInRoom(own)).toBe(false);
  expect(await run("whoami")).not.toContain("firefox-linux");
});

it("with the key its browsers go: they are erased with it, and another key does not bring them back", async () => {
  const key = endpoint.homeKey();
  await run("forget", "--identity", "--yes", "--force");
  expect(await isInRoom(own)).toBe(false);
  expect(await run("whoami")).not.toContain("firefox-linux");

  const path = join(endpoint.home, "home.key");
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  expect((await own.ask(room, { token: key })).status).toBe(303);
  expect(await isInRoom(own)).toBe(true);
  writeFileSync(path, `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}\n`);
  expect(await isInRoom(own)).toBe(false);
});

it("a browser that was let in by a code for a page of this home is not in the room: another program may have its cookie", async () => {
  const home = browsersOf(endpoint.home, { clock: new ManualClock(Date.now()) });
  const issued = await home.issueCode({}, "Firefox");
  await home.letIn(issued?.code ?? "");
  const { name = "", value = "" } = issued?.cookie ?? {};
  expect(await home.recognise({ [name]: value })).toBeDefined();
  const other = httpBrowser(endpoint.port, origin);
  other.cookies.set(name, value);
  expect(await isInRoom(other)).toBe(false);
  // Nor is the room's browser one of its pages'.
  expect(await home.recognise(Object.fromEntries(own.cookies))).toBeUndefined();
});
