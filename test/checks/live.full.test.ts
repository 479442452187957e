import { expect, it } from "vitest";
import live, { smoke } from "../../checks/recordings/live.ts";
import { createMockBackend } from "../../mock-backend/main.ts";

it.each([false, true])(
  "a live backend is read and nothing else, and asked nothing without --yes-live: legacy routes %s",
  async (legacyRoutes) => {
    const mock = createMockBackend({ stepMs: 5, seed: 3, legacyRoutes });
    try {
      const { url } = await mock.listen(0);
      const dry = await live(["--of", url]);
      expect(dry.line).toContain("dry");
      expect(mock.journal).toEqual([]);
      const { ok, line } = await smoke(url, "");
      expect(ok, line).toBe(true);
      const writes = mock.journal.filter(({ method, path }) => method !== "GET" && !path.endsWith("/mcp-token"));
      expect(writes).toEqual([]);
      const { before, after, ends } = JSON.parse(line.slice(line.indexOf("{")));
      expect(before).toMatchObject({ read: 0, write: 0, negotiations: 0 });
      expect(after).toMatchObject({ negotiations: 0 });
      expect(after.read).toBeGreaterThan(0);
      expect(ends).toContain("tool.negotiation.not_found.unknown_negotiation");
    } finally {
      await mock.close();
    }
  },
);
