import { describe, expect, it } from "vitest";
import { createBackendClient } from "../../src/backend/client.ts";
import { RouteMissing } from "../../src/backend/errors.ts";
import { messageOf } from "../../src/result/tool-error.ts";
import { textsOf } from "../../src/text/index.ts";

const { origin: _, ...operations } = createBackendClient({
  baseUrl: "https://towow.example",
  auth: undefined as never,
  http: undefined as never,
});

describe("what the backend was asked to do", () => {
  it.each([...Object.keys(operations), "requestToken"])("has words for %s", (operation) => {
    const missing = new RouteMissing({ operation, status: 405 });
    expect(messageOf(missing, textsOf("en"))).not.toBe(`This backend cannot ${operation}.`);
    expect(messageOf(missing, textsOf("zh"))).not.toContain(operation);
  });

  it("reads as a sentence", () => {
    const missing = new RouteMissing({ operation: "listScenes", status: 405 });
    expect(messageOf(missing, textsOf("en"))).toBe("This backend cannot list scenes.");
    expect(messageOf(missing, textsOf("zh"))).toBe("这个后端没有用来列出场景的接口。");
  });
});
