import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, expect, it } from "vitest";
import { initialize, send } from "../../support/endpoint.ts";
import { ConsentingPerson, LOOPBACK, type SignInEndpoint, startSignIn } from "../../support/sign-in.ts";

/** Libraries that others sign in with, from the bare address on. */

let at: SignInEndpoint;
beforeAll(async () => {
  at = await startSignIn();
});
afterAll(() => at.close());

const led = async (address: URL): Promise<URL> => {
  const person = new ConsentingPerson(at);
  const { page } = await person.opens(address.href);
  const { headers } = await person.answers(page, { do: "allow", who: "token", token: await at.token() });
  return new URL(headers.location ?? "");
};

it.each(["modern", "legacy"] as const)(
  "the SDK's own client, %s: signs in, calls, and renews a dead token",
  async (era) => {
    let asked: URL | undefined;
    let known: never;
    let tokens: { access_token: string; refresh_token?: string } | undefined;
    let verifier = "";
    const authProvider = {
      redirectUrl: LOOPBACK,
      clientMetadata: {
        client_name: `SDK ${era}`,
        redirect_uris: [LOOPBACK],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
      state: () => "st",
      clientInformation: () => known,
      saveClientInformation: (it: never) => {
        known = it;
      },
      tokens: () => tokens as never,
      saveTokens: (it: never) => {
        tokens = it;
      },
      redirectToAuthorization: (url: URL) => {
        asked = url;
      },
      saveCodeVerifier: (it: string) => {
        verifier = it;
      },
      codeVerifier: () => verifier,
    };
    const options = {
      versionNegotiation: { mode: era === "modern" ? ({ pin: "2026-07-28" } as const) : ("legacy" as const) },
    };
    const transport = () => new StreamableHTTPClientTransport(new URL(at.url), { authProvider });
    const first = transport();
    await expect(new Client({ name: "x", version: "0" }, options).connect(first)).rejects.toBeInstanceOf(
      UnauthorizedError,
    );
    const back = await led(asked as URL);
    expect(back.searchParams.get("iss")).toBe(at.origin);
    await first.finishAuth(back.searchParams);
    const client = new Client({ name: "x", version: "0" }, options);
    await client.connect(transport());
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("towow_demand");
    const before = tokens?.refresh_token;
    tokens = { ...(tokens as NonNullable<typeof tokens>), access_token: "twa_dead" };
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    expect([tokens.access_token === "twa_dead", tokens.refresh_token === before]).toEqual([false, false]);
    await client.close();
  },
);

it("oauth4webapi: discovers, registers, signs in, renews and gives back", async () => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const resource = await oauth
    .resourceDiscoveryRequest(new URL(at.url), insecure)
    .then((answer) => oauth.processResourceDiscoveryResponse(new URL(at.url), answer));
  const issuer = new URL(resource.authorization_servers?.[0] ?? "");
  const server = await oauth
    .discoveryRequest(issuer, { ...insecure, algorithm: "oauth2" })
    .then((answer) => oauth.processDiscoveryResponse(issuer, answer));
  const registration = { redirect_uris: [LOOPBACK], token_endpoint_auth_method: "none" };
  const client = await oauth
    .dynamicClientRegistrationRequest(server, registration, insecure)
    .then((answer) => oauth.processDynamicClientRegistrationResponse(answer));
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(server.authorization_endpoint ?? "");
  const query = {
    client_id: client.client_id,
    redirect_uri: LOOPBACK,
    response_type: "code",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    resource: at.url,
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  const answer = oauth.validateAuthResponse(server, client, await led(address), state);
  const none = oauth.None();
  const issued = await oauth
    .authorizationCodeGrantRequest(server, client, none, answer, LOOPBACK, verifier, insecure)
    .then((it) => oauth.processAuthorizationCodeResponse(server, client, it));
  const renewed = await oauth
    .refreshTokenGrantRequest(server, client, none, issued.refresh_token ?? "", insecure)
    .then((it) => oauth.processRefreshTokenResponse(server, client, it));
  const statusOf = async (token: string) =>
    (await send(at.port, { headers: { Authorization: `Bearer ${token}` }, body: initialize({}) })).status;
  expect([await statusOf(issued.access_token), await statusOf(renewed.access_token)]).toEqual([200, 200]);
  await oauth
    .revocationRequest(server, client, none, renewed.refresh_token ?? "", insecure)
    .then(oauth.processRevocationResponse);
  expect(await statusOf(renewed.access_token)).toBe(401);
  // What it was refused for is said in the words of the protocol.
  await expect(
    oauth
      .refreshTokenGrantRequest(server, client, none, renewed.refresh_token ?? "", insecure)
      .then((it) => oauth.processRefreshTokenResponse(server, client, it)),
  ).rejects.toMatchObject({ error: "invalid_grant" });
});
