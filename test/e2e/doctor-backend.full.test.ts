import { readFile, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runningMock } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { answering, examined, homeWith } from "./doctor-support.ts";

it("no such name is a problem with the backend, and nothing more is asked of it", async () => {
  const { of, problems } = await examined({
    TOWOW_HOME: await temporaryHome(),
    TOWOW_BACKEND_URL: "https://towow.invalid",
  });
  expect(of("backend")).toMatchObject({ level: "problem", message: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) });
  expect(problems).toBe(1);
  expect(of("backend.endpoints")).toBeUndefined();
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
