import { expect, it } from "vitest";
import { send, startEndpoint } from "../support/endpoint.ts";

it("a client that tries to sign itself up is told to send its person's token, and a rebound host nothing", async () => {
  const { port } = await startEndpoint();
  const register = (host: string) =>
    send(port, { path: "/register", headers: { Host: host, "Content-Type": "application/json" }, body: "{}" });
  const { status, json } = await register(`127.0.0.1:${port}`);
  expect(status).toBe(403);
  const { error, error_description } = json;
  expect(error).toBe("access_denied");
  expect(error_description).toContain(`http://127.0.0.1:${port}/mcp --header "Authorization: Bearer <token>"`);
  expect((await register("evil.example")).text).not.toContain("evil.example");
});
