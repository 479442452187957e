import { expect, it, onTestFinished } from "vitest";
import { send, startEndpoint } from "../support/endpoint.ts";

it("the endpoint's own address in a browser: what it is and how clients connect, in the person's language", async () => {
  const { port, close } = await startEndpoint();
  onTestFinished(close);
  const get = (language: string, host = `127.0.0.1:${port}`) =>
    send(port, { method: "GET", path: "/", headers: { Host: host, Accept: "text/html", "Accept-Language": language } });
  const { status, text } = await get("en-GB,en;q=0.9");
  expect(status).toBe(200);
  expect(text).toContain('<html lang="en">');
  expect(text).toContain("<title>Towow for MCP clients</title>");
  expect(text).toContain(`claude mcp add --transport http towow http://127.0.0.1:${port}/mcp --header`);
  expect((await get("zh-CN")).text).toContain("接入你的客户端，并把");
  // A name that is not served is named nowhere.
  const foreign = await get("en", "evil.example");
  expect([foreign.status, foreign.text.includes("evil.example")]).toEqual([403, false]);
});
