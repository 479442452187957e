import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { factsInHome } from "../support/home-facts.ts";
import { about, pauseAt, twoBackends } from "../support/two-backends.ts";
import { everythingWith, NOBODY_DECIDED, one, SOON } from "./origins-support.ts";

describe("a history of an older version, whose files are named by the id alone", () => {
  /** A pause whose server was killed, as an older version has left it. */
  async function leftByOlder(
    change: (record: Record<string, unknown>) => Record<string, unknown> = (it) => it,
    ...config: Parameters<typeof twoBackends>
  ) {
    const world = await twoBackends(...config);
    const killed = await world.server();
    const params = await pauseAt(world.a, killed);
    process.kill(killed.pid() ?? 0, "SIGKILL");
    const dir = join(world.home, "history");
    const { submitted, asked } = await factsInHome(world.home, String(params.negotiation_id));
    for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true });
    const { at: submitted_at, on_unconfirmed: _, ...rest } = submitted!;
    const question = asked.at(-1)!;
    const confirmation = { ...question, id: question.question_id, created_at: question.at };
    const { negotiation_id } = params;
    const record = { negotiation_id, origin: world.a.url, submitted_at, ...rest, confirmation };
    writeFileSync(join(dir, `${negotiation_id}.json`), JSON.stringify(change(record)), { mode: 0o600 });
    return { ...world, params, dir };
  }
  const withoutOrigin = ({ origin: _, ...record }: Record<string, unknown>) => record;

  it.each([
    ["with an origin", undefined],
    ["without one, of the backend that the config mirrors", withoutOrigin],
  ])(
    "%s: it is listed, guarded, and decided where it stands",
    async (_, change) => {
      const world = await leftByOlder(change, ...SOON);
      const heir = await world.server();
      const status = await heir.call("towow_status");
      expect(status.result.data?.open, status.text).toMatchObject([{ negotiation_id: world.params.negotiation_id }]);
      await expect.poll(() => one(world.a)?.cancelled, { timeout: 12_000 }).toBe(true);
      expect(one(world.a)).toMatchObject(NOBODY_DECIDED);
      expect(existsSync(join(world.dir, `${world.params.negotiation_id}.decision`))).toBe(true);
    },
    60_000,
  );

  it.each([
    ["with an origin", undefined],
    ["without one", withoutOrigin],
  ])(
    "%s: a server of another backend lets it be",
    async (_, change) => {
      const world = await leftByOlder(change);
      const before = readdirSync(world.dir);
      const other = await world.server({ TOWOW_BACKEND_URL: world.b.url });
      await everythingWith(other, world.params);
      expect(about(world.b, world.params.negotiation_id)).toEqual([]);
      expect(readdirSync(world.dir)).toEqual(before);
      const heir = await world.server();
      const accepted = await heir.call("towow_demand", { ...world.params, decision: "accept" });
      expect(accepted.result.data?.decision, accepted.text).toBe("accept");
    },
    60_000,
  );
});
