import type { SceneSummary } from "../backend/contract.ts";
import { RouteMissing } from "../backend/errors.ts";
import { isPathId } from "../backend/route.ts";
import { Failure, TowowError } from "../errors.ts";
import { endsQuotation } from "../quotation.ts";
import { sanitizeLine } from "../safety/sanitize/foreign.ts";
import { type SanitizeOptions, sanitizeOptions } from "../safety/sanitize/options.ts";
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

/** A scene that a call names. */
export interface FoundScene {
  scene_id: string;
  /** As the backend has it; absent where nobody has looked it up. */
  name?: string;
  /** By its id or its very name: what only resembles it is no answer before the person has seen which scene it is. */
  isExact: boolean;
}

/**
 * A scene by id or name (contract §2): what is shaped like an id is taken as it is, so that joining works on a
 * backend that cannot list; a name is matched exactly, then without case, then by the only scene whose name has these
 * words in it, as far as the beginning of a long name says. Of names that no question can show only the exact one counts.
 * @throws `tool.scene.not_found.no_match`, `tool.scene.conflict.ambiguous` with the candidates, CannotListScenes
 */
export async function resolveScene(wanted: string, services: Services): Promise<FoundScene> {
  const asked = wanted.trim();
  if (isSceneId(asked)) return { scene_id: asked, isExact: true };
  const scenes = await listScenes(services);
  const key = plain(asked);
  const options = sanitizeOptions(services.settings);
  const isShown = ({ name }: SceneSummary) => shownName(name, options) !== undefined;
  const steps: { isExact: boolean; fits: (scene: SceneSummary) => boolean }[] = [
    { isExact: true, fits: (s) => s.scene_id === asked },
    { isExact: true, fits: (s) => s.name === asked },
    { isExact: false, fits: (s) => begin(s.name).trim().toLowerCase() === asked.toLowerCase() && isShown(s) },
    { isExact: false, fits: (s) => key !== "" && plain(s.name).includes(key) && isShown(s) },
  ];
  for (const { isExact, fits } of steps) {
    const [only, ...more] = await inTurns(filtered(scenes, fits));
    if (only !== undefined && more.length === 0) return { scene_id: only.scene_id, name: only.name, isExact };
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

/** Of a name that stands in a question, so many columns: a longer one would push out what else stands there. */
const MAX_ASKED_COLUMNS = 40;
/** What cannot look like an id or a line of ours. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,!?'’&+/#·・，、！？_–—-]*$/u;
const PILED_UP = /\p{M}{3}/u;
const CUT = "…";

/**
 * A scene's name as it may stand in quotation marks in a question to the person, cut where it is long. Its owner, a
 * stranger, chose it, so it must be plain, and as it was written: a name that is altered is another name. Undefined where
 * it cannot be shown.
 */
export function shownName(name: string, options: SanitizeOptions): string | undefined {
  const limits = { ...options.limits, nameChars: MAX_ASKED_COLUMNS };
  const { value, warnings } = sanitizeLine(name, { ...options, limits });
  const isCut = warnings.includes("truncated_output");
  if (warnings.some((code) => code !== "truncated_output")) return undefined;
  const written = isCut && value.endsWith(CUT) ? value.slice(0, -CUT.length) : value;
  const isExact = isCut ? written !== "" && name.startsWith(written) : written === name;
  return isExact && PLAIN.test(written) && !PILED_UP.test(written) && !endsQuotation(written) ? value : undefined;
}

/**
 * What scenes are called, as {@link shownName} gives it, by their ids. Nothing where the backend does not tell: it says at
 * the join whether there is such a scene.
 */
export async function shownNames(
  { backend, signal, settings }: Pick<Services, "backend" | "settings"> & { signal?: AbortSignal },
  timeoutMs = NAME_MS,
): Promise<(sceneId: string) => string | undefined> {
  try {
    const scenes = await (await backend()).listScenes({}, { timeoutMs, ...(signal && { signal }) });
    return (sceneId) => {
      const name = scenes.find(({ scene_id }) => scene_id === sceneId)?.name;
      return name === undefined ? undefined : shownName(name, sanitizeOptions(settings));
    };
  } catch (error) {
    if (error instanceof TowowError) return () => undefined;
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
