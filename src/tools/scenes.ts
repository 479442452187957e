import { sanitizeLine } from "../agent/sanitize.ts";
import type { SceneSummary } from "../backend/contract.ts";
import { RouteMissing } from "../backend/errors.ts";
import { TowowError } from "../errors.ts";
import type { ToolContext } from "./define.ts";
import { sanitizing } from "./fields.ts";

export class NoSceneJoined extends TowowError {
  readonly code = "tool.scene.not_found.none_joined";
}
export class NoSuchScene extends TowowError {
  readonly code = "tool.scene.not_found.no_match";
}
export class AmbiguousScene extends TowowError {
  readonly code = "tool.scene.conflict.ambiguous";
}
export class CannotListScenes extends TowowError {
  readonly code = "tool.scene.unavailable.cannot_list";
}

const LISTED = 10;

/**
 * A scene by id or name (contract §2): what is shaped like an id is taken as it is, so that joining works on a
 * backend that cannot list; a name is matched exactly, then without case, then by the only scene it resembles.
 * @throws NoSuchScene, AmbiguousScene with the candidates, CannotListScenes
 */
export async function resolveScene(wanted: string, ctx: ToolContext): Promise<{ scene_id: string; name: string }> {
  const asked = wanted.trim();
  if (/^scene_[0-9a-f]{12}$/.test(asked)) return { scene_id: asked, name: asked };
  const scenes = await listScenes(ctx);
  const plain = (text: string) =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/[\s\p{P}]+/gu, "");
  const key = plain(asked);
  const steps: ((scene: SceneSummary) => boolean)[] = [
    (s) => s.scene_id === asked || s.name === asked,
    (s) => s.name.trim().toLowerCase() === asked.toLowerCase(),
    (s) => key !== "" && (plain(s.name).includes(key) || (plain(s.name) !== "" && key.includes(plain(s.name)))),
  ];
  for (const fits of steps) {
    const [only, ...more] = scenes.filter(fits);
    if (only !== undefined && more.length === 0) return only;
    if (only !== undefined) throw new AmbiguousScene({ scene: asked, candidates: candidates([only, ...more], ctx) });
  }
  throw new NoSuchScene({ scene: asked, candidates: candidates(scenes, ctx) || "–" });
}

async function listScenes(ctx: ToolContext): Promise<SceneSummary[]> {
  try {
    return await (await ctx.backend()).listScenes({}, { signal: ctx.signal });
  } catch (error) {
    if (error instanceof RouteMissing) throw new CannotListScenes({}, { cause: error });
    throw error;
  }
}

const candidates = (scenes: SceneSummary[], ctx: ToolContext) =>
  scenes
    .slice(0, LISTED)
    .map((s) => `${sanitizeLine(s.name, sanitizing(ctx)).value} (${s.scene_id})`)
    .join(", ");
