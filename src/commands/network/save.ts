import { createRuntime } from "../../app/local-program.ts";
import { systemClock } from "../../clock.ts";
import { currentUser } from "../../home/current-user.ts";
import { originOf } from "../../home/origin.ts";
import { resolveAll } from "../../home/settings.ts";
import { listRecords } from "../../negotiation/records.ts";
import type { Home } from "../home.ts";

/** What of a person's stays at a network that they leave. */
export interface LeftBehind {
  /** The network, as it is configured. */
  network: string;
  userId: string | null;
  sceneId: string | null;
  negotiations: number;
  /** Ids of own negotiations whose end is not written yet. */
  open: readonly string[];
}

/** What stays at the network that the file names now, if it is to be another one; undefined where nothing does. */
export async function leftBehind(home: Home, to: string, root: URL): Promise<LeftBehind | undefined> {
  const file = home.store.read().values;
  const settings = resolveAll({ file });
  const network = settings.get("backend_url")?.value;
  const origin = originOf(network);
  if (typeof network !== "string" || origin === undefined || origin === originOf(to)) return undefined;
  const { who } = currentUser(settings, file, home.path, systemClock.now());
  const runtime = await createRuntime({ env: home.env, root });
  try {
    const records = (await listRecords(runtime.facts)).filter((record) => record.origin === origin);
    const open = records.filter(({ ended }) => ended === undefined).map(({ negotiation_id }) => negotiation_id);
    if (who.user_id === null && records.length === 0) return undefined;
    return { network, userId: who.user_id, sceneId: who.last_scene_id, negotiations: records.length, open };
  } finally {
    await runtime.close("leave");
  }
}

/** Writes the choice into the home. @throws HomeUnwritable, ConfigLocked */
export async function saveNetwork(home: Home, address: string): Promise<void> {
  await home.store.update((file) => ({ ...file, backend_url: address }));
}
