import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { recordingProxy } from "../../checks/recordings/proxy.ts";
import { cleaned, problemsOf, type Recording, withPromoted } from "../../checks/recordings/recording.ts";
import { createMockBackend } from "../../mock-backend/main.ts";

/** Recordings of a live backend become fixtures only after cleaning and verification. */

const SECRET = ["sk", "live", "0123456789abcdef0123"].join("-");

it("a proxy before a backend writes what passes, clean, and each of it may become a fixture", async () => {
  const to = mkdtempSync(join(tmpdir(), "towow-recordings-"));
  const mock = createMockBackend({ auth: false, stepMs: 5, seed: 3 });
  const { url } = await mock.listen(0);
  const proxy = await recordingProxy({ of: url, to, name: "mock" });
  onTestFinished(async () => {
    await proxy.close();
    await mock.close();
    rmSync(to, { recursive: true });
  });
  const headers = { "content-type": "application/json", authorization: `Bearer ${SECRET}`, "x-request-id": "r1" };
  const send = (path: string, body?: object) =>
    fetch(`${proxy.url}/v1/api${path}`, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
  const scene_id = mock.scenes()[0]?.scene_id ?? "";
  expect((await send("/scenes")).status).toBe(200);
  const demand = { scene_id, user_id: "towow_real-person", intent: "Call me: 13812345678, lin@example.org" };
  const { negotiation_id } = (await (await send("/negotiations/submit", demand)).json()) as { negotiation_id: string };
  expect((await send(`/negotiations/${negotiation_id}`)).status).toBe(200);
  expect((await send("/negotiations/neg_none")).status).toBe(404);
  const files = readdirSync(to);
  expect(files).toHaveLength(4);
  for (const file of files) {
    const text = readFileSync(join(to, file), "utf8");
    for (const secret of [SECRET, "13812345678", "lin@example.org", "towow_real-person", "r1", "Call me"])
      expect(text, file).not.toContain(secret);
    expect(problemsOf(JSON.parse(text)), file).toEqual([]);
  }
});

const RECORDING: Recording = {
  name: "one",
  request: { method: "GET", path: "/v1/api/scenes", headers: {}, body: null },
  response: { status: 200, headers: { "content-type": "application/json" }, body: { scenes: [] } },
};

it.each([
  ["a secret", { ...RECORDING, note: `Bearer ${SECRET}` }],
  ["personal data", { ...RECORDING, response: { ...RECORDING.response, body: { scenes: [], by: "13812345678" } } }],
  ["a head too many", { ...RECORDING, request: { ...RECORDING.request, headers: { cookie: "a=b" } } }],
  ["another shape", { ...RECORDING, response: { ...RECORDING.response, body: { scenes: 3 } } }],
  ["an unknown route", { ...RECORDING, request: { ...RECORDING.request, path: "/v1/api/secrets" } }],
  ["a name that climbs", { ...RECORDING, name: "../x" }],
  ["no recording", { name: "x" }],
])("%s is refused", (_, recording) => {
  expect(problemsOf(recording)).not.toEqual([]);
});

it("what is clean stays as it is", () => {
  expect(problemsOf(RECORDING)).toEqual([]);
  expect(cleaned(cleaned(RECORDING))).toEqual(cleaned(RECORDING));
});

it("what passes is added to the fixtures, a line each, and what does not stops all of it", () => {
  const fixtures = '{\n"first": {"name":"first","score":0.0}\n}\n';
  const text = withPromoted(fixtures, [RECORDING]);
  expect(JSON.parse(text)).toEqual({ first: { name: "first", score: 0 }, one: RECORDING });
  expect(text).toContain("0.0");
  expect(text.trimEnd().split("\n")).toHaveLength(4);
  expect(() => withPromoted(fixtures, [RECORDING, { ...RECORDING, name: "first" }])).toThrow("of that name");
  expect(() => withPromoted(fixtures, [{ ...RECORDING, note: `Bearer ${SECRET}` }])).toThrow("not clean");
  const wire = readFileSync(new URL("../wire.json", import.meta.url), "utf8");
  expect(withPromoted(wire, [])).toBe(wire);
});

it("a name and an offer of a real person leave only whether they are the same", () => {
  const body = {
    display_name: "Lin",
    offer_content: { text: "I can", by: "Lin" },
    agent_id: "towow_lin",
    plan_output: null,
  };
  expect(cleaned({ ...RECORDING, response: { ...RECORDING.response, body } }).response.body).toEqual({
    display_name: "text_1",
    offer_content: { text: "text_2", by: "text_1" },
    agent_id: "person_1",
    plan_output: null,
  });
});
