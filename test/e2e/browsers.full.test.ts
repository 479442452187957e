import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { comeTo, send } from "../ask/page-support.ts";
import { confirms, runningMock } from "../support/backend.ts";
import { CLI, cli, SCRIPT } from "../support/cli.ts";
import { legacyClient, modernClient } from "../support/clients.ts";
import { buttonIn } from "../support/decision-page.ts";
import { temporaryHome } from "../support/home.ts";
import { factsInHome } from "../support/home-facts.ts";
import { atTerminal } from "../support/terminal.ts";

/** A machine without a desktop, as over SSH or in a container: no browser can be opened there (contract §6). */

const INTENT = "A designer for hospital queues";
const FIREFOX = { "user-agent": "Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5; rv:140.0) Gecko/20100101 Firefox/140.0" };

async function machine(policy: "auto" | "strict") {
  const mock = await runningMock();
  const home = await temporaryHome();
  const env = {
    PATH: process.env.PATH ?? "",
    TOWOW_HOME: home,
    TOWOW_BACKEND_URL: mock.url,
    TOWOW_CONFIRMATION_POLICY: policy,
    TOWOW_LANG: "en",
  };
  return { mock, home, env };
}

const linkIn = (text: string) => /http:\/\/127\.0\.0\.1:\d+\/approve\/[\w-]+\/[\w-]+/.exec(text)?.[0] ?? "";
const codeIn = (body: string) => /id="code" data-code="(\d{3}-\d{3})"/.exec(body)?.[1] ?? "";
/** What the page's button sends. */
const yesOn = (body: string) => ({ do: buttonIn(body, "broadcast") ?? "none" });

describe.skipIf(SCRIPT === undefined)("over SSH", () => {
  it.each([
    ["auto", legacyClient],
    ["strict", legacyClient],
    ["auto", modernClient],
    ["strict", modernClient],
  ] as const)(
    "%s, a client without a surface: the result names the terminal, and the person decides there",
    async (policy, connect) => {
      const { mock, env, home } = await machine(policy);
      const session = await connect({ env });
      const demand = await session.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
      const { negotiation_id } = demand.result.data;
      for (const channel of [demand.text, demand.result.summary]) {
        expect(channel).toMatch(/decides? in a terminal on this machine: /);
        expect(channel).toContain(`cli.js confirm ${negotiation_id}`);
      }
      // Under strict no address stands in a result.
      expect(linkIn(JSON.stringify(demand)) !== "").toBe(policy === "auto");
      const user = atTerminal([CLI, "confirm", negotiation_id], env);
      await user.sees(/Written by your AI/);
      await user.sees(/\[a\]ccept/);
      user.types("a");
      user.types(await user.sees(/Type (\d{4})/));
      await user.sees(/on its way/);
      expect(confirms(mock)).toHaveLength(1);
      const { decided } = await factsInHome(home, negotiation_id);
      expect(decided[0]).toMatchObject({ by: "terminal", display: { surface: "terminal", author: "ai" } });
      const status = await session.call("towow_status", { wait: "done" });
      expect(status.result.data.plan_output).toBeTruthy();
    },
  );

  it("strict, a client that opens addresses: its page names the terminal, and its address decides nothing", async () => {
    const { mock, env } = await machine("strict");
    let seen = "";
    const session = await modernClient({ env, pages: true }, async ({ url = "", message }) => {
      const page = await comeTo(url);
      seen = `${message}\n${page.body}`;
      expect((await send(url, { decision: "accept" }, { cookie: String(page.cookie) })).status).toBe(403);
      expect(confirms(mock)).toHaveLength(0);
      const user = atTerminal([CLI, "confirm"], env);
      await user.sees(/Its page shows a code/);
      await user.sees(/The code, or n /);
      user.types("n");
      await user.sees(/\[a\]ccept/);
      user.types("a");
      user.types(await user.sees(/Type (\d{4})/));
      await user.sees(/on its way/);
      return { action: "accept" };
    });
    const demand = await session.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
    expect(demand.result.data).toMatchObject({ decision: "accept", decided_by: "terminal", written_by: "ai" });
    expect(seen).toMatch(/cli\.js confirm neg_\w+</); // as the program was started here
  });

  it("a browser at the other end of a tunnel is let in by its code, decides, is listed, and is revoked", async () => {
    const { mock, env, home } = await machine("auto");
    const session = await modernClient({ env });
    const submit = async (intent: string) => {
      const demand = await session.call("towow_demand", { intent, scene_id: mock.sceneId });
      return { id: demand.result.data.negotiation_id as string, link: linkIn(demand.text) };
    };
    const { id, link } = await submit(INTENT);
    // A tunnel has a port of its own.
    const tunnel = { host: "localhost:9001", ...FIREFOX };
    const first = await comeTo(link, tunnel);
    expect(first.status).toBe(403);
    expect(first.body).toContain(`cli.js confirm ${id}</pre>`);
    expect(String(first.headers["set-cookie"])).toMatch(
      /^towow_browser_[\w-]{21}=[\w-]{42}; Max-Age=600; Path=\/approve; HttpOnly; SameSite=Strict$/,
    );
    const browser = { ...tunnel, cookie: String(first.cookie), origin: "http://localhost:9001" };

    const user = atTerminal([CLI, "confirm"], env);
    await user.sees(/A browser waits to be let in: firefox-mac, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
    await user.sees(/The code, or n /);
    expect(user.screen()).not.toContain(codeIn(first.body));
    user.types(codeIn(first.body).replace("-", " "));
    await user.sees(/firefox-mac can decide for you from now on/);
    expect(await user.exit).toBe(0);
    expect(confirms(mock)).toHaveLength(0);

    const page = await send(link, undefined, browser);
    expect(page.status).toBe(200);
    expect(String(page.headers["set-cookie"])).toContain("Max-Age=15552000");
    expect((await send(`${link}/act`, yesOn(page.body), browser)).status).toBe(303);
    expect((await send(link, undefined, browser)).body).toMatch(/"stage":"(?:decision|negotiating|done)"/);
    expect(confirms(mock)).toHaveLength(1);
    const { decided } = await factsInHome(home, id);
    expect(decided[0]).toMatchObject({ by: "page", display: { browser: "known" } });

    // What is kept: a hash of the secret, for the owner alone.
    const [file = ""] = readdirSync(join(home, "browsers"));
    const path = join(home, "browsers", file);
    expect([statSync(path).mode & 0o777, statSync(join(home, "browsers")).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readFileSync(path, "utf8")).not.toContain(browser.cookie.split("=")[1]);

    const { stdout } = await cli(["whoami"], { env });
    expect(stdout).toMatch(/^Browser +firefox-mac, let in \d{4}-/m);
    const { browsers } = JSON.parse((await cli(["whoami", "--json"], { env })).stdout);
    expect(browsers).toEqual([expect.objectContaining({ name: "firefox-mac" })]);

    const next = await submit(`${INTENT}, and a nurse`);
    const open = await send(next.link, undefined, browser);
    expect(open.status).toBe(200);
    expect(await cli(["forget", "--browser", "chrome-linux"], { env })).toMatchObject({ status: 1 });
    const gone = await cli(["forget", "--browser", "firefox-mac"], { env });
    expect(gone).toMatchObject({ status: 0, stdout: "firefox-mac no longer decides for you.\n" });
    const late = await send(`${next.link}/act`, yesOn(open.body), browser);
    expect(late.status).toBe(403);
    expect(confirms(mock)).toHaveLength(1);
    expect(JSON.parse((await cli(["whoami", "--json"], { env })).stdout).browsers).toEqual([]);
  });

  it("a wrong code lets nobody in, and the demand can be decided on at once", async () => {
    const { mock, env } = await machine("auto");
    const session = await modernClient({ env });
    const demand = await session.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
    const first = await comeTo(linkIn(demand.text), FIREFOX);
    const wrong = codeIn(first.body) === "111-111" ? "222-222" : "111-111";
    const user = atTerminal([CLI, "confirm"], env);
    await user.sees(/The code, or n /);
    user.types(wrong);
    await user.sees(/none\s+was\s+let\s+in[\s\S]*The code, or n /);
    user.types("n");
    await user.sees(/\[a\]ccept/);
    user.types("r");
    await user.exit;
    expect(mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
    expect((await send(linkIn(demand.text), undefined, { ...FIREFOX, cookie: String(first.cookie) })).status).not.toBe(
      200,
    );
  });
});

it("without a terminal nobody is let in: a piped code, a script, a call", async () => {
  const { mock, env } = await machine("auto");
  const session = await modernClient({ env });
  const demand = await session.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
  const first = await comeTo(linkIn(demand.text));
  const piped = await cli(["confirm"], { env, input: `${codeIn(first.body)}\na\n` });
  expect(piped.status).toBe(2);
  expect((await send(linkIn(demand.text), undefined, { cookie: String(first.cookie) })).status).toBe(403);
  expect(confirms(mock)).toHaveLength(0);
});

it("forget --all takes the browsers along", async () => {
  const { mock, env, home } = await machine("auto");
  const session = await modernClient({ env });
  const demand = await session.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
  await comeTo(linkIn(demand.text));
  expect(readdirSync(join(home, "browsers"))).toHaveLength(1);
  await session.close();
  const gone = await cli(["forget", "--all", "--yes", "--force"], { env });
  expect(gone.stdout).toContain("browsers you have let in");
  expect(existsSync(join(home, "browsers"))).toBe(false);
});
