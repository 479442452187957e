import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modernClient } from "../../support/clients.ts";
import { initialize, send } from "../../support/endpoint.ts";
import {
  AskingProgram,
  ConsentingPerson,
  LOOPBACK,
  type SignInEndpoint,
  signedIn,
  startSignIn,
} from "../../support/sign-in.ts";

/** A program signs in for its person: what the endpoint says of itself, what it refuses, and what comes of a yes. */

let at: SignInEndpoint;
beforeAll(async () => {
  at = await startSignIn({ args: ["--metrics", "on"] });
});
afterAll(() => at.close());

const document = async (path: string) => send(at.port, { method: "GET", path: `/.well-known/${path}` });
const statusOf = async (token: string) =>
  (await send(at.port, { headers: { Authorization: `Bearer ${token}` }, body: initialize({}) })).status;
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const errorOf = ({ text }: { text: string }) => JSON.parse(text).error as string | undefined;

describe("what a program reads", () => {
  it("401 names the document, which names the endpoint's own sign-in", async () => {
    const refused = await send(at.port, { body: initialize({}) });
    const where = `${at.origin}/.well-known/oauth-protected-resource/mcp`;
    expect([refused.status, refused.json.error.data.code]).toEqual([401, "http.sign_in_first"]);
    expect(refused.json.error.message).toMatch(/^Unauthorized\./); // the inspector signs in where it reads that
    expect(refused.headers["www-authenticate"]).toBe(
      `Bearer realm="towow", resource_metadata="${where}", scope="towow"`,
    );
    const wrong = await send(at.port, { headers: bearer("twa_wrong"), body: initialize({}) });
    expect([wrong.status, wrong.headers["www-authenticate"]]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ]);
    const resource = await document("oauth-protected-resource/mcp");
    expect(JSON.parse(resource.text)).toMatchObject({
      resource: `${at.origin}/mcp`,
      authorization_servers: [at.origin],
    });
    expect(resource.headers["access-control-allow-origin"]).toBe("*");
    for (const method of ["GET", "OPTIONS"]) {
      const path = "/.well-known/oauth-authorization-server/mcp";
      const headers = { Origin: "http://localhost:6274", "Access-Control-Request-Headers": "mcp-protocol-version" };
      const { status, headers: got } = await send(at.port, { method, path, headers });
      expect([status, got["access-control-allow-origin"]]).toEqual([method === "GET" ? 404 : 204, "*"]);
    }
    const server = JSON.parse((await document("oauth-authorization-server")).text);
    expect(server).toMatchObject({
      issuer: at.origin,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
    });
    expect(server.client_id_metadata_document_supported).toBeUndefined(); // no https: no document is fetched
  });

  it("a person reads the bare address, and the way by a token folded", async () => {
    const { text } = await new ConsentingPerson(at).browser.ask(`${at.origin}/`);
    expect(text).toContain(`claude mcp add --transport http towow ${at.url}\nclaude mcp login towow`);
    expect(text).toMatch(/<details><summary>My client cannot sign in<\/summary>.*Authorization: Bearer/s);
  });

  it("under another name there is nothing", async () => {
    for (const path of ["/.well-known/oauth-protected-resource/mcp", "/oauth/token", "/register", "/authorize"])
      expect((await send(at.port, { method: "GET", path, headers: { Host: "evil.example" } })).status).toBe(403);
  });
});

describe("registration", () => {
  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "http://evil.example/cb",
    "https://evil.example/cb#x",
    "https://user@evil.example/cb",
    "cursor:callback",
    "file:///etc/passwd",
    "ftp://evil.example/",
    "intent://evil.example/",
    " https://evil.example/cb",
    "",
    "https:evil.example/cb", // a browser on an https page stays on its host
    "https:/evil.example/cb",
    "http:/127.0.0.1:7/cb",
    "https://evil.example\\@claude.ai/cb",
    "https://claude.ai%2eevil.example/cb",
    "https://x;sandbox/cb", // a policy would read a directive of its own
    "https://x,y/cb",
    "https://*/cb",
    'https://claude.ai"x/cb',
  ])("%s is no address to be led to", async (redirect) => {
    const answer = await new AskingProgram(at).register([redirect]);
    expect([answer.status, errorOf(answer)]).toEqual([400, "invalid_redirect_uri"]);
  });

  it.each([
    "http://127.0.0.1:33418/",
    "http://localhost:3118/callback",
    "https://claude.ai/api/mcp/auth_callback",
    "https://chatgpt.com/connector/oauth/abc",
    "https://vscode.dev/redirect",
    "cursor://anysphere.cursor-mcp/oauth/callback",
  ])("%s is", async (redirect) => {
    const answer = await new AskingProgram(at).register([redirect]);
    expect([answer.status, JSON.parse(answer.text).redirect_uris]).toEqual([201, [redirect]]);
  });

  it("keeps nothing: the id itself says what was registered, and nobody else can write one", async () => {
    const program = new AskingProgram(at);
    const answer = JSON.parse((await program.register([LOOPBACK], { client_name: "<b>Evil</b>\u202E" })).text);
    expect(answer.client_id).toMatch(/^c\.[\w-]+\.[\w-]{43}$/);
    const [, body = ""] = program.clientId.split(".");
    const forged = Buffer.from(
      Buffer.from(body, "base64url").toString().replace(LOOPBACK, "https://evil.example/"),
    ).toString("base64url");
    program.clientId = program.clientId.replace(body, forged);
    program.redirect = "https://evil.example/";
    const led = await new ConsentingPerson(at).opens(program.asks());
    expect([led.status, led.headers.location]).toEqual([400, undefined]);
  });

  it("too many addresses, and what is no list of them", async () => {
    const program = new AskingProgram(at);
    expect(errorOf(await program.register(Array.from({ length: 11 }, () => LOOPBACK)))).toBe("invalid_redirect_uri");
    expect(errorOf(await program.register([]))).toBe("invalid_redirect_uri");
    expect(errorOf(await program.register([{}]))).toBe("invalid_redirect_uri");
    const none = await send(at.port, {
      path: "/register",
      headers: { "Content-Type": "application/json" },
      body: "[]",
    });
    expect([none.status, errorOf(none)]).toEqual([400, "invalid_client_metadata"]);
  });
});

describe("asking", () => {
  const asked = async (more: Record<string, string | undefined>) => {
    const program = new AskingProgram(at);
    await program.register();
    return new ConsentingPerson(at).opens(program.asks(more));
  };

  it.each([
    ["another host", { redirect_uri: "https://evil.example/cb" }],
    ["another path", { redirect_uri: "http://127.0.0.1:7/x" }],
    ["another name of this machine", { redirect_uri: "http://localhost:7/cb" }],
    ["https", { redirect_uri: "https://127.0.0.1:7/cb" }],
    ["none", { redirect_uri: undefined }],
    ["an unknown program", { client_id: "c.eyJ9.x" }],
    ["a program that names an address", { client_id: "https://evil.example/client.json" }],
  ])("%s is led nowhere", async (_, more) => {
    const { status, headers, text } = await asked(more);
    expect([status, headers.location]).toEqual([400, undefined]);
    expect(text).not.toContain("evil.example");
  });

  it.each([
    ["plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["no PKCE", { code_challenge: undefined }, "invalid_request"],
    ["another server's resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["an implicit answer", { response_type: "token" }, "unsupported_response_type"],
    ["an answer unseen", { prompt: "none" }, "interaction_required"],
  ])("%s goes back with the state, and says who answers", async (_, more, error) => {
    const { status, headers } = await asked(more);
    const back = new URL(headers.location ?? "");
    expect([status, back.origin + back.pathname]).toEqual([303, LOOPBACK]);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error, state: "s", iss: at.origin });
  });

  it("a program of this machine takes whatever port is free", async () => {
    expect((await asked({ redirect_uri: "http://127.0.0.1:999/cb" })).status).toBe(200);
  });

  it("a parameter that is given twice is refused, and two programs are none", async () => {
    const program = new AskingProgram(at);
    await program.register();
    const ada = new ConsentingPerson(at);
    const twice = await ada.opens(`${program.asks()}&state=t`);
    expect(new URL(twice.headers.location ?? "").searchParams.get("error")).toBe("invalid_request");
    expect((await ada.opens(`${program.asks()}&client_id=x`)).status).toBe(400);
  });
});

describe("consent", () => {
  it("says first where the answer goes, and the name as the program's own word", async () => {
    const program = new AskingProgram(at);
    await program.register(["https://evil.example/cb"], { client_name: "Claude <script>" });
    program.redirect = "https://evil.example/cb";
    const { text, headers } = await new ConsentingPerson(at).opens(program.asks());
    expect(text).toMatch(/<h1><b class="mono">evil\.example<\/b> wants to take part/);
    expect(text).toContain("“Claude &lt;script&gt;”, as it calls itself");
    expect(headers["content-security-policy"]).toContain("form-action 'self' https://evil.example;");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  });

  it("is not remembered: a program that its person has allowed is asked about again", async () => {
    const { program, person } = await signedIn(at, await at.token());
    const again = await person.opens(program.asks());
    expect([again.status, again.headers.location]).toEqual([200, undefined]);
    expect(again.text).toContain("wants to take part");
  });

  it("leaves nothing of its address in a log or a metric, whatever becomes of it", async () => {
    const program = new AskingProgram(at);
    await program.register();
    const [ada, state] = [new ConsentingPerson(at), "a-state-of-the-program"];
    const { page } = await ada.opens(program.asks({ state }));
    const { headers } = await ada.answers(page, { do: "allow", who: "token", token: await at.token() });
    const code = new URL(headers.location ?? "").searchParams.get("code") ?? "";
    await ada.opens(program.asks({ state, redirect_uri: "https://evil.example/cb" }));
    await ada.answers(page, { do: "allow" });
    const metrics = (await send(at.port, { method: "GET", path: "/metrics" })).text;
    const ticket = new URL(page).pathname.split("/").at(-1) ?? "";
    for (const one of [state, program.challenge, program.clientId, ticket, code, "evil.example"])
      expect(at.log() + metrics).not.toContain(one);
    expect(at.log()).toContain('"route":"/authorize"');
  });

  it("a no goes back at once, and nothing was allowed", async () => {
    const program = new AskingProgram(at);
    await program.register();
    const ada = new ConsentingPerson(at);
    const { page } = await ada.opens(program.asks());
    const { headers, status } = await ada.answers(page, { do: "deny" });
    expect(status).toBe(303);
    const back = Object.fromEntries(new URL(headers.location ?? "").searchParams);
    expect(back).toEqual({ error: "access_denied", state: "s", iss: at.origin });
    const again = await ada.answers(page, { do: "allow", who: "token", token: await at.token() });
    expect([again.status, again.headers.location]).toEqual([410, undefined]);
  });

  it("of two requests in one browser a no ends its own alone", async () => {
    const program = new AskingProgram(at);
    await program.register();
    const ada = new ConsentingPerson(at);
    const { page } = await ada.opens(program.asks());
    const other = await ada.opens(program.asks());
    await ada.answers(page, { do: "deny" });
    const { headers } = await ada.answers(other.page, { do: "allow", who: "token", token: await at.token() });
    expect(headers.location).toContain("code=");
  });

  it("another browser does not answer it, nor another site's form, nor anybody twice", async () => {
    const program = new AskingProgram(at);
    await program.register();
    const token = await at.token();
    const [ada, eve] = [new ConsentingPerson(at), new ConsentingPerson(at)];
    const { page } = await ada.opens(program.asks());
    const yes = { do: "allow", who: "token", token };
    expect((await eve.answers(page, yes)).status).toBe(410);
    expect((await ada.browser.ask(page, yes, { Origin: "https://evil.example" })).status).toBe(403);
    const both = await Promise.all([ada.answers(page, yes), ada.answers(page, yes)]);
    expect(both.filter(({ headers }) => headers.location?.includes("code=")).length).toBe(1);
  });

  it("is given for the person whom its page named; where the browser is another one's by now, that one is asked", async () => {
    const program = new AskingProgram(at);
    await program.register();
    const ada = new ConsentingPerson(at);
    const { page } = await ada.opens(program.asks());
    await ada.answers(page, { do: "check", who: "token", token: await at.token() });
    const idIn = (text: string) => /<dd class="two"><span class="mono">([^<]+)/.exec(text)?.[1];
    const asked = await ada.opens(page);
    await ada.browser.ask(`${at.origin}/browsers`, { token: await at.token() }); // in another tab
    const { status, headers } = await ada.answers(page, { do: "allow" });
    expect([status, headers.location]).toEqual([303, new URL(page).pathname]);
    const now = await ada.opens(page);
    expect(idIn(asked.text)).toBeTruthy();
    expect(idIn(now.text)).toBeTruthy();
    expect(idIn(now.text)).not.toBe(idIn(asked.text));
    expect((await ada.answers(page, { do: "allow" })).headers.location).toContain("code=");
  });

  it("that nobody has answered in a page of their own is nobody's: a form without its person allows nothing", async () => {
    const program = new AskingProgram(at);
    await program.register();
    const ada = new ConsentingPerson(at);
    const { page } = await ada.opens(program.asks());
    await ada.browser.ask(page, { do: "check", who: "token", token: await at.token() });
    const { status, headers } = await ada.browser.ask(page, { do: "allow" });
    expect([status, headers.location]).toEqual([303, new URL(page).pathname]);
  });

  it("a request that names an empty or a short cookie is bound to the browser that brought it even so", async () => {
    const program = new AskingProgram(at);
    await program.register();
    const path = program.asks().slice(at.origin.length);
    for (const value of ["", "x"]) {
      const cookie = { Cookie: `towow_consent=${value}` };
      const { headers } = await send(at.port, { method: "GET", path, headers: cookie });
      expect(headers["set-cookie"]?.[0]).toMatch(/^towow_consent=[\w-]{43};/);
      for (const sent of [{}, cookie])
        expect((await send(at.port, { method: "GET", path: headers.location ?? "", headers: sent })).status).toBe(410);
    }
  });

  it("two programs may ask at once: a browser that is led here by another site sends what it was given", async () => {
    const [one, other] = [new AskingProgram(at), new AskingProgram(at)];
    await Promise.all([one.register(), other.register()]);
    const ada = new ConsentingPerson(at);
    const led = await ada.browser.ask(one.asks(), undefined, { "Sec-Fetch-Site": "cross-site" });
    expect(led.headers["set-cookie"]?.[0]).toContain("SameSite=Lax"); // it is sent along where another site leads, and by no form of one
    const first = await ada.opens(one.asks());
    await ada.opens(other.asks());
    expect((await ada.opens(first.page)).status).toBe(200);
  });

  it("a wrong token lets nobody in, and enter in its field only looks at it", async () => {
    const program = new AskingProgram(at);
    await program.register();
    const ada = new ConsentingPerson(at);
    const { page } = await ada.opens(program.asks());
    const wrong = await ada.answers(page, { do: "allow", who: "token", token: "invented-0123456789-abcdefghij" });
    expect([wrong.status, wrong.headers.location]).toEqual([403, undefined]);
    expect(wrong.text).toContain("Unknown token.");
    const looked = await ada.answers(page, { do: "check", who: "token", token: await at.token() });
    expect([looked.status, looked.headers.location]).toEqual([303, new URL(page).pathname]);
    const known = await ada.opens(page);
    expect(known.text).not.toContain('type="password"');
    expect(known.text).toContain("Not you?");
    expect((await ada.answers(page, { do: "allow" })).headers.location).toContain("code=");
  });

  it("who is new joins, is shown the token once, and goes on", async () => {
    const program = new AskingProgram(at);
    await program.register();
    const ada = new ConsentingPerson(at);
    const { page } = await ada.opens(program.asks());
    const joined = await ada.answers(page, { do: "allow", who: "new" });
    const token = /id="token"[^>]*>([^<]+)</.exec(joined.text)?.[1] ?? "";
    expect(token).toMatch(/^towow_/);
    const { headers } = await ada.answers(page, { do: "allow" });
    const code = new URL(headers.location ?? "").searchParams.get("code") ?? "";
    const issued = JSON.parse((await program.redeem(code)).text);
    expect(issued).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: "towow" });
    expect(await statusOf(issued.access_token)).toBe(200);
    expect(at.log()).not.toContain(token);
  });
});

describe("a code", () => {
  const asking = async () => {
    const [program, person] = [new AskingProgram(at), new ConsentingPerson(at)];
    await program.register();
    return { program, code: await person.allows(program.asks(), { who: "token", token: await at.token() }) };
  };

  it.each([
    ["another verifier", { code_verifier: "x".repeat(43) }],
    ["another program", { client_id: "c.x.y" }],
    ["another address", { redirect_uri: "http://127.0.0.1:8/cb" }],
  ])("with %s gives nothing, then or later", async (_, more) => {
    const { program, code } = await asking();
    expect(errorOf(await program.redeem(code, more))).toBe("invalid_grant");
    expect(errorOf(await program.redeem(code))).toBe("invalid_grant");
  });

  it("is for this endpoint alone", async () => {
    const { program, code } = await asking();
    const answer = await program.redeem(code, { resource: "https://other.example/mcp" });
    expect([answer.status, errorOf(answer)]).toEqual([400, "invalid_target"]);
    expect((await program.redeem(code)).status).toBe(200);
  });

  it("that comes twice ends what came of it", async () => {
    const { program, code } = await asking();
    const { access_token, refresh_token } = JSON.parse((await program.redeem(code)).text);
    expect(await statusOf(access_token)).toBe(200);
    expect(errorOf(await program.redeem(code))).toBe("invalid_grant");
    expect(await statusOf(access_token)).toBe(401);
    expect(errorOf(await program.refresh(refresh_token))).toBe("invalid_grant");
  });
});

describe("tokens", () => {
  it("a program acts for its person, as the account that their own token opens", async () => {
    const token = await at.token();
    const { access } = await signedIn(at, token);
    const [own, granted] = await Promise.all(
      [token, access].map((one) => modernClient({ url: at.url, headers: bearer(one) })),
    );
    const asked = await own?.call("towow_demand", { intent: "A designer", scene_id: at.mock.scenes()[0]?.scene_id });
    const seen = await granted?.call("towow_status", {});
    expect(seen?.result.data.negotiation_id).toBe(asked?.result.data.negotiation_id);
    const metrics = (await send(at.port, { method: "GET", path: "/metrics" })).text;
    expect(metrics).toContain('route="/oauth",status="200"');
    for (const secret of [access, token]) expect(at.log() + metrics).not.toContain(secret);
  });

  it("a refresh token or a code opens nothing by itself, and never reaches the backend", async () => {
    const { refresh } = await signedIn(at, await at.token());
    at.mock.journal.length = 0;
    expect(await statusOf(refresh)).toBe(401);
    expect(await statusOf(`twc_${"x".repeat(43)}`)).toBe(401);
    expect(await statusOf("twa_")).toBe(401);
    expect(at.mock.journal).toEqual([]);
  });

  it("twenty refreshes at once are one family, and nobody is signed out", async () => {
    const { program, refresh } = await signedIn(at, await at.token());
    const answers = await Promise.all(Array.from({ length: 20 }, () => program.refresh(refresh)));
    const issued = answers.map(({ text }) => JSON.parse(text));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(issued.map((one) => one.refresh_token)).size).toBe(1);
    for (const { access_token } of issued.slice(0, 3)) expect(await statusOf(access_token)).toBe(200);
    expect((await program.refresh(issued[0].refresh_token)).status).toBe(200);
  });

  it("another program's refresh is refused", async () => {
    const { program, refresh } = await signedIn(at, await at.token());
    expect(errorOf(await program.refresh(refresh, { client_id: "c.x.y" }))).toBe("invalid_grant");
    expect((await program.refresh(refresh)).status).toBe(200);
  });

  it("given back, either one ends all of it; an unknown one is no error", async () => {
    const [one, other] = [await signedIn(at, await at.token()), await signedIn(at, await at.token())];
    expect((await one.program.form("/oauth/revoke", { token: one.refresh })).status).toBe(200);
    expect(await statusOf(one.access)).toBe(401);
    expect(await statusOf(other.access)).toBe(200);
    await other.program.form("/oauth/revoke", { token: other.access });
    expect(errorOf(await other.program.refresh(other.refresh))).toBe("invalid_grant");
    expect((await one.program.form("/oauth/revoke", { token: "nonsense" })).status).toBe(200);
  });
});
