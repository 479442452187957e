import type { SceneSummary } from "../backend/contract.ts";
import { RouteMissing } from "../backend/errors.ts";
import { isPathId } from "../backend/route.ts";
import { Failure, TowowError } from "../errors.ts";
import { sanitizeLine } from "../safety/sanitize/foreign.ts";
import { sanitizeOptions } from "../safety/sanitize/options.ts";
import { stringWidth } from "../text-width.ts";
import { inTurns, type Steps } from "../turn.ts";
import type { Services } from "./services.ts";

export class CannotListScenes extends TowowError {
  readonly code = "tool.scene.unavailable.cannot_list";
}

const LISTED = 10;
/** Of a scene's name, in UTF-16 units, so much is compared: nobody can ask for more. */
const MAX_NAME_LENGTH = 200;
/** Scenes that are looked at before others have their turn. */
const AT_ONCE = 100;

/** Whether a text is shaped as today's backend shapes a scene's id. */
export const isSceneId = (text: string): boolean => /^scene_[0-9a-f]{12}$/.test(text);

/**
 * A scene by id or name (contract §2): what is shaped like an id is taken as it is, so that joining works on a
 * backend that cannot list; a name is matched exactly, then without case, then by the only scene it resembles, as far
 * as the beginning of a long name says.
 * @throws `tool.scene.not_found.no_match`, `tool.scene.conflict.ambiguous` with the candidates, CannotListScenes
 */
export async function resolveScene(wanted: string, services: Services): Promise<{ scene_id: string; name: string }> {
  const asked = wanted.trim();
  if (isSceneId(asked)) return { scene_id: asked, name: asked };
  const scenes = await listScenes(services);
  const key = plain(asked);
  const steps: ((scene: SceneSummary) => boolean)[] = [
    (s) => s.scene_id === asked || s.name === asked,
    (s) => begin(s.name).trim().toLowerCase() === asked.toLowerCase(),
    (s) => {
      const name = plain(s.name);
      return key !== "" && name !== "" && (name.includes(key) || key.includes(name));
    },
  ];
  for (const fits of steps) {
    const [only, ...more] = await inTurns(filtered(scenes, fits));
    if (only !== undefined && more.length === 0) return only;
    if (only !== undefined)
      throw new Failure(
        "tool.scene.conflict.ambiguous",
        { scene: asked },
        { detail: await inTurns(candidates([only, ...more], services)), detailFrom: "names" },
      );
  }
  const detail = (await inTurns(candidates(scenes, services))) || undefined;
  throw new Failure("tool.scene.not_found.no_match", { scene: asked }, { detail, detailFrom: "names" });
}

const begin = (text: string): string => text.slice(0, MAX_NAME_LENGTH);

const plain = (text: string): string =>
  begin(text)
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s\p{P}]+/gu, "");

function* filtered(scenes: readonly SceneSummary[], fits: (scene: SceneSummary) => boolean): Steps<SceneSummary[]> {
  const kept: SceneSummary[] = [];
  for (let from = 0; from < scenes.length; from += AT_ONCE) {
    kept.push(...scenes.slice(from, from + AT_ONCE).filter(fits));
    yield;
  }
  return kept;
}

/** One whose id no call can carry cannot be joined. */
export async function listScenes(services: Services): Promise<SceneSummary[]> {
  try {
    const scenes = await (await services.backend()).listScenes({}, { signal: services.signal });
    return scenes.filter(({ scene_id }) => isPathId(scene_id));
  } catch (error) {
    if (error instanceof RouteMissing) throw new CannotListScenes({}, { cause: error });
    throw error;
  }
}

/** In which a name must be there: a call does not wait longer for it. */
const NAME_MS = 5_000;

/** A name that stands in a question: longer ones push out what else stands there. */
const MAX_ASKED_COLUMNS = 40;

/**
 * What a scene is called, to stand in quotation marks in a question to the person. A stranger chose it, so only a name
 * that is plain counts: short, as it was written, and without what could end the quotation or look like another line.
 * Undefined for every other one, and where the backend does not tell.
 */
export async function plainNameOfScene(sceneId: string, services: Services): Promise<string | undefined> {
  try {
    const scenes = await (await services.backend()).listScenes({}, { signal: services.signal, timeoutMs: NAME_MS });
    const name = scenes.find(({ scene_id }) => scene_id === sceneId)?.name ?? "";
    const { value, warnings } = sanitizeLine(name, sanitizeOptions(services.settings));
    const isPlain = value === name && warnings.length === 0 && stringWidth(name) <= MAX_ASKED_COLUMNS;
    return isPlain && /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,'’&+/–—-]*$/u.test(name) && !/\p{M}{3}/u.test(name)
      ? name
      : undefined;
  } catch (error) {
    if (error instanceof TowowError) return undefined; // the backend says at the join whether there is one
    throw error;
  }
}

function* candidates(scenes: readonly SceneSummary[], services: Services): Steps<string> {
  const listed: string[] = [];
  for (const { name, scene_id } of scenes.slice(0, LISTED)) {
    listed.push(`${sanitizeLine(name, sanitizeOptions(services.settings)).value} (${scene_id})`);
    yield;
  }
  return listed.join(", ");
}
