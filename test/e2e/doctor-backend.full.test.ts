import { readFile, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runningMock } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { answering, examined, homeWith } from "./doctor-support.ts";

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
      [await answering(page), /other than the backend answered \(not JSON\)/],
      [await answering(other), /not a Towow backend/],
      [await answering(shape), /gave an answer this version does not understand/],
      [await answering(moved), /redirects elsewhere/],
    ] as [string, RegExp][]) {
      const { of, problems } = await at(url);
      expect(of("backend"), url).toMatchObject({ level: "problem", message: expect.stringMatching(says) });
      expect(problems).toBe(1);
      expect(of("backend.endpoints")).toBeUndefined();
    }
  }, 90_000);

  it.each([400, 403, 408, 418, 422, 429, 500, 502, 503])(
    "%i answers, and is never called unreachable",
    async (code) => {
      const url = await answering((_, response) =>
        response.writeHead(code, { "content-type": "application/json", "retry-after": "0" }).end('{"detail":"no"}'),
      );
      const { of, bad } = await at(url);
      expect(bad).toEqual(["backend: problem"]);
      expect(of("backend")?.message).toMatch(new RegExp(`^${url} answers, but .*\\(${code}\\)`));
      expect(of("backend")?.fix).toMatch(code === 429 || code >= 500 ? /^towow-mcp doctor$/ : /TOWOW_BACKEND_URL=/);
    },
  );

  it("something that asks everybody for a token is not taken for a Towow backend", async () => {
    const url = await answering((_, response) =>
      response.writeHead(401, { "content-type": "application/json" }).end('{"detail":"Who?"}'),
    );
    const { bad, of } = await at(url);
    expect(bad).toEqual(["backend: unchecked", "backend.token: unchecked", "backend.endpoints: unchecked"]);
    expect(of("backend.token")?.fix).toMatch(/^towow-mcp call /);
  });

  it("one that asks for a token as Towow does is in order before the first call has got one", async () => {
    const mock = await runningMock();
    const { bad, of } = await at(mock.url);
    expect(bad).toEqual([]);
    expect(of("backend")?.message).toBe(`${new URL(mock.url).host} answers. Your first call gets a token from it.`);
  });

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
    expect(proxied.of("proxy")).toMatchObject({ level: "warning", fix: "export NO_PROXY=127.0.0.1" });
    expect(JSON.stringify(proxied.findings)).not.toContain("hunter2");
    expect(proxied.of("backend")).toMatchObject({ level: "problem" });
    const dead = await at("https://towow.example", { HTTP_PROXY: "http://me:hunter2@127.0.0.1:9" });
    expect(dead.of("proxy")).toMatchObject({ level: "ok", message: expect.stringContaining("(HTTP_PROXY)") });
    expect(dead.of("backend")).toMatchObject({ level: "problem", fix: "unset HTTP_PROXY" });
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
    expect(refused.bad).toEqual(["backend: unchecked", "backend.token: problem", "backend.endpoints: unchecked"]);
    const path = join(home, "config.json");
    const config = JSON.parse(await readFile(path, "utf8"));
    Object.assign(config.identities[mock.url], {
      issued_at: "2019-12-31T00:00:00Z",
      expires_at: "2020-01-01T00:00:00Z",
    });
    await writeFile(path, JSON.stringify(config));
    const expired = await examined(env);
    expect(expired.bad).toEqual([
      "token: warning",
      "backend: unchecked",
      "backend.token: unchecked",
      "backend.endpoints: unchecked",
    ]);
    const args = expired.of("token")?.fix?.split(" ").slice(1) ?? [];
    expect((await cli(args, { env })).status).toBe(0);
    expect((await examined(env)).bad).toEqual([]);
  });

  it("invalid, from the environment: not in order before its first use, a problem after it", async () => {
    const mock = await runningMock();
    const env = {
      TOWOW_HOME: await temporaryHome(),
      TOWOW_BACKEND_URL: mock.url,
      TOWOW_API_TOKEN: "not-a-token-of-anybody",
    };
    const unused = await examined(env);
    expect(unused.of("backend.token")).toMatchObject({
      level: "unchecked",
      message: expect.stringMatching(/may or may not be valid/),
    });
    mock.faults.add({ route: "token", kind: "status", status: 403 });
    await cli((unused.of("backend.token")?.fix ?? "").split(" ").slice(1), { env });
    const used = await examined(env);
    expect(used.of("backend.token")).toMatchObject({ level: "problem", fix: "unset TOWOW_API_TOKEN" });
  });

  it("that nothing shows to be valid, because the backend answers everybody", async () => {
    const mock = await runningMock({ legacyRoutes: true });
    const identities = { [mock.url]: { user_id: "u-1", api_token: "not-a-token-of-anybody" } };
    const { of, bad } = await examined({ TOWOW_HOME: await homeWith({ backend_url: mock.url, identities }) });
    expect([of("backend")?.level, ...bad]).toEqual(["ok", "backend.token: unchecked"]);
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
    // One look goes out without it, to see that it makes a difference.
    expect(new Set(seen)).toEqual(new Set([`Bearer ${TOKEN}`, undefined]));
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
