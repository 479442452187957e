import { existsSync, readdirSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { TOOLS } from "../../src/tools/index.ts";
import { runningMock } from "../support/backend.ts";
import { recordedInHome } from "../support/home-facts.ts";
import { machine, unwrapped } from "./world.ts";

const config = (at: Awaited<ReturnType<typeof machine>>) => JSON.parse(at.read("home/.towow/config.json") ?? "null");

it("the network is the home's: an entry names none, and one that names an older one is put right", async () => {
  const { url } = await runningMock();
  const at = await machine({}, { isWhole: true });
  const old = { command: "towow-mcp", args: ["--backend-url", "https://old.example", "--mode", "developer"] };
  at.write("home/.cursor/mcp.json", JSON.stringify({ mcpServers: { towow: old } }));
  const { out, status } = await at.setup("cursor", "--backend-url", url);
  expect(status).toBe(0);
  expect(out).toContain(`✓ The network is now ${url}.`);
  const tools = TOOLS.filter(({ modes }) => modes.includes("developer"));
  expect(out).toMatch(new RegExp(`✓ The server starts: ${tools.length} tools, \\d+\\.\\d s\\.`));
  expect(out).toMatch(/✓ 127\.0\.0\.1:\d+ answers/);
  expect(config(at)).toEqual({ backend_url: url });
  expect(JSON.parse(at.read("home/.cursor/mcp.json")!).mcpServers.towow).toEqual(at.launch(["--mode", "developer"]));
});

it("a token that was not used there yet: whether it is valid stays open, and no scenes are counted", async () => {
  const { url } = await runningMock();
  const at = await machine();
  const { out } = await at.run(["network", url], { env: { TOWOW_API_TOKEN: "abc" } });
  expect(out).toContain("? 127.0.0.1");
  expect(out.replaceAll(/\s+/g, " ")).toContain("Your token has not been used there yet");
  expect(out).not.toContain("to join");
});

it("an entry that names another network is said, with the command that puts it right, by network and doctor", async () => {
  const { url } = await runningMock();
  const at = await machine();
  const command = "towow-mcp";
  const cursor = { command, args: ["--backend-url=https://old.example/", "--mode", "developer"] };
  const gemini = { command, env: { TOWOW_BACKEND_URL: "https://old.example" } };
  const opencode = { type: "local", command: [command], environment: { TOWOW_BACKEND_URL: url, TOWOW_LANG: "en" } };
  at.write("home/.cursor/mcp.json", JSON.stringify({ mcpServers: { towow: cursor } }));
  at.write("home/.gemini/settings.json", JSON.stringify({ mcpServers: { towow: gemini } }));
  at.write("home/.config/opencode/opencode.json", JSON.stringify({ mcp: { towow: opencode } }));
  const fix = `towow-mcp setup cursor gemini --backend-url ${url}`;
  const { out } = await at.run(["network", url]);
  const said = out.replaceAll(/\s+/g, " ");
  for (const title of ["Cursor", "Gemini CLI"])
    expect(said).toContain(`But ${title} stays with https://old.example, which its own entry names`);
  expect(said).not.toContain("opencode");
  expect(out).toContain(`  ${fix}\n`);
  // To set a client up again changes no network that a person wrote into its entry, and says so.
  const again = await at.setup("cursor");
  expect(again.out.replaceAll(/\s+/g, " ")).toContain("But Cursor stays with https://old.example, which its own");
  expect(again.out).toContain(`  ${fix}\n`);
  const doctor = await at.run(["doctor", "--json"]);
  expect(JSON.parse(doctor.out).findings).toContainEqual({
    check: "clients.gemini.network",
    level: "warning",
    message: expect.stringContaining("Gemini CLI stays with https://old.example"),
    fix: `towow-mcp setup gemini --backend-url ${url}`,
  });

  const [, ...words] = fix.split(" ");
  expect((await at.run(words)).status).toBe(0);
  const entry = (file: string, key: string) => JSON.parse(at.read(file)!)[key].towow;
  expect(entry("home/.cursor/mcp.json", "mcpServers")).toEqual(at.launch(["--mode", "developer"]));
  expect(entry("home/.gemini/settings.json", "mcpServers")).toEqual(at.launch());
  expect((await at.run(["network"])).out).not.toContain("old.example");
  // What the person wrote there besides the network stays.
  await at.setup("opencode", "--backend-url", url);
  expect(entry("home/.config/opencode/opencode.json", "mcp").environment).toEqual({ TOWOW_LANG: "en" });
});

it("a project's file is for others: there the entry names it", async () => {
  const at = await machine();
  await at.setup("cursor", "--scope", "project", "--backend-url", "https://towow.example");
  expect(at.read("project/.cursor/mcp.json")).toContain("https://towow.example");
  expect(config(at)).toBeNull();
});

it("one that cannot be reached is saved and said; a bad one changes nothing at all", async () => {
  const at = await machine();
  const bad = await at.setup("cursor", "--backend-url", "ftp://x");
  expect([bad.status, bad.err]).toEqual([1, expect.stringContaining("tool.config.invalid.value")]);
  const open = await at.setup("cursor", "--backend-url", "http://towow.example");
  expect([open.status, open.err]).toEqual([1, expect.stringContaining("tool.config.blocked.http_refused")]);
  expect(readdirSync(at.home)).toEqual([]);
  const { out } = await at.setup("cursor", "--backend-url", "http://127.0.0.1:59999");
  expect(out).toContain("✗ The backend at http://127.0.0.1:59999 cannot be reached (ECONNREFUSED).");
  expect(config(at)).toEqual({ backend_url: "http://127.0.0.1:59999" });
});

it("--remove undoes the choice too, ends the sandbox and says what stays; a choice of the person's own stays", async () => {
  const at = await machine({}, { isWhole: true });
  onTestFinished(async () => void (await at.run(["sandbox", "--stop"])));
  await at.setup("cursor", "--sandbox");
  expect((await at.run(["sandbox"])).out).toContain("The sandbox runs");
  const { out } = await at.setup("--remove", "--yes");
  expect(out).toContain("The network that setup chose is no longer set.");
  expect(unwrapped(out)).toContain(`What was in the sandbox stays in ${at.path("home/.towow/sandbox")}.`);
  expect(out.replaceAll(/\s+/g, " ")).toContain("To erase it: towow-mcp sandbox --reset");
  expect(config(at)).toBeNull();
  expect(existsSync(at.path("home/.towow/sandbox/running.json"))).toBe(false);

  await at.run(["network", "http://127.0.0.1:59999"]);
  await at.setup("cursor", "--sandbox");
  await at.setup("--remove", "--yes");
  expect(config(at)).toEqual({ backend_url: "http://127.0.0.1:59999" });
});

it("moving on says what stays behind, and the way back; the other network never gets it", async () => {
  const mock = await runningMock();
  const at = await machine({}, { isWhole: true });
  onTestFinished(async () => void (await at.run(["sandbox", "--stop"])));
  await at.run(["network", "sandbox"]);
  const { out } = await at.run(["scenes"]);
  const [, scene] = /Around you\s+(scene_\w+)/.exec(out) ?? [];
  const call = (...args: string[]) => at.run(["call", ...args, "--mode", "developer"]);
  const submitted = await call("towow_submit_demand", `scene_id=${scene}`, "intent=An engineer");
  expect(submitted.out).toContain("[sandbox]");
  const moved = await at.run(["network", mock.url]);
  expect(moved.out).toMatch(/This stays behind at sandbox and is not passed on:\n {2}· your id there: \S+/);
  expect(moved.out).toContain("To go back: towow-mcp network sandbox");
  await at.run(["scenes"]);
  await at.run(["call", "towow_list_scenes", "--mode", "developer"]);
  const kept = config(at);
  const sandboxId = kept.identities.sandbox.user_id;
  expect(JSON.stringify(mock.journal)).not.toContain(sandboxId);
  await at.run(["network", "sandbox"]);
  expect((await at.run(["whoami"])).out).toContain(sandboxId);
});

it("what stays behind and may still wait is named; what nobody wrote an end of days ago is only counted", async () => {
  const at = await machine();
  const [origin, other] = ["http://127.0.0.1:59999", "http://127.0.0.1:59998"];
  await at.run(["network", origin]);
  for (const [id, hours] of [
    ["neg_now", 1],
    ["neg_old", 25],
    ["neg_older", 9_000],
  ] as const)
    await recordedInHome(at.path("home/.towow"), { origin, id }, { agoMs: hours * 3_600_000 });
  const { out } = await at.run(["network", other]);
  expect(out).toContain("· 3 negotiations\n");
  expect(out).toContain("· still open: neg_now. To decide on it, go back first.\n");
});

it("right after setup the doctor has nothing that it could not check", async () => {
  const at = await machine({ "home/.cursor/keep": "" });
  expect((await at.setup("cursor", "--sandbox")).status).toBe(0);
  const { out, status } = await at.run(["doctor", "--json"]);
  await at.run(["sandbox", "--stop"]);
  expect([JSON.parse(out).problems, JSON.parse(out).warnings, JSON.parse(out).unchecked, status]).toEqual([0, 0, 0, 0]);
});
