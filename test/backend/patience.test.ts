import { describe, expect, test } from "vitest";
import { client, demand, failure, ImmediateClock, json, negotiation, serve } from "./support.ts";

describe("a backend that asks for patience", () => {
  test.each([
    [429, "2", "read"],
    [429, "2", "write"],
    [503, "2", "write"],
    [429, undefined, "write"],
  ] as const)("%i with Retry-After %s: a %s waits and goes out again", async (status, after, kind) => {
    const clock = new ImmediateClock();
    const server = await serve((response, _seen, number) => {
      if (number > 0) return json(response, 200, negotiation);
      json(response, status, { detail: "slow down" }, after === undefined ? {} : { "retry-after": after });
    });
    const api = client(server.url, { clock });
    await (kind === "read" ? api.getNegotiation("neg_1") : api.submitDemand(demand));
    expect(clock.pauses).toEqual([after === undefined ? 225 : 2000]);
    const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toBe(keys[1]);
  });

  test("a date is understood, by the injected clock", async () => {
    const clock = new ImmediateClock();
    const date = new Date(clock.now() + 4_000).toUTCString();
    const server = await serve((response, _seen, number) =>
      number > 0 ? json(response, 200, negotiation) : json(response, 429, {}, { "retry-after": date }),
    );
    await client(server.url, { clock }).getNegotiation("neg_1");
    expect(clock.pauses).toEqual([4000]);
  });

  test("for longer than anybody waits: told at once", async () => {
    const server = await serve((response) => json(response, 429, { detail: "quota" }, { "retry-after": "3600" }));
    expect(await failure(client(server.url).submitDemand(demand))).toMatchObject({
      code: "tool.backend.unavailable.rate_limited",
      retryAfterSeconds: 3600,
      detail: "quota",
      params: { status: 429 },
    });
    expect(server.seen).toHaveLength(1);
  });

  test("for ever: four attempts", async () => {
    const server = await serve((response) => json(response, 429, {}, { "retry-after": "1" }));
    expect((await failure(client(server.url).submitDemand(demand))).retryAfterSeconds).toBe(1);
    expect(server.seen).toHaveLength(4);
  });
});
