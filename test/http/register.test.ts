import { expect, it, onTestFinished } from "vitest";
import { send, startEndpoint } from "../support/endpoint.ts";

it("where nobody signs in, a client that tries to sign itself up is told to send its person's token, and a rebound host nothing", async () => {
  const { port, close } = await startEndpoint({ args: ["--sign-in", "off"] });
  onTestFinished(close);
  const register = (host: string) =>
    send(port, { path: "/register", headers: { Host: host, "Content-Type": "application/json" }, body: "{}" });
  const { status, json, text } = await register(`127.0.0.1:${port}`);
  expect(status).toBe(403);
  expect(json.error).toBe("access_denied");
  expect(json.error_description).toContain("--header 'Authorization: Bearer <token>'");
  // Of `claude mcp list` so much of it is seen; and nowhere in Claude Code the path of an address.
  expect(text.slice(0, 42)).toContain("Your token is missi");
  expect(text).not.toContain("http:");
  expect((await register("evil.example")).text).not.toContain("evil.example");
});
