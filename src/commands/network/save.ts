import { homeFactsIn } from "../../app/history-folder.ts";
import { currentUser } from "../../home/current-user.ts";
import { originOf } from "../../home/origin.ts";
import { resolveAll } from "../../home/settings.ts";
import { isOpen, listRecords } from "../../negotiation/records.ts";
import type { Home } from "../home.ts";

/** What of a person's stays at a network that they leave. */
export interface LeftBehind {
  /** The network, as it is configured. */
  network: string;
  userId: string | null;
  sceneId: string | null;
  negotiations: number;
  /** Ids of own negotiations that may still wait for a decision. */
  open: readonly string[];
}

/** What stays at the network that the file names now, if it is to be another one; undefined where nothing does. */
export async function leftBehind(home: Home, to: string): Promise<LeftBehind | undefined> {
  const file = home.store.read().values;
  const settings = resolveAll({ file });
  const network = settings.get("backend_url")?.value;
  const origin = originOf(network);
  if (typeof network !== "string" || origin === undefined || origin === originOf(to)) return undefined;
  const now = home.io.clock.now();
  const { who } = currentUser(settings, file, home.path, now);
  const facts = homeFactsIn(home.path);
  const records = (await listRecords(facts)).filter((record) => record.origin === origin);
  if (who.user_id === null && records.length === 0) return undefined;
  const open = records.filter((record) => isOpen(record, now)).map(({ negotiation_id }) => negotiation_id);
  return { network, userId: who.user_id, sceneId: who.last_scene_id, negotiations: records.length, open };
}

/** Writes the choice into the home. @throws HomeUnwritable, ConfigLocked */
export async function saveNetwork(home: Home, address: string): Promise<void> {
  await home.store.update((file) => ({ ...file, backend_url: address }));
}
