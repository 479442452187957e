import { describe, expect, it, onTestFinished } from "vitest";
import { World } from "./world.ts";

const SCENE = { name: "s", description: "d", organizer_id: "o" };
const scenes = async (world: World) => (await world.call("GET", "/v1/api/scenes")).body.scenes.length;

describe("faults on a socket", () => {
  async function listening() {
    const world = new World();
    onTestFinished(() => world.mock.close());
    const { url } = await world.mock.listen();
    const create = () =>
      fetch(`${url}/v1/api/scenes`, {
        method: "POST",
        body: JSON.stringify(SCENE),
        headers: { "content-type": "application/json" },
      });
    return { world, url, create };
  }

  it("answers as in process otherwise, redirects included", async () => {
    const { url, create } = await listening();
    const created = await create();
    expect([created.status, created.headers.get("content-type")]).toEqual([201, "application/json"]);
    const moved = await fetch(`${url}/v1/api/scenes/`, { redirect: "manual" });
    expect([moved.status, moved.headers.get("location"), await moved.text()]).toEqual([
      307,
      `${url}/v1/api/scenes`,
      "",
    ]);
    expect((await fetch(`${url}/v1/api/scenes`, { method: "HEAD" })).status).toBe(405);
  });

  it("is steered over HTTP, by no web page", async () => {
    const { world, url, create } = await listening();
    const add = (headers: Record<string, string> = {}) =>
      fetch(`${url}/mock/faults`, {
        method: "POST",
        headers,
        body: JSON.stringify({ route: "scenes.create", kind: "plain_500_after", times: "always" }),
      });
    expect((await add({ origin: "http://evil.example" })).status).toBe(403);
    expect((await add()).status).toBe(201);
    for (let i = 0; i < 2; i++) {
      const response = await create();
      expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
        500,
        "text/plain; charset=utf-8",
        "Internal Server Error",
      ]);
    }
    expect((await fetch(`${url}/mock/faults`, { method: "DELETE" })).status).toBe(200);
    expect((await create()).status).toBe(201);
    const { journal } = (await (await fetch(`${url}/mock/journal`)).json()) as { journal: { status: number }[] };
    expect(journal.map(({ status }) => status)).toEqual([500, 500, 201]);
    expect(await scenes(world)).toBe(3);
    expect((await fetch(`${url}/mock/faults`, { method: "POST", body: '{"route":"nope","kind":"html"}' })).status).toBe(
      400,
    );
  });

  it("listens on loopback only, once", async () => {
    const { world, url } = await listening();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await expect(world.mock.listen()).rejects.toThrow("listening already");
  });
});
