// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables that nobody filled in are what is tested here
import { expect, it, onTestFinished } from "vitest";
import { rpc, send, startEndpoint } from "../support/endpoint.ts";

/** A header that nobody filled in is nobody's account, at a backend that takes every token. */

const INITIALIZE = rpc("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "x", version: "1" },
});
const UNFILLED = ["${TOWOW_TOKEN}", "undefined", "null", "<your-token>", "<your token>", "{env:TOWOW_TOKEN}"];
const MORE = [
  "%TOWOW_TOKEN%",
  "%%TOWOW_TOKEN%%",
  "{env.TOWOW_TOKEN}",
  "$TOWOW_TOKEN",
  "{{TOWOW_TOKEN}}",
  "{{ token }}",
  "'${X}'",
  "[object Object]",
];

async function served() {
  const endpoint = await startEndpoint({ mock: { legacyRoutes: true } });
  onTestFinished(() => endpoint.close());
  return endpoint;
}

it("as a token: refused before the backend is asked, and the header is named", async () => {
  const endpoint = await served();
  const headers = [...UNFILLED, ...MORE].map((value) => `Bearer ${value}`);
  for (const Authorization of [...headers, "${AUTHORIZATION}", "bearer  undefined"])
    for (const body of [INITIALIZE, rpc("ping")]) {
      const { status, json } = await send(endpoint.port, { headers: { Authorization }, body });
      expect([Authorization, status, json.error?.data?.code]).toEqual([Authorization, 400, "http.token_unfilled"]);
      expect(json.error?.message).toMatch(/^Authorization holds a placeholder .* Put your own Towow token there/);
    }
  expect(endpoint.mock.journal).toEqual([]);
  const real = { headers: { Authorization: "Bearer a-real-token" }, body: INITIALIZE };
  expect((await send(endpoint.port, real)).status).toBe(200);
});

it("as a user's id: refused as well, with the home's key too", async () => {
  const endpoint = await served();
  for (const token of ["a-real-token", endpoint.homeKey()])
    for (const id of [...UNFILLED, ...MORE].filter((value) => !value.includes(" "))) {
      const headers = { Authorization: `Bearer ${token}`, "X-Towow-User-Id": id };
      const { status, json } = await send(endpoint.port, { headers, body: INITIALIZE });
      expect([id, status, json.error?.data?.code]).toEqual([id, 400, "http.user_id_unfilled"]);
      expect(json.error?.message).toMatch(/^X-Towow-User-Id holds a placeholder/);
    }
  expect(endpoint.mock.journal).toEqual([]);
});
