import { readdirSync, readFileSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { requests, runningMock } from "../support/backend.ts";
import { CLI, cli, SCRIPT } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { soon } from "../support/soon.ts";
import { atTerminal } from "../support/terminal.ts";

/** `towow-mcp token`: a token for a teammate. It is shown once, at a terminal, after a yes. */

const TOKEN = /towow_[\w-]{32}/;

/** A person before it, for whom a sentence is one, however it is broken into lines. */
function started(args: string[], env: Record<string, string>) {
  const one = atTerminal([CLI, ...args], env);
  const sentences = () => one.screen().replace(/\s+/g, " ");
  return {
    ...one,
    sentences,
    async sees(pattern: RegExp) {
      await soon(sentences).toMatch(pattern);
      return pattern.exec(sentences())?.[1] ?? "";
    },
  };
}

/** Everything in the home, by name. */
const kept = (home: string): [string, string][] =>
  readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(home, name)).isFile())
    .map((name) => [name, readFileSync(join(home, name), "utf8")]);

/** A home with an identity of its own at that backend. */
async function homeAt(url: string, more: Record<string, string> = {}) {
  const home = await temporaryHome();
  const own = { user_id: "u-own", api_token: "secret-token-of-mine" };
  const config = { backend_url: url, ...own, identities: { [url]: { ...own, expires_at: "2031-05-06T07:08:09Z" } } };
  await writeFile(join(home, "config.json"), JSON.stringify(config), { mode: 0o600 });
  const env = { PATH: process.env.PATH ?? "", TOWOW_HOME: home, TOWOW_LANG: "en", TZ: "UTC", ...more };
  return { home, env };
}

/** A backend that answers every request with this grant, and remembers what it was asked. */
async function issuing(grant: object) {
  const asked: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      asked.push({ url: request.url ?? "", headers: request.headers, body });
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(grant));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const mints = (mock: Awaited<ReturnType<typeof runningMock>>) => requests(mock, "POST", /mcp-token$/);

describe.skipIf(SCRIPT === undefined)("at a terminal", () => {
  it("says whom it is for and until when, and shows it once, after a yes; nothing of it stays", async () => {
    const mock = await runningMock();
    const { home, env } = await homeAt(mock.url, { TOWOW_LOG_LEVEL: "debug" });
    const before = kept(home);
    const operator = started(["token"], env);
    const id = await operator.sees(/issued a token for a new person, (\S+)\./);
    await operator.sees(/It is valid until (\d{4}-\d\d-\d\d \d\d:\d\d)\./);
    await operator.sees(/Show it now\?/);
    expect(operator.screen()).not.toMatch(TOKEN);
    operator.types("yes");
    await operator.sees(/privately/);
    expect(await operator.exit).toBe(0);
    const shown = operator.screen().match(new RegExp(TOKEN, "g")) ?? [];
    expect(shown).toHaveLength(1);
    expect(id).not.toBe("u-own");
    const scenes = await fetch(`${mock.url}/v1/api/scenes`, { headers: { Authorization: `Bearer ${shown[0]}` } });
    expect(scenes.status).toBe(200);
    expect(mock.journal.at(-1)?.userId).toBe(id);
    expect(kept(home)).toEqual(before);
  });

  it("anything but a yes shows nothing, and Chinese speaks Chinese", async () => {
    const mock = await runningMock();
    const { home, env } = await homeAt(mock.url, { TOWOW_LANG: "zh" });
    const before = kept(home);
    const operator = started(["token"], env);
    await operator.sees(/为一位新成员 \S+ 发放了令牌/);
    await operator.sees(/有效期至 \d{4}/);
    await operator.sees(/现在显示吗？/);
    operator.types("no");
    await operator.sees(/没有显示，也没有保存/);
    expect(await operator.exit).toBe(1);
    expect(operator.screen()).not.toMatch(TOKEN);
    expect(kept(home)).toEqual(before);
  });

  it("asks without this home's id and token; one that is this home's own is refused", async () => {
    const grant = { user_id: "u-new", api_token: "tok-1", expires_at: null };
    const other = await issuing(grant);
    const { env } = await homeAt(other.url);
    const operator = started(["token"], env);
    await operator.sees(/The network did not say when it expires/);
    operator.types("yes");
    await operator.sees(/\b(tok-1)\b/);
    expect(other.asked).toHaveLength(1);
    expect(other.asked[0]?.headers.authorization).toBeUndefined();
    expect(JSON.parse(other.asked[0]?.body ?? "")).toMatchObject({ user_id: "" });
    expect(JSON.stringify(other.asked)).not.toMatch(/u-own|secret-token/);
    for (const [bad, code] of [
      [{ ...grant, user_id: "u-own" }, "tool.backend.invalid.wrong_shape"],
      [{ ...grant, api_token: "tok\u001b[2J" }, "tool.auth.unavailable.token"],
    ] as const) {
      const hostile = await issuing(bad);
      const asking = started(["token"], (await homeAt(hostile.url)).env);
      expect(await asking.exit).toBe(1);
      expect(asking.sentences()).toContain(code);
      expect(asking.screen()).not.toContain("Show it now");
    }
  });

  it("a backend without the route: it gives out none, and that is said", async () => {
    const mock = await runningMock({ legacyRoutes: true });
    const operator = started(["token"], (await homeAt(mock.url)).env);
    expect(await operator.exit).toBe(1);
    expect(operator.sentences()).toContain(`${new URL(mock.url).host} gives out no tokens.`);
    expect(operator.sentences()).toContain("tool.auth.unavailable.not_issued");
  });

  it("with --json, under dry_run, from the sandbox: the backend is not asked", async () => {
    const mock = await runningMock();
    const { home, env } = await homeAt(mock.url);
    const json = started(["token", "--json"], env);
    expect(await json.exit).not.toBe(0);
    const dry = started(["token"], { ...env, TOWOW_PROFILE: "dry_run" });
    await dry.exit;
    expect(dry.sentences()).toContain("tool.policy.blocked.dry_run");
    const sandbox = started(["token", "--backend-url", "sandbox"], env);
    await sandbox.exit;
    expect(sandbox.sentences()).toContain("tool.config.invalid.sandbox_not_shared");
    expect(mints(mock)).toEqual([]);
    expect(readdirSync(home)).toEqual(["config.json"]);
  });
});

it("without a terminal it refuses before it asks: tool.policy.blocked.terminal_needed", async () => {
  const mock = await runningMock();
  const { env } = await homeAt(mock.url);
  const { status, stdout, stderr } = await cli(["token"], { env, input: "yes\n" });
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("Run towow-mcp token in a terminal.\n(tool.policy.blocked.terminal_needed)");
  expect(mock.journal).toEqual([]);
});
