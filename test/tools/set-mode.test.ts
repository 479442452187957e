import { expect, it } from "vitest";
import { createWorld } from "../support/world.ts";

it.each([
  ["en", true, /also the default from now on\. Most clients .* only in a new session\./],
  ["en", false, /For this session only\. Most clients .* show no change\./],
  ["zh", true, /已保存为以后的默认模式。多数客户端.*要到新会话才会。/],
  ["zh", false, /仅对本次会话有效。多数客户端.*工具不会变化。/],
] as const)("says what becomes of the list of tools: %s, persist %s", async (lang, persist, says) => {
  const world = await createWorld();
  const p = await world.process({ config: { lang } });
  const { result } = await p.call("towow_set_mode", { mode: "developer", persist });
  expect(result.summary).toMatch(says);
});
