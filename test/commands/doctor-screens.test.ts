import { chmodSync } from "node:fs";
import type { RequestListener } from "node:http";
import { describe, it } from "vitest";
import { expectScreens, LANGS, type Lang, type Screens } from "../support/screens.ts";
import { answering, besides, type Machine, machine, machineWithBackend, NOON, unwrapped } from "./screens-support.ts";

/** What `towow-mcp doctor` says, in each state that it can find. Of all but the first three only what those do not say. */

const json =
  (status: number, body: string, head: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { "content-type": "application/json", "retry-after": "0", ...head }).end(body);
const UNKNOWN = '{"detail":"Negotiation x not found"}';

const examined = async (it: Machine, env: Record<string, string> = {}) => unwrapped(await it.runs("doctor", { env }));
const inOrder = async (lang: Lang) => {
  const it = await machineWithBackend(lang);
  await it.runs("call towow_list_scenes --mode developer");
  return examined(it);
};
/** With this in the home, and no network. */
const withFile =
  (text: string | Buffer | object, env = {}) =>
  async (lang: Lang) => {
    const it = await machine(lang);
    it.write(".towow/config.json", typeof text === "string" || Buffer.isBuffer(text) ? text : JSON.stringify(text));
    return examined(it, env);
  };
const withBackend =
  (listener: RequestListener, env = {}) =>
  async (lang: Lang) => {
    const it = await machine(lang);
    return examined(it, { TOWOW_BACKEND_URL: await answering(it, listener), ...env });
  };

/** The first screens stand whole. */
const WHOLE = 3;

const SURVEY: Record<string, (lang: Lang) => Promise<string>> = {
  "in order": inOrder,
  "nothing is there yet": async (lang) => examined(await machine(lang)),
  "a backend that no call has been made to": async (lang) => examined(await machineWithBackend(lang)),
  "a corrupt file that others can read": async (lang) => {
    const it = await machine(lang);
    it.write(".towow/config.json", "{ no", 0o644);
    chmodSync(it.home, 0o755);
    return examined(it);
  },
  "a file in UTF-16": withFile(Buffer.from('\uFEFF{ "mode": "developer" }', "utf16le")),
  "a key twice": withFile('{"mode":"normal","mode":"developer"}'),
  "values that do not fit": withFile(
    { mode: "odd", backend_url: "http://towow.example", "bakend url": 1, exclude_tools: "towow_odd" },
    { TOWOW_WAIT_BUDGET_S: "soon" },
  ),
  "settings that hold back": withFile({ profile: "dry_run", on_unconfirmed: "leave", wait_budget_s: 30 }),
  "an endpoint that cannot fetch the documents of programs": withFile(
    {},
    {
      TOWOW_SIGN_IN: "on",
      TOWOW_PUBLIC_URL: "https://mcp.example",
      HTTPS_PROXY: "http://127.0.0.1:1", // nobody listens there
    },
  ),
  "an environment that would loosen": withFile(
    { confirmation_policy: "strict" },
    { TOWOW_CONFIRMATION_POLICY: "auto" },
  ),
  "a home that is a file": async (lang) => {
    const it = await machine(lang);
    it.write("file", "x");
    return examined(it, { TOWOW_HOME: `${it.base}/file` });
  },
  "a home below a file": async (lang) => {
    const it = await machine(lang);
    it.write("file", "x");
    return examined(it, { TOWOW_HOME: `${it.base}/file/below` });
  },
  "a folder in the place of config.json": async (lang) => {
    const it = await machine(lang);
    it.write(".towow/config.json/x", "x");
    return examined(it);
  },
  "a file in the place of the history": async (lang) => {
    const it = await machine(lang);
    it.write(".towow/history", "x");
    return examined(it);
  },
  "today's backend": async (lang) => examined(await machineWithBackend(lang, { legacyRoutes: true })),
  "the sandbox, asleep": withFile({ backend_url: "sandbox" }),
  "nobody is there": async (lang) => {
    const it = await machineWithBackend(lang);
    await it.mock.close();
    return examined(it);
  },
  "a web page": withBackend((_, response) => void response.writeHead(200).end("<html>Log in</html>")),
  "another service": withBackend(json(404, '{"detail":"Not Found"}')),
  "an answer in another shape": withBackend(json(200, '{"hello":1}')),
  "it sends to another place": withBackend(json(302, "", { location: "https://elsewhere.example/" })),
  "it wants a token of everybody": withBackend(json(401, '{"detail":"Who?"}')),
  "it answers 403": withBackend(json(403, '{"detail":"no"}')),
  "every other refusal, a line each": async (lang) => {
    const it = await machine(lang);
    const lines: string[] = [];
    for (const status of [400, 408, 418, 422, 429, 500, 502, 503]) {
      const url = await answering(it, json(status, '{"detail":"no"}'));
      const all = await examined(it, { TOWOW_BACKEND_URL: url });
      lines.push(...(/^✗.*\n.*$/m.exec(all) ?? [`${status}: no problem`]));
    }
    return lines.join("\n");
  },
  "it cannot confirm": withBackend(({ url }, response) => {
    const known = /negotiations\/[^/]+$/.test(url ?? "");
    json(404, known ? UNKNOWN : '{"detail":"Not Found"}')(undefined as never, response as never);
  }),
  "its clock is ten minutes ahead": withBackend(json(404, UNKNOWN, { date: new Date(NOON + 600_000).toUTCString() })),
  "its clock is ten minutes behind": withBackend(json(404, UNKNOWN, { date: new Date(NOON - 600_000).toUTCString() })),
  "a proxy in the way, its password hidden": async (lang) => {
    const it = await machineWithBackend(lang);
    return examined(it, { HTTP_PROXY: "http://me:hunter2@127.0.0.1:9", NO_PROXY: "towow.example" });
  },
  "a proxy that is left out": async (lang) => {
    const it = await machineWithBackend(lang);
    return examined(it, { HTTP_PROXY: "http://127.0.0.1:9", NO_PROXY: "localhost,127.0.0.1" });
  },
  "a proxy that is no address": withFile({ backend_url: "https://towow.example" }, { HTTPS_PROXY: "no address" }),
  "the token is refused": async (lang) => {
    const it = await machineWithBackend(lang);
    await it.runs("call towow_list_scenes --mode developer");
    it.mock.expireTokens();
    return examined(it);
  },
  "the token has expired": async (lang) => {
    const it = await machineWithBackend(lang);
    const identity = {
      user_id: "u-1",
      api_token: "t",
      issued_at: "2019-12-31T00:00:00Z",
      expires_at: "2020-01-01T00:00:00Z",
    };
    it.write(
      ".towow/config.json",
      JSON.stringify({ backend_url: it.mock.url, identities: { [it.mock.url]: identity } }),
    );
    return examined(it);
  },
  "a token from the environment, before its first use": async (lang) =>
    examined(await machineWithBackend(lang), { TOWOW_API_TOKEN: "not-a-token-of-anybody" }),
  "a token that nothing shows to be valid": async (lang) => {
    const it = await machineWithBackend(lang, { legacyRoutes: true });
    const identities = { [it.mock.url]: { user_id: "u-1", api_token: "not-a-token-of-anybody" } };
    it.write(".towow/config.json", JSON.stringify({ backend_url: it.mock.url, identities }));
    return examined(it);
  },
  "demands that wait, one of them at another backend": async (lang) => {
    const it = await machineWithBackend(lang, { auth: false });
    await it.demand({ intent: "A designer" });
    const there = it.mock.url.replace("127.0.0.1", "localhost");
    await it.facts.create({ origin: there, id: "neg_elsewhere" }, "submitted", {
      at: NOON - 60_000,
      user_id: "u-1",
      deadline_at: NOON + 240_000,
      owner: it.owner,
    });
    return examined(it);
  },
  "clients: there, not there, starting nothing, unreadable": async (lang) => {
    const it = await machine(lang);
    const starts = (command: string, more = {}) => JSON.stringify({ mcpServers: { towow: { command, ...more } } });
    it.write(".cursor/mcp.json", starts(process.execPath));
    it.write(".gemini/settings.json", starts("/nowhere/towow-mcp"));
    it.write(".config/opencode/opencode.json", "{");
    it.write(".codex/config.toml", 'model = "x"\n');
    return examined(it);
  },
  "a client where it is switched off": async (lang) => {
    const it = await machine(lang);
    it.write(".cursor/mcp.json", JSON.stringify({ mcpServers: { towow: { command: "towow-mcp", disabled: true } } }));
    return examined(it);
  },
  "what Node itself reads": withFile(
    {},
    { NODE_OPTIONS: "--no-warnings", NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_DEBUG: "http" },
  ),
};

describe.each(LANGS)("doctor: %s", (lang) => {
  it("says what it finds in each state", async () => {
    const screens: Record<string, string> = {};
    for (const [name, state] of Object.entries(SURVEY)) screens[name] = await state(lang);
    await expectScreens("doctor", lang, besides(screens as Screens, WHOLE));
  });
});
