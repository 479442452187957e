import type { SceneSummary } from "../backend/contract.ts";
import { RouteMissing } from "../backend/errors.ts";
import { isPathId } from "../backend/route.ts";
import { Failure, TowowError } from "../errors.ts";
import { endsQuotation } from "../quotation.ts";
import { sanitizeLine } from "../safety/sanitize/foreign.ts";
import { type SanitizeOptions, sanitizeOptions } from "../safety/sanitize/options.ts";
import { inTurns, type Steps } from "../turn.ts";
import type { Services } from "./services.ts";

/** Thrown if the backend cannot list its scenes. */
export class CannotListScenes extends TowowError {
  readonly code = "tool.scene.unavailable.cannot_list";
}

const LISTED = 10;
/** The length of a scene's name that is compared, in UTF-16 units. No call can ask for a longer name. */
const MAX_NAME_LENGTH = 200;
/** The number of scenes that are compared before other work can run. */
const AT_ONCE = 100;

/** Returns whether a text has the form of a scene's id at today's backend. */
export const isSceneId = (text: string): boolean => /^scene_[0-9a-f]{12}$/.test(text);

/** A scene that a call names. */
export interface FoundScene {
  scene_id: string;
  /** The scene's name at the backend. Absent if nobody has looked it up. */
  name?: string;
  /**
   * True if the scene was found by its id or its exact name. Otherwise the person must first see which scene was
   * found, because its name only resembles the text.
   */
  isExact: boolean;
}

/**
 * Finds a scene by id or name (contract §2). A text with the form of an id is taken as the id, so that joining works
 * at a backend that cannot list scenes. A name must match exactly, else without regard to case, else be part of the
 * name of a single scene. Only the beginning of a long name is compared. If a scene's name cannot be shown in a
 * question, only an exact match counts.
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

/**
 * Lists the scenes at the backend. A scene whose id no call can carry is left out, because nobody can join it.
 * @throws CannotListScenes if the backend has no list
 */
export async function listScenes(services: Services): Promise<SceneSummary[]> {
  try {
    const scenes = await (await services.backend()).listScenes({}, { signal: services.signal });
    return scenes.filter(({ scene_id }) => isPathId(scene_id));
  } catch (error) {
    if (error instanceof RouteMissing) throw new CannotListScenes({}, { cause: error });
    throw error;
  }
}

/** The maximum time that a call waits for a name, in milliseconds. */
const NAME_MS = 5_000;

/** The maximum width of a name in a question, in columns. A longer name would push out the rest of the question. */
const MAX_ASKED_COLUMNS = 40;
/** Matches a name that cannot pass for an id or for a line of this program. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,!?'’&+/#·・，、！？_–—-]*$/u;
const PILED_UP = /\p{M}{3}/u;
const CUT = "…";

/**
 * Returns a scene's name as it may stand in quotation marks in a question to the person. A long name is cut. The name
 * must be plain, because the scene's owner is a stranger who chose it, and it is never altered, because an altered
 * name is another name. Undefined if the name cannot be shown.
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
 * Returns a function that returns the name of a scene by its id, in the form of {@link shownName}. If the backend
 * cannot list scenes, the function knows no name, and the join will show whether the scene exists.
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
