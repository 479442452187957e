import { expect, it } from "vitest";
import { readServeOptions, type ServeArguments } from "../../src/app/endpoint/options.ts";
import { TowowError } from "../../src/errors.ts";
import { toToolError } from "../../src/result/tool-error.ts";
import { textsOf } from "../../src/text/index.ts";

const GIVEN = {
  io: { env: {} },
  root: new URL("file:///"),
  flags: {},
  host: "127.0.0.1",
  port: "0",
  sessionIdle: "1800",
  maxSessions: "1",
  maxUsers: "1",
  maxNewTokens: "1",
  rate: "1",
  atOnce: "1",
  drain: "1",
  receiveTimeout: "1",
  unreadTimeout: "1",
} as unknown as ServeArguments;

function refused(wrong: Record<string, unknown>): TowowError {
  try {
    readServeOptions({ ...GIVEN, ...wrong });
  } catch (error) {
    if (error instanceof TowowError) return error;
    throw error;
  }
  throw new Error("taken");
}

it("a wrong option is named as it is typed, in one language, and what it takes is a command away", () => {
  expect(refused({ host: "0.0.0.0" }).code).toBe("tool.config.invalid.serve_host");
  expect(refused({ port: "x" }).code).toBe("tool.config.invalid.serve_option");
  for (const wrong of [
    { port: "99999999" },
    { publicUrl: "nonsense" },
    { allowedHosts: "C:\\Users" },
    { allowedOrigins: "nonsense" },
    { store: "nonsense" },
    { replica: "A B" },
    { drain: "soon" },
    { host: "0.0.0.0" },
    { io: { env: { TOWOW_STATE_KEY: "short" } } },
  ])
    for (const lang of ["en", "zh"] as const) {
      const told = toToolError(refused(wrong), { texts: textsOf(lang), idempotent: false, callable: () => false });
      expect(told.code).toMatch(/^tool\.config\.invalid\.serve_(option|host)$/);
      expect(told.recovery_suggestion).toContain("towow-mcp serve --help");
      expect(told.message).toMatch(/--[a-z-]+|TOWOW_STATE_KEY|0\.0\.0\.0/);
      if (lang === "zh") expect(told.message).not.toMatch(/[a-z]+ [a-z]+ [a-z]+ [a-z]+/);
    }
});
