import { expect, it } from "vitest";
import { startEndpoint } from "../support/endpoint.ts";
import { endpointClient } from "../support/endpoint-clients.ts";
import { freePort } from "../support/free-port.ts";
import { httpBrowser } from "../support/http-browser.ts";
import { soon } from "../support/soon.ts";

const REJECTED = { kind: "status", status: 401, times: Number.POSITIVE_INFINITY } as const;

it("a token that the backend refuses from now on is named in its person's room, not an outage", async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const endpoint = await startEndpoint({ args: ["--port", `${port}`, "--public-url", origin] });
  try {
    const token = await endpoint.token();
    const client = await endpointClient("plain", endpoint.url, { token });
    const scene_id = endpoint.mock.scenes()[0]?.scene_id;
    await client.call("towow_demand", { intent: "A designer", scene_id });
    const browser = httpBrowser(port, origin);
    const room = `${origin}${(await browser.ask(`${origin}/room`)).headers.location}`;
    expect((await browser.ask(room, { token })).status).toBe(303);
    const page = async () => (await browser.ask(room)).text;
    await soon(page).toContain('value="broadcast?');
    endpoint.mock.faults.add({ route: "get", kind: "status", status: 401, times: Number.POSITIVE_INFINITY });
    await soon(page).toMatch(/does not accept|has not answered since/);
    expect(await page()).toContain("Check your token for this backend.");
    expect(await page()).not.toContain("has not answered since");
  } finally {
    await endpoint.close();
  }
});

it("signs in at no room and on no page any more, from the first refusal on; who is in the room stays", async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const endpoint = await startEndpoint({ args: ["--port", `${port}`, "--public-url", origin] });
  try {
    const token = await endpoint.token();
    const client = await endpointClient("plain", endpoint.url, { token });
    const scene_id = endpoint.mock.scenes()[0]?.scene_id;
    const { text } = await client.call("towow_demand", { intent: "A designer", scene_id });
    const page = String(/https?:\/\/\S+\/approve\/\w+\/[\w-]+\/[\w-]+/.exec(text)?.[0]);
    const owner = httpBrowser(port, origin);
    const room = `${origin}${(await owner.ask(`${origin}/room`)).headers.location}`;
    expect((await owner.ask(room, { token })).status).toBe(303);
    for (const route of ["scenes.list", "get", "agents.list"] as const)
      endpoint.mock.faults.add({ route, ...REJECTED });
    const refused = await client.call("towow_status", {});
    expect(refused.result.error?.code).toBe("tool.auth.unauthorized.token_rejected");
    const thief = httpBrowser(port, origin);
    for (const address of [room, `${origin}/browsers`, page]) {
      const answer = await thief.ask(address, { token });
      expect(answer.status).toBe(403);
      expect(answer.text).toContain("Unknown token");
    }
    expect(thief.cookies.size).toBe(0);
    expect((await owner.ask(room)).text).not.toContain('type="password"');
  } finally {
    await endpoint.close();
  }
});
