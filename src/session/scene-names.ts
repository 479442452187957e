import { LRUCache } from "lru-cache";

/** A background task asks its question as often as its client polls: a name is not looked up again within this, in milliseconds. */
const FRESH_MS = 60_000;
const MAX_NAMES = 100;

/** What scenes are called in the questions of one session. `key`: a scene of one backend; `now`: milliseconds of a clock that nobody sets. */
export class SceneNames {
  readonly #names = new LRUCache<string, { name: string | undefined; at: number }>({ max: MAX_NAMES });

  async of(key: string, now: number, look: () => Promise<string | undefined>): Promise<string | undefined> {
    const known = this.#names.get(key);
    if (known !== undefined && now - known.at < FRESH_MS) return known.name;
    const name = await look();
    this.#names.set(key, { name, at: now });
    return name;
  }
}
