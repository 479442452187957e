import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { alongside } from "../../journeys/alongside.ts";
import { type EndpointOptions, initialize, send, startEndpoint } from "../../support/endpoint.ts";
import { makeHome } from "../../support/home.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { AskingProgram, ConsentingPerson, signedIn, startSignIn } from "../../support/sign-in.ts";

/** Where programs can sign in at an endpoint, and what it says of that. */

const PUBLIC = "https://mcp.example";

async function serving(options: EndpointOptions = {}, host = PUBLIC) {
  const endpoint = await startEndpoint(options);
  onTestFinished(() => endpoint.close());
  const get = (path: string, headers = {}) =>
    send(endpoint.port, { method: "GET", path, headers: { Host: new URL(host).host, ...headers } });
  return { endpoint, get };
}

it.each<[string, string[], Record<string, string>, boolean]>([
  ["with a public address", ["--public-url", PUBLIC], {}, true],
  ["for this machine alone", [], {}, true],
  ["with a public address, turned off", ["--public-url", PUBLIC, "--sign-in", "off"], {}, false],
  ["for this machine alone, turned off in the environment", [], { TOWOW_SIGN_IN: "off" }, false],
  ["under other names, without a public address: there is no page", ["--allowed-hosts", "mcp.example"], {}, false],
])("%s", async (_, args, env, isOn) => {
  const host = args.includes(PUBLIC) || args.includes("mcp.example") ? PUBLIC : "http://localhost";
  const { endpoint, get } = await serving({ args, env }, host);
  const where = `${args.includes(PUBLIC) ? PUBLIC : host}/.well-known/oauth-protected-resource/mcp`;
  const refused = await send(endpoint.port, { headers: { Host: new URL(host).host }, body: initialize({}) });
  expect([refused.status, refused.json.error.data.code]).toEqual([
    401,
    isOn ? "http.sign_in_first" : "http.unauthorized",
  ]);
  expect(refused.headers["www-authenticate"]?.includes(where)).toBe(isOn);
  expect((await get("/.well-known/oauth-protected-resource/mcp")).status).toBe(isOn ? 200 : 404);
  const front = (await get("/", { Accept: "text/html" })).text;
  expect([front.includes("claude mcp login towow"), front.includes("/mcp --header")]).toEqual([isOn, !isOn]);
  // Its operator reads that it is on, the address that clients take, and how it is switched off.
  const address = args.includes(PUBLIC) ? `${PUBLIC}/mcp` : endpoint.url;
  const said = `Sign-in is on (--sign-in off ends it): a client needs only the address ${address}, `;
  expect([endpoint.out().includes(said), endpoint.out().includes("Sign-in")]).toEqual([isOn, isOn]);
});

it.each<[string, string[], boolean]>([
  ["with https", [], true],
  ["turned off", ["--client-documents", "off"], false],
  ["under offline", ["--profile", "offline"], false],
])("documents of programs are fetched %s: %s", async (_, args, isFetched) => {
  const { get } = await serving({ args: ["--public-url", PUBLIC, ...args] });
  const { text } = await get("/.well-known/oauth-authorization-server");
  expect(JSON.parse(text).client_id_metadata_document_supported === true).toBe(isFetched);
});

it("where the home takes no files, programs sign in for as long as it runs", async () => {
  const home = makeHome();
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "sign-in"), "");
  const at = await startSignIn({ home });
  onTestFinished(() => at.close());
  const { access } = await signedIn(at, await at.token());
  const { status } = await send(at.port, { headers: { Authorization: `Bearer ${access}` }, body: initialize({}) });
  expect([status, at.events("sign_ins_in_memory").length]).toEqual([200, 1]);
});

const minted = ({ journal }: { journal: readonly { method: string; path: string }[] }) =>
  journal.filter(({ method, path }) => method === "POST" && path === "/v1/api/auth/mcp-token").length;

it("where the operator lets no visitors join, nobody is made at the page of a program either", async () => {
  const at = await startSignIn({ args: ["--token-page", "off"] });
  onTestFinished(() => at.close());
  const [program, person] = [new AskingProgram(at), new ConsentingPerson(at)];
  await program.register();
  const { page, text } = await person.opens(program.asks());
  expect(text).not.toContain("I am new here");
  const answer = await person.answers(page, { do: "allow", who: "new" });
  expect([answer.status, answer.headers.location, minted(at.mock)]).toEqual([503, undefined, 0]);
});

it("those who join at the pages of programs are ten in ten seconds, all together", async () => {
  const clock = new ManualClock();
  const at = await startSignIn({ clock });
  onTestFinished(() => alongside(clock, at.close()));
  const asking = Array.from({ length: 15 }, async () => {
    const [program, person] = [new AskingProgram(at), new ConsentingPerson(at)];
    await program.register();
    const { page } = await person.opens(program.asks());
    return () => person.answers(page, { do: "allow", who: "new" });
  });
  const joins = await alongside(clock, Promise.all(asking));
  const answers = await alongside(clock, Promise.all(joins.map((join) => join())));
  expect([minted(at.mock), answers.filter(({ status }) => status === 429).length]).toEqual([10, 5]);
});
