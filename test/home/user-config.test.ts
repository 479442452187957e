import { expect, it } from "vitest";
import { createUserConfig } from "../../src/home/user-config.ts";
import { silentLog } from "../../src/log.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { ManualClock } from "../support/manual-clock.ts";

it("of two changes at once, by two replicas, none is lost", async () => {
  const store = createMemoryStore(new ManualClock());
  const replicas = [createUserConfig(store, {}, silentLog), createUserConfig(store, {}, silentLog)];
  for (const round of [1, 2]) {
    const [mode, scene] = [`mode ${round}`, `scene ${round}`];
    await Promise.all([
      replicas[0]?.update((current) => ({ ...current, mode })),
      replicas[1]?.update((current) => ({ ...current, last_scene_id: scene })),
    ]);
    await Promise.all(replicas.map((replica) => replica.refresh()));
    for (const replica of replicas) expect(replica.read().values).toEqual({ mode, last_scene_id: scene });
  }
});
