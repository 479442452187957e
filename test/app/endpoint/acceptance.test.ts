import { expect, it } from "vitest";
import { initialize, rpc } from "../../support/endpoint.ts";
import { createEndpointReplicas } from "../../support/endpoint-replicas.ts";

const MINUTE_MS = 60_000;

it("a token that is in use at one replica counts as accepted at the others, for an hour after its last use", async () => {
  const { clock, replica, token } = createEndpointReplicas();
  const [a, b] = [replica(), replica()];
  const ada = await token();
  expect(await b.isAccepted(ada)).toBe(false);
  for (let n = 0; n < 5; n++) {
    expect(await a.call(ada)).toBeUndefined();
    expect(await b.isAccepted(ada)).toBe(true);
    await clock.advance(25 * MINUTE_MS);
  }
  await clock.advance(34 * MINUTE_MS);
  expect(await b.isAccepted(ada)).toBe(true);
  await clock.advance(7 * MINUTE_MS);
  expect(await b.isAccepted(ada)).toBe(false);
});

it("invented tokens take no place of one that was accepted at another replica, also where it came before that", async () => {
  const { replica, token } = createEndpointReplicas();
  const [a, b] = [replica(), replica()];
  const ada = await token();
  const session = { "Mcp-Session-Id": await b.open(ada) };
  expect(await a.call(ada)).toBeUndefined();
  for (let n = 0; n < 8; n++) expect((await b.post(`invented-${n}`, rpc("ping"))).status).toBe(200);
  expect((await b.post(ada, rpc("ping"), session)).status).toBe(200);
  expect(b.users.size).toBeLessThanOrEqual(5);
});

it("who is away for less than half an hour is still known; then no more, unless a session of theirs is open", async () => {
  const { clock, replica, token } = createEndpointReplicas();
  const a = replica();
  const [ada, bob] = [await token(), await token()];
  const session = { "Mcp-Session-Id": await a.open(bob) };
  await a.call(ada);
  await clock.advance(28 * MINUTE_MS);
  expect(a.users.size).toBe(2);
  await clock.advance(4 * MINUTE_MS);
  expect(a.users.size).toBe(1);
  expect((await a.post(bob, rpc("ping"), session)).status).toBe(200);
});

it("a token that another replica has seen accepted has a newcomer's limits here no longer", async () => {
  const { replica, token } = createEndpointReplicas();
  const [a, b] = [replica(), replica()];
  const ada = await token();
  for (let n = 0; n < 7; n++) await b.open(ada);
  expect((await b.post(ada, initialize())).status).toBe(429);
  expect(await a.call(ada)).toBeUndefined();
  expect((await b.post(ada, initialize())).status).toBe(200);
});

it("a token that the backend refuses by now signs nobody in, at no replica, until it is accepted again", async () => {
  const { replica, token, revoked } = createEndpointReplicas();
  const [a, b] = [replica(), replica()];
  const ada = await token();
  expect([await a.call(ada), await b.call(ada)]).toEqual([undefined, undefined]);
  revoked.add(ada);
  expect(await a.call(ada)).toBe("tool.auth.unauthorized.token_rejected");
  for (const { isAccepted } of [a, b]) expect(await isAccepted(ada)).toBe(false);
  revoked.delete(ada);
  expect(await a.call(ada)).toBeUndefined();
  for (const { isAccepted } of [a, b]) expect(await isAccepted(ada)).toBe(true);
});

it("of two who come at once where there is one place, one is served and the other told so", async () => {
  const { replica, token } = createEndpointReplicas();
  const [a, full] = [replica(), replica({ maxUsers: 1 })];
  const [ada, bob] = [await token(), await token()];
  expect([await a.call(ada), await a.call(bob)]).toEqual([undefined, undefined]);
  const answers = await Promise.all([full.post(ada, rpc("ping")), full.post(bob, rpc("ping"))]);
  expect(answers.map(({ status }) => status)).toEqual([200, 503]);
  expect((await full.post(bob, rpc("ping"))).status).toBe(200); // she is gone, and makes way
});
