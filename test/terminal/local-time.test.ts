import { expect, it } from "vitest";
import { localTime } from "../../src/terminal/local-time.ts";

it("a moment is told as the person's own day and time, in two digits each", () => {
  const at = new Date(2026, 0, 3, 4, 5, 6).getTime();
  expect(localTime(at)).toBe("2026-01-03 04:05");
  expect(localTime(at, { seconds: true })).toBe("2026-01-03 04:05:06");
  expect(localTime(new Date(2026, 11, 31, 23, 59, 58).getTime())).toBe("2026-12-31 23:59");
});
