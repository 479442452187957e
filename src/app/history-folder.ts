import { join } from "node:path";
import { nanoid } from "nanoid";
import { systemClock } from "../clock.ts";
import type { ConfigFile } from "../home/file.ts";
import { mirroredOrigin } from "../home/last-ids.ts";
import type { HomeFacts } from "../negotiation/stores/home-facts.ts";
import { createHomeFacts } from "../negotiation/stores/with-old-format.ts";
import { rememberedSha256 } from "./hash.ts";

/** What is written down in `history/` of this home. `settings` gives its settings file as it is now. */
export const homeFactsIn = (home: string, settings: () => ConfigFile): HomeFacts =>
  createHomeFacts({
    dir: join(home, "history"),
    newId: nanoid,
    hash: rememberedSha256,
    now: systemClock.now,
    mirroredOrigin: () => mirroredOrigin(settings()),
  });
