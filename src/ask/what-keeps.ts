import { isUndecided, type Stage } from "../negotiation/stage.ts";
import type { AskContext } from "./context.ts";
import { hasSurface } from "./decision-path.ts";

/**
 * What keeps an undecided demand when this server ends, for a client without forms and pages: it may start a server for each
 * call. Undefined where nothing is withdrawn then.
 */
export async function whatKeeps(id: string, stage: Stage, ctx: AskContext): Promise<string | undefined> {
  const { client, negotiations, texts } = ctx;
  if (!client.startsServer || hasSurface(client) || !stage.isOwn || !isUndecided(stage)) return undefined;
  if (negotiations.isLeftToBackend(stage)) return undefined;
  const keeper = await negotiations.keeper(id);
  return keeper === undefined ? texts.pause.keptHere : texts.pause.keptBy(keeper.pid);
}
