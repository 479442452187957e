import { describe, expect, test } from "vitest";
import type { Auth } from "../../src/backend/client.ts";
import { client, demand, failure, json, negotiation, noAuth, serve } from "./support.ts";

describe("redirects", () => {
  const token: Auth = { ...noAuth, bearer: async () => "secret" };

  test.each([307, 308])("%i on the same origin keeps method, body, key and bearer", async (status) => {
    const server = await serve((response, { url }) =>
      url.includes("?moved")
        ? json(response, 201, negotiation)
        : void response.writeHead(status, { location: `${server.url}${url}?moved` }).end(),
    );
    await client(server.url, {}, token).submitDemand(demand);
    const [first, second] = server.seen;
    expect(second).toMatchObject({ method: "POST", body: JSON.stringify(demand) });
    expect(second?.headers.authorization).toBe("Bearer secret");
    expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
  });

  test.each([301, 302, 307])("%i to another origin is not followed: the bearer never arrives there", async (status) => {
    const other = await serve((response) => json(response, 200, negotiation));
    const server = await serve(
      (response, { url }) => void response.writeHead(status, { location: `${other.url}${url}` }).end(),
    );
    for (const work of [
      client(server.url, {}, token).getNegotiation("neg_1"),
      client(server.url, {}, token).submitDemand(demand),
    ]) {
      expect(await failure(work)).toMatchObject({
        code: "tool.backend.invalid.redirect",
        params: { status, reason: "other_origin", target: other.url },
      });
    }
    expect(other.connections).toBe(0);
    expect(server.seen).toHaveLength(2);
  });

  test("the body of a redirect is not waited for", async () => {
    const server = await serve((response, { url }) => {
      if (url.includes("?moved")) return json(response, 200, negotiation);
      response.writeHead(307, { location: `${url}?moved` }).write("one moment");
    });
    expect((await client(server.url).getNegotiation("neg_1")).negotiation_id).toBe("neg_1");
  });

  test("a loop ends after three", async () => {
    const server = await serve((response, { url }) => void response.writeHead(307, { location: url }).end());
    expect(await failure(client(server.url).getNegotiation("neg_1"))).toMatchObject({ params: { reason: "loop" } });
    expect(server.seen).toHaveLength(4);
  });

  test.each([
    ["", "no_location"],
    ["http://[", "no_location"],
    ["javascript:alert(1)", "other_origin"],
    ["//elsewhere.test/", "other_origin"],
  ])("Location %j → %s", async (location, reason) => {
    const headers = location === "" ? {} : { location };
    const server = await serve((response) => void response.writeHead(307, headers).end());
    expect(await failure(client(server.url).getNegotiation("neg_1"))).toMatchObject({ params: { reason } });
  });

  test("a write does not turn into a read, and a 303 leaves its outcome open", async () => {
    const server = await serve(
      (response, { url }, number) => void response.writeHead(number === 0 ? 302 : 303, { location: `${url}/x` }).end(),
    );
    const api = client(server.url);
    expect(await failure(api.submitDemand(demand))).toMatchObject({ params: { reason: "method_would_change" } });
    expect((await failure(api.submitDemand(demand))).code).toBe("tool.backend.timeout.outcome_unknown");
    expect(server.seen).toHaveLength(2);
  });
});
