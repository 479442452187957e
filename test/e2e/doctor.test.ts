import { spawnSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runningMock } from "../support/backend.ts";
import { CLI, cli, finished, start } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";

const NOBODY = 65534;

interface Finding {
  check: string;
  level: "ok" | "warning" | "problem";
  message: string;
  mend?: string;
}

/** What the doctor says as JSON, by what was looked at. */
async function examined(env: Record<string, string>) {
  const { status, stdout, stderr } = await cli(["doctor", "--json"], { env });
  expect(stderr).toBe("");
  const report = JSON.parse(stdout) as { problems: number; warnings: number; findings: Finding[] };
  const { findings } = report;
  for (const { level, mend, check } of findings) if (level !== "ok") expect(mend, check).toBeTruthy();
  expect(status).toBe(report.problems > 0 ? 1 : 0);
  return {
    ...report,
    of: (check: string) => findings.find((finding) => finding.check === check),
    bad: findings.filter(({ level }) => level !== "ok").map(({ check, level }) => `${check}: ${level}`),
  };
}

async function homeWith(config: object | string, mode = 0o600): Promise<string> {
  const home = await temporaryHome();
  const path = join(home, "config.json");
  await writeFile(path, typeof config === "string" ? config : JSON.stringify(config));
  await chmod(path, mode);
  return home;
}

/** Something that answers on loopback. */
async function answering(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const snapshot = async (home: string) =>
  Promise.all(
    (await readdir(home, { recursive: true })).sort().map(async (name) => {
      const { mode, mtimeMs, size } = await stat(join(home, name));
      return [name, mode, mtimeMs, size];
    }),
  );

describe("a healthy installation", () => {
  it("is in order; only GETs are sent, and nothing is written", async () => {
    const mock = await runningMock();
    const home = await homeWith({ backend_url: mock.url });
    const env = { TOWOW_HOME: home };
    await cli(["call", "towow_list_scenes", "--mode", "developer"], { env });
    const [before, asked] = [await snapshot(home), mock.journal.length];
    const { problems, warnings, of } = await examined(env);
    expect([problems, warnings]).toEqual([0, 0]);
    expect(of("backend.endpoints")?.message).toBe(
      "It has: negotiations, list of scenes, list of agents, tokens, confirm, cancel.",
    );
    expect(of("token")?.message).toMatch(/kept, until \d{4}-/);
    expect(of("clock")?.level).toBe("ok");
    expect(mock.journal.slice(asked).map(({ method }) => method)).toEqual(Array(6).fill("GET"));
    expect(mock.negotiations()).toEqual([]);
    expect(await snapshot(home)).toEqual(before);
  });

  it("today's backend: what it lacks is told, and is no problem", async () => {
    const mock = await runningMock({ legacyRoutes: true });
    const { of, problems } = await examined({ TOWOW_HOME: await homeWith({ backend_url: mock.url }) });
    const messages = (await examined({ TOWOW_HOME: await homeWith({ backend_url: mock.url }) })).findings
      .filter(({ check }) => check === "backend.endpoints")
      .map(({ message }) => message);
    expect(messages).toEqual([
      "It has: negotiations, confirm, cancel.",
      expect.stringContaining("It lacks: list of scenes, list of agents, tokens."),
    ]);
    expect([problems, of("backend")?.level]).toEqual([0, "ok"]);
  });

  it("prints each finding as it comes, in either language, and the end last", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const url = await answering(async (_, response) => {
      await held;
      response.writeHead(404, { "content-type": "application/json" }).end('{"detail":"Negotiation x not found"}');
    });
    const env = { TOWOW_HOME: await homeWith({ backend_url: url, lang: "zh" }), TOWOW_LANG: "" };
    const child = start(["doctor"], { env });
    const ended = finished(child);
    let seen = "";
    child.stdout?.on("data", (chunk: string) => {
      seen += chunk;
    });
    await expect.poll(() => seen, { timeout: 10_000 }).toContain("✓ Node ");
    expect(seen).not.toContain("后端 http");
    release();
    const { stdout } = await ended;
    expect(stdout).toContain("有应答");
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/个问题/);
  });
});

describe("the home and its file", () => {
  it("no home and no file: only the backend is missing", async () => {
    const home = join(await temporaryHome(), "not", "yet");
    const { bad, of } = await examined({ TOWOW_HOME: home });
    expect(bad).toEqual(["backend: problem"]);
    expect(of("backend")?.mend).toMatch(/^towow-mcp config set backend_url /);
    await expect(stat(home)).rejects.toThrow("ENOENT");
  });

  it("a corrupt file, a file and a folder that others can read: told, and left as they are", async () => {
    const home = await homeWith("{ no", 0o644);
    await chmod(home, 0o755);
    const { bad, of } = await examined({ TOWOW_HOME: home });
    expect(bad).toEqual(["home: warning", "config.mode: warning", "config: problem", "backend: problem"]);
    expect(of("home")?.mend).toBe(`chmod 700 ${home}`);
    expect(of("config.mode")).toMatchObject({
      message: expect.stringContaining("0644"),
      mend: `chmod 600 ${home}/config.json`,
    });
    expect((await stat(join(home, "config.json"))).mode & 0o777).toBe(0o644);
    expect(await readFile(join(home, "config.json"), "utf8")).toBe("{ no");
  });

  it("values that do not fit, keys that nobody knows, a profile that holds back", async () => {
    const home = await homeWith({
      mode: "odd",
      backend_url: "http://towow.example",
      "bakend url": 1,
      exclude_tools: "towow_odd",
      profile: "dry_run",
      on_unconfirmed: "leave",
    });
    const { bad, of } = await examined({ TOWOW_HOME: home, TOWOW_WAIT_BUDGET_S: "soon" });
    expect(bad).toEqual([
      "config.keys: warning",
      "settings.backend_url: problem",
      "settings.mode: problem",
      "settings.wait_budget_s: problem",
      "settings.exclude_tools: problem",
      "settings.profile: warning",
      "settings.on_unconfirmed: warning",
    ]);
    expect(of("settings.mode")?.mend).toBe("towow-mcp config unset mode");
    expect(of("settings.wait_budget_s")?.mend).toBe("unset TOWOW_WAIT_BUDGET_S");
    // The mends do mend.
    for (const { mend = "" } of [of("config.keys"), of("settings.mode"), of("settings.exclude_tools")] as Finding[]) {
      const args = mend.replace("towow-mcp ", "").match(/'[^']*'|\S+/g) ?? [];
      const mended = await cli(
        args.map((arg) => arg.replaceAll("'", "")),
        { env: { TOWOW_HOME: home } },
      );
      expect(mended.status, mend).toBe(0);
    }
    const after = await examined({ TOWOW_HOME: home });
    expect(after.bad).toEqual([
      "settings.backend_url: problem",
      "settings.profile: warning",
      "settings.on_unconfirmed: warning",
    ]);
  });

  it("a folder where the file should be", async () => {
    const home = await temporaryHome();
    await mkdir(join(home, "config.json"));
    const { of } = await examined({ TOWOW_HOME: home });
    expect(of("config")).toMatchObject({ level: "problem", mend: expect.stringMatching(/^mv /) });
  });

  it("a home that is a file, or below one", async () => {
    const file = join(await homeWith({}), "config.json");
    for (const home of [file, join(file, "below")]) {
      const { of } = await examined({ TOWOW_HOME: home });
      expect(of("home")).toMatchObject({ level: "problem", mend: 'export TOWOW_HOME="$HOME/.towow"' });
    }
  });

  // Root may write everywhere: then somebody else looks, where they may read this checkout at all.
  const uid = process.getuid?.() === 0 ? NOBODY : undefined;
  const mayRun = uid === undefined || spawnSync(process.execPath, [CLI, "--version"], { uid, gid: uid }).status === 0;
  it.skipIf(!mayRun || process.platform === "win32")("a home that this user cannot write", async () => {
    const home = await homeWith({}, 0o644);
    await chmod(home, uid === undefined ? 0o555 : 0o755);
    onTestFinished(() => chmod(home, 0o700));
    const { stdout, status } = await cli(["doctor", "--json"], {
      env: { TOWOW_HOME: home },
      ...(uid !== undefined && { uid }),
    });
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    expect([status, findings.find(({ check }) => check === "home")]).toMatchObject([
      1,
      { level: "problem", message: expect.stringContaining("EACCES") },
    ]);
  });
});

describe("the backend", () => {
  const at = async (url: string, more: Record<string, string> = {}) =>
    examined({ TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: url, ...more });

  it("nobody there, no such name, a page, another service, a wrong shape, another place", async () => {
    const gone = await answering(() => {});
    const page: RequestListener = (_, response) => response.writeHead(200).end("<html>Log in</html>");
    const other: RequestListener = (_, response) =>
      response.writeHead(404, { "content-type": "application/json" }).end('{"detail":"Not Found"}');
    const shape: RequestListener = (_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"hello":1}');
    const moved: RequestListener = (_, response) =>
      response.writeHead(302, { location: "https://elsewhere.example/" }).end();
    for (const [url, says] of [
      [gone.replace(/\d+$/, (port) => `${Number(port) === 65535 ? 65534 : Number(port) + 1}`), /ECONNREFUSED/],
      ["https://towow.invalid", /ENOTFOUND|EAI_AGAIN/],
      [await answering(page), /not the backend \(no JSON\)/],
      [await answering(other), /not a Towow backend/],
      [await answering(shape), /not what this version understands/],
      [await answering(moved), /redirects elsewhere/],
    ] as [string, RegExp][]) {
      const { of, problems } = await at(url);
      expect(of("backend"), url).toMatchObject({ level: "problem", message: expect.stringMatching(says) });
      expect(problems).toBe(1);
      expect(of("backend.endpoints")).toBeUndefined();
    }
  }, 90_000);

  it("a backend without a way to confirm is a problem", async () => {
    const url = await answering(({ url: path }, response) => {
      const known = /negotiations\/[^/]+$/.test(path ?? "");
      const detail = known ? "Negotiation x not found" : "Not Found";
      response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ detail }));
    });
    const { bad, findings } = await at(url);
    expect(bad).toEqual(["backend.endpoints: problem"]);
    expect(findings.find(({ level }) => level === "problem")?.message).toMatch(/lacks: confirm, cancel/);
  });

  it("a clock that is off is told, with its direction", async () => {
    for (const [offsetS, says] of [
      [600, /\d+ s behind/],
      [-600, /\d+ s ahead/],
    ] as const) {
      const url = await answering((_, response) => {
        const date = new Date(Date.now() + offsetS * 1000).toUTCString();
        const head = { "content-type": "application/json", date };
        response.writeHead(404, head).end('{"detail":"Negotiation x not found"}');
      });
      expect((await at(url)).of("clock")).toMatchObject({ level: "warning", message: expect.stringMatching(says) });
    }
  });

  it("a proxy in the way of this machine's own backend, its password hidden", async () => {
    const mock = await runningMock();
    const proxied = await at(mock.url, { HTTP_PROXY: "http://me:hunter2@127.0.0.1:9", NO_PROXY: "towow.example" });
    expect(proxied.of("proxy")).toMatchObject({ level: "warning", mend: "export NO_PROXY=127.0.0.1" });
    expect(JSON.stringify(proxied.findings)).not.toContain("hunter2");
    expect(proxied.of("backend")).toMatchObject({ level: "problem" });
    const left = await at(mock.url, { HTTP_PROXY: "http://127.0.0.1:9", NO_PROXY: "localhost,127.0.0.1" });
    expect(left.of("proxy")).toMatchObject({ level: "ok", message: expect.stringContaining("leaves 127.0.0.1 out") });
    expect(left.problems).toBe(0);
  });
});

describe("the token", () => {
  it("expired, and refused: the next call renews it, and the doctor says which", async () => {
    const mock = await runningMock();
    const home = await homeWith({ backend_url: mock.url });
    const env = { TOWOW_HOME: home };
    await cli(["call", "towow_list_scenes", "--mode", "developer"], { env });
    mock.expireTokens();
    const refused = await examined(env);
    expect(refused.bad).toEqual(["backend.token: warning"]);
    const path = join(home, "config.json");
    const config = JSON.parse(await readFile(path, "utf8"));
    Object.assign(config.identities[mock.url], {
      issued_at: "2019-12-31T00:00:00Z",
      expires_at: "2020-01-01T00:00:00Z",
    });
    await writeFile(path, JSON.stringify(config));
    const expired = await examined(env);
    expect(expired.bad).toEqual(["token: warning"]);
    const args = expired.of("token")?.mend?.split(" ").slice(1) ?? [];
    expect((await cli(args, { env })).status).toBe(0);
    expect((await examined(env)).bad).toEqual([]);
  });

  it("is sent to the origin that issued it and to no other, and shown nowhere", async () => {
    const seen: (string | undefined)[] = [];
    const spy: RequestListener = ({ headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(404, { "content-type": "application/json" }).end('{"detail":"Negotiation x not found"}');
    };
    const [own, other] = [await answering(spy), await answering(spy)];
    const TOKEN = "secret-token-of-mine";
    const home = await homeWith({ backend_url: own, identities: { [own]: { user_id: "u-1", api_token: TOKEN } } });
    await examined({ TOWOW_HOME: home });
    expect(new Set(seen)).toEqual(new Set([`Bearer ${TOKEN}`]));
    seen.length = 0;
    await examined({ TOWOW_HOME: home, TOWOW_BACKEND_URL: other });
    const foreign = await examined({ TOWOW_HOME: home, TOWOW_BACKEND_URL: other, TOWOW_API_TOKEN: TOKEN });
    expect(foreign.of("token.origin")).toMatchObject({ level: "warning" });
    // A token that nobody has used yet has no origin: the doctor does not give it one.
    await examined({ TOWOW_HOME: await temporaryHome(), TOWOW_BACKEND_URL: other, TOWOW_API_TOKEN: "brand-new-token" });
    expect(new Set(seen)).toEqual(new Set([undefined]));
    expect(JSON.stringify(foreign)).not.toContain(TOKEN);
  });
});

it("open pauses: who watches them, until when, and the command that decides", async () => {
  const mock = await runningMock();
  const home = await homeWith({ backend_url: mock.url });
  const env = { TOWOW_HOME: home };
  const args = ["call", "towow_demand", `scene_id=${mock.sceneId}`, "intent=A designer"];
  await cli(args, { env });
  const id = mock.negotiations()[0]?.negotiation_id;
  const left = (await examined(env)).of("pauses");
  expect(left).toMatchObject({ level: "warning", mend: `towow-mcp confirm ${id}` });
  expect(left?.message).toMatch(/no program watches it/);
  const elsewhere = await examined({ ...env, TOWOW_BACKEND_URL: "https://towow.invalid" });
  expect(elsewhere.of("pauses")?.mend).toBe(`TOWOW_BACKEND_URL=${mock.url} towow-mcp confirm ${id}`);
  const session = await legacyClient({ env });
  await session.call("towow_status"); // takes the guard over
  expect((await examined(env)).of("pauses")?.message).toMatch(/a running program watches it/);
});

it("each client's entry: there, not there, starting nothing, or unreadable", async () => {
  const home = await temporaryHome();
  const mock = await runningMock();
  const write = async (path: string, text: string) => {
    await mkdir(join(home, path, ".."), { recursive: true });
    await writeFile(join(home, path), text);
  };
  const starts = (command: string) => JSON.stringify({ mcpServers: { towow: { command } } });
  await write(".cursor/mcp.json", starts(process.execPath));
  await write(".gemini/settings.json", starts("/nowhere/towow-mcp"));
  await write(".config/opencode/opencode.json", "{");
  await write(".codex/config.toml", 'model = "x"\n');
  const { of } = await examined({ HOME: home, TOWOW_HOME: join(home, ".towow"), TOWOW_BACKEND_URL: mock.url });
  expect(of("clients.cursor")).toMatchObject({ level: "ok", message: expect.stringContaining("starts towow-mcp") });
  expect(of("clients.gemini")).toMatchObject({ level: "problem", mend: "towow-mcp setup gemini --force" });
  expect(of("clients.opencode")).toMatchObject({ level: "problem", message: expect.stringMatching(/^opencode: .*1/) });
  expect(of("clients.codex")).toMatchObject({ level: "ok", mend: "towow-mcp setup codex" });
});
