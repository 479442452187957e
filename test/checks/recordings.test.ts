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
    offer_content: { text_2: "text_3", text_4: "text_1" },
    agent_id: "person_1",
    plan_output: null,
  });
});

/** All that follows names Lin Wei, her street, her pay or her work, where this program expects no person. */
const SCENES = "/v1/api/scenes";
const NEGOTIATION = { negotiation_id: "neg_dca7c6d55140", state: "offering", demand_raw: "x" };
it.each<[string, Partial<Recording["request"]>, number, unknown]>([
  ["a field that is new", {}, 200, { scenes: [], organizer_name: "Lin Wei", about: ["Baker in 12 Mill Lane"] }],
  ["a list by people's names", {}, 200, { scenes: [], by_name: { "Lin Wei": { "towow_lin-wei": true } } }],
  ["a name as the name of a field", {}, 200, { scenes: [], plan_output: { "Lin Wei": "bakes", Baker: { x: 1 } } }],
  ["a number", {}, 200, { scenes: [], pay: 48213, plan_output: { pay: 48213, phone: 13812345678 } }],
  ["a word as a state", {}, 200, { scenes: [], status: "Lin Wei is away", source: "Mill Lane", scene_id: "lin-wei" }],
  ["an address", { path: `${SCENES}?owner=lin-wei&lin-wei=Baker` }, 200, { scenes: [] }],
  ["a part of an address", { path: `${SCENES}/lin-wei/agents/Lin%20Wei` }, 404, { detail: "Not Found" }],
  ["a failure's sentence", {}, 500, "<h1>Traceback: no oven for Lin Wei</h1>"],
  [
    "a failure that repeats the input",
    {},
    422,
    { detail: [{ loc: ["body", "Lin Wei"], msg: "Lin?", input: "Baker" }] },
  ],
  [
    "an agent that is there",
    { body: { agent_id: "lin-wei" } },
    409,
    { detail: "Agent lin-wei already registered in scene" },
  ],
])("nothing of a person stays: %s", (_, request, status, body) => {
  const raw = { ...RECORDING, request: { ...RECORDING.request, ...request }, response: { status, headers: {}, body } };
  const clean = cleaned(raw);
  expect(JSON.stringify(clean)).not.toMatch(/lin.{0,3}wei|baker|mill lane|oven|48213|13812345678/i);
  expect(problemsOf(clean)).toEqual([]);
});

it("what the contract knows to be no person's stays: ids, states, figures, and what a failure says of itself", () => {
  const good = {
    ...NEGOTIATION,
    participants: [{ agent_id: "lin", resonance_score: 0.58, state: "active" }],
    depth: 1,
  };
  const missing = { detail: [{ loc: ["body", "intent"], msg: "field required", type: "value_error.missing" }] };
  for (const body of [good, missing, { detail: "Scene scene_6f091868789f not found" }, "Internal Server Error"]) {
    const clean = cleaned({ ...RECORDING, response: { ...RECORDING.response, body } }).response.body;
    expect(clean).toEqual(JSON.parse(JSON.stringify(body).replace('"x"', '"text_1"').replace('"lin"', '"person_1"')));
  }
});

it("a proxy asks its own backend alone, and names its files only", async () => {
  const to = mkdtempSync(join(tmpdir(), "towow-recordings-"));
  const [mock, elsewhere] = [createMockBackend({ auth: false }), createMockBackend({ auth: false })];
  const { url: of } = await mock.listen(0);
  const other = await elsewhere.listen(0);
  const proxy = await recordingProxy({ of, to, name: "mock" });
  onTestFinished(async () => {
    await proxy.close();
    await Promise.all([mock.close(), elsewhere.close()]);
    rmSync(to, { recursive: true });
  });
  await fetch(`${proxy.url}//${new URL(other.url).host}/v1/api/scenes`).catch(() => {});
  expect(elsewhere.journal).toEqual([]);
  await expect(recordingProxy({ of, to, name: "../x" })).rejects.toThrow();
});
