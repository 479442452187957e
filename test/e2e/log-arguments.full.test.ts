import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { failureOf } from "../../src/log.ts";
import { TOOLS } from "../../src/tools/index.ts";
import { runningMock } from "../support/backend.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";

const MARK = "Mark4711";
const PHONE = "+8613800138000";
/** In each type that an argument may have, and in shapes that no argument has. */
const MARKED: unknown[] = [
  MARK,
  `${MARK} ${PHONE}`,
  `neg_${MARK}`,
  `scene_${MARK}`,
  `https://x.test/${MARK}?q=${PHONE}`,
  `{"${MARK}": ${PHONE}`,
  `${MARK}\n    at ${PHONE} (x.ts:1:1)`,
  "x".repeat(210_000) + MARK,
  [MARK],
  { [MARK]: PHONE },
  { skills: [MARK, { [MARK]: MARK }], bio: PHONE, [MARK]: [MARK] },
];

it("no argument's value or unknown name, valid or not, reaches the log at any level", async () => {
  const mock = await runningMock();
  const home = await temporaryHome();
  const env = { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url, TOWOW_LOG_LEVEL: "debug", TOWOW_MODE: "developer" };
  let stderr = "";
  const session = await legacyClient({ env: { ...env, TOWOW_WAIT_BUDGET_S: "1" }, onStderr: (t) => (stderr += t) });
  const call = (name: string, args: Record<string, unknown>) => session.call(name, args).catch(() => undefined);
  for (const tool of TOOLS) {
    const fields = Object.keys((tool.input as unknown as { shape: object }).shape);
    if (tool.name !== "towow_docs_list") expect(fields.length).toBeGreaterThan(0);
    for (const value of MARKED) {
      await call(tool.name, Object.fromEntries(fields.map((field) => [field, value])));
      for (const field of fields) await call(tool.name, { ...REQUIRED[tool.name]?.(mock.sceneId), [field]: value });
      await call(tool.name, { [`${value}`.slice(0, 200)]: value });
    }
  }
  await call(`towow_${MARK}`, { [MARK]: PHONE });
  // What the backend answers about them must not get there either.
  for (const kind of ["html", "wrong_shape", "cut_body"] as const) {
    mock.faults.add({ route: "submit", kind });
    await call("towow_submit_demand", { scene_id: mock.sceneId, intent: `${MARK} ${kind}`, allow_duplicate: true });
  }
  await session.close();
  const log = readFileSync(join(home, "logs", "towow.log"), "utf8");
  expect(log).toContain("tool_failed");
  expect(stderr).toContain("agent_tool_done");
  for (const text of [log, stderr]) {
    const found = text.split("\n").filter((line) => line.includes(MARK) || line.includes("13800138000"));
    expect([...new Set(found.map((line) => line.replace(/"(time|pid|duration_ms)":\d+,?/g, "")))]).toEqual([]);
  }
});

/** What a tool needs beside the argument that is tried. */
const REQUIRED: Record<string, (scene: string) => Record<string, unknown>> = {
  towow_join: (scene) => ({ scene, display_name: "A", profile_data: { skills: ["design"], bio: "A designer." } }),
  towow_demand: (scene) => ({ scene_id: scene, intent: "A designer", allow_duplicate: true }),
  towow_create_scene: () => ({ name: "A", description: "B" }),
  towow_register_agent: (scene) => ({ scene_id: scene, display_name: "A", profile_data: { skills: [], bio: "A" } }),
  towow_list_agents: (scene) => ({ scene_id: scene }),
  towow_submit_demand: (scene) => ({ scene_id: scene, intent: "A designer", allow_duplicate: true }),
  towow_action: () => ({ action: "cancel" }),
};

it("a failure in the log has its class, its code and its place, and nothing of its message", () => {
  const inner = Object.assign(new SyntaxError(`Unexpected token M, "${MARK}" is not valid\n    at ${MARK} (x)`), {
    code: "EBAD",
  });
  const text = failureOf(new TypeError(MARK, { cause: inner }));
  expect(text).toMatch(/^TypeError at .*log-arguments\.full\.test\.ts:\d+:\d+\)?; cause: SyntaxError EBAD at .*\.ts:/);
  expect(text).not.toContain(MARK);
  expect(failureOf(MARK)).toBe("string");
  expect(failureOf(Object.assign(new Error("x"), { code: `${MARK} ${PHONE}` }))).not.toContain(MARK);
});
