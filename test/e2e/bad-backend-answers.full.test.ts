import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { type RunningMock, requests, runningMock, submits } from "../support/backend.ts";
import { against, demand, INTENT, joined, serving } from "./bad-backend-support.ts";
import { expectFailure } from "./failure.ts";

describe("what answers is not the backend, or not well", () => {
  it("down: said in a moment, and that nothing was sent", async () => {
    const mock = await runningMock();
    await mock.close();
    const session = await against(mock.url);
    const called = await session.call("towow_join", { scene: "x", raw_content: "y" });
    expectFailure(called, "tool.backend.unavailable.unreachable");
    expect(called.text).toContain(`${mock.url} cannot be reached (ECONNREFUSED)`);
    expect(called.result.error?.can_retry).toBe(true);
    const sent = await session.call("towow_demand", { intent: INTENT, scene_id: "scene_000000000000" });
    expectFailure(sent, "tool.backend.unavailable.unreachable");
    // Certainly not sent, so the same demand is not held back.
    const again = await session.call("towow_demand", { intent: INTENT, scene_id: "scene_000000000000" });
    expectFailure(again, "tool.backend.unavailable.unreachable");
  });

  const page = "<!DOCTYPE html><html><body>Please log in</body></html>";
  it.each<[string, string, RequestListener]>([
    [
      "a login page",
      "tool.backend.invalid.not_json",
      (_, r) => r.writeHead(200, { "content-type": "text/html" }).end(page),
    ],
    ["JSON of something else", "tool.backend.invalid.wrong_shape", (_, r) => r.writeHead(200).end('{"hello":[1]}')],
    [
      "a redirect to another machine",
      "tool.backend.invalid.redirect",
      (_, r) => r.writeHead(307, { location: "http://example.org/" }).end(),
    ],
    ["forbidden", "tool.auth.blocked.forbidden", (_, r) => r.writeHead(403).end('{"detail":"no"}')],
    ["a teapot", "tool.backend.conflict.unexpected", (_, r) => r.writeHead(418).end('{"detail":"tea"}')],
    [
      "too many, for a minute",
      "tool.backend.unavailable.rate_limited",
      (_, r) => r.writeHead(429, { "retry-after": "60" }).end(),
    ],
    [
      "away, for a minute",
      "tool.backend.unavailable.rate_limited",
      (_, r) => r.writeHead(503, { "retry-after": "60" }).end(),
    ],
    [
      "a refused field",
      "tool.input.invalid.rejected_by_backend",
      (_, r) => r.writeHead(422).end('{"detail":[{"loc":["body","status"],"msg":"no"}]}'),
    ],
    [
      "no such route",
      "tool.scene.unavailable.cannot_list",
      (_, r) => r.writeHead(405).end('{"detail":"Method Not Allowed"}'),
    ],
  ])("%s: %s", async (_, code, answer) => {
    const { url, seen } = await serving(answer);
    const session = await against(url);
    const called = await session.call("towow_join", { scene: "Somewhere", raw_content: "y" });
    expectFailure(called, code);
    if (code.endsWith("rate_limited"))
      expect(called.text).toContain("It asks you to wait 60 s. Try again then.\ncan_retry: true after 60 s");
    expect(seen).toEqual(["GET /v1/api/scenes"]);
    expect(await session.tools()).toHaveLength(4); // the server itself is well
  });

  it.each([404, 405])("a page with %i: no Towow network, for what reads and for what writes", async (status) => {
    const nginx = `<html><head><title>${status} Not Found</title></head><body><hr>nginx</body></html>`;
    const { url, seen } = await serving((_, r) => r.writeHead(status, { "content-type": "text/html" }).end(nginx));
    for (const [lang, says] of [
      ["en", `What answers at ${url}/app does not look like a Towow network: it answers ${status}, and not in JSON.`],
      ["zh", `${url}/app 上的应答不像通爻网络：它返回状态 ${status}，内容不是 JSON。`],
    ] as const) {
      const session = await against(`${url}/app/`, { TOWOW_LANG: lang });
      for (const [tool, params] of [
        ["towow_demand", { intent: INTENT, scene_id: "scene_000000000000" }],
        ["towow_join", { scene: "Somewhere", raw_content: "y" }],
        ["towow_status", { negotiation_id: "neg_1" }],
      ] as const) {
        const called = await session.call(tool, params);
        expectFailure(called, "tool.backend.invalid.not_towow");
        expect(called.text, tool).toContain(says);
        expect(called.text, tool).toMatch(/(towow-mcp|cli\.js) network/);
        expect(called.result.error?.can_retry).toBe(false);
      }
    }
    expect(seen).toHaveLength(6);
  });
});

describe("tokens", () => {
  const tokens = (mock: RunningMock) => requests(mock, "POST", /mcp-token$/);

  it("expired: one renewal, and the call goes on", async () => {
    const world = await joined();
    const { mock, session } = world;
    expect(tokens(mock)).toHaveLength(1);
    mock.expireTokens();
    expect((await demand(world)).result.data).toMatchObject({ state: "formulated" });
    expect(submits(mock).map((entry) => entry.status)).toEqual([401, 201]);
    expect([tokens(mock).length, mock.negotiations().length]).toEqual([2, 1]);
    mock.expireTokens();
    const looks = await Promise.all([1, 2, 3, 4].map(() => session.call("towow_status")));
    expect(looks.map(({ result }) => result.status)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(tokens(mock)).toHaveLength(3);
  });
});
