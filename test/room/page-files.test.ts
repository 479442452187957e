import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { roomFiles } from "../../src/app/room-files.ts";
import { createRoomRoutes } from "../../src/room/server/routes.ts";
import { world } from "./world.ts";

const ROOT = new URL("../../", import.meta.url);

it("script and styles: named by what is in them, kept for good, and compressed for who can read it", async () => {
  const { room, process } = await world();
  const serve = createRoomRoutes({ platform: process.deps, files: roomFiles(ROOT) });
  const visit = { room: room.room, base: "/room", browser: "own_window", mayStay: async () => true } as const;
  const get = (path: string, headers = {}) => serve(new Request(`http://localhost${path}`, { headers }), visit);
  const page = await get("/room");
  expect(page.headers.get("cache-control")).toBe("no-store");
  const names = [...(await page.text()).matchAll(/"(\/room\/room\.[0-9a-f]{16}\.(?:js|css))"/g)].map(
    ([, path]) => path,
  );
  expect(names).toHaveLength(2);
  for (const path of names as string[]) {
    const plain = await get(path);
    const packed = await get(path, { "accept-encoding": "gzip, deflate, br" });
    for (const { headers } of [plain, packed]) {
      expect(headers.get("cache-control")).toContain("immutable");
      expect(headers.get("vary")).toBe("Accept-Encoding");
      expect(headers.get("content-type")).toMatch(/^text\/(?:javascript|css); charset=utf-8$/);
    }
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    const [text, bytes] = [await plain.text(), Buffer.from(await packed.arrayBuffer())];
    expect(gunzipSync(bytes).toString()).toBe(text);
    expect(bytes.length).toBeLessThan(text.length / 2);
  }
  expect((await get("/room/room.0123456789abcdef.js")).status).toBe(404); // of another version
});

it("the script is at most 30 kB as it is sent", async () => {
  const { script } = await roomFiles(ROOT)();
  expect(script.gzipped.length).toBeLessThanOrEqual(30_000);
});
