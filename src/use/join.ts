import { AlreadyRegistered, OutcomeUnknown, RegistrationUnclear } from "../backend/errors.ts";
import { nameHash } from "../home/last-ids.ts";
import type { Settings } from "../home/settings.ts";
import { stringWidth } from "../text-width.ts";
import { isRegistered } from "./agents.ts";
import type { Services } from "./services.ts";

/** What a person says of themselves in a scene (contract §1). */
export interface Profile {
  skills?: string[] | undefined;
  bio?: string | undefined;
  description?: string | undefined;
  experience?: string | undefined;
  interests?: string[] | undefined;
  capabilities?: string[] | undefined;
  constraints?: string | undefined;
}

export interface Registration {
  sceneId: string;
  agentId: string;
  name: string;
  profile: Profile;
  source: string;
}

/** A bio of fewer columns says too little; a Chinese character counts as two. */
const SHORT_BIO_COLUMNS = 30;
/** Fewer skills than these say little to the matching. */
export const FEW_SKILLS = 3;
export const isShortBio = (bio: string): boolean => stringWidth(bio) < SHORT_BIO_COLUMNS;

/**
 * Puts the person's own agent into a scene. One that is there already is no failure: the person is where they want to be.
 * `sent`: the profile as it was sent; absent where the agent was there before. @throws what {@link register} throws
 */
export async function joinScene(
  registration: Registration,
  services: Services,
): Promise<{ sent: Profile | undefined; isUnclear: boolean }> {
  try {
    return { sent: await register(registration, services), isUnclear: false };
  } catch (error) {
    if (!(error instanceof AlreadyRegistered || error instanceof RegistrationUnclear)) throw error;
    return { sent: undefined, ...(await noteJoined(registration.sceneId, services)) };
  }
}

/** Whether the person is in the scene, where the backend can list; else its refusal of a join says so. */
export const isJoined = async (sceneId: string, services: Services): Promise<boolean> =>
  services.settings.profile !== "dry_run" && (await isRegistered(sceneId, services)) === true;

/** The scene that the person said yes to, and is in, is the one they joined last. */
export async function noteJoined(sceneId: string, services: Services): Promise<{ isUnclear: boolean }> {
  await services.remember({ last_scene_id: sceneId });
  return isUnclearIn(sceneId, services);
}

/**
 * The person is in a scene about which nobody has asked them: others can have put them there. Demands still go where the
 * person joined last (contract §10), `goesTo`; only who has joined nowhere has joined here.
 */
export async function noteFound(
  sceneId: string,
  services: Services,
): Promise<{ isUnclear: boolean; goesTo: string | undefined }> {
  const { last_scene_id: last } = services.settings;
  if (last === undefined) return { ...(await noteJoined(sceneId, services)), goesTo: undefined };
  return { ...(await isUnclearIn(sceneId, services)), goesTo: last === sceneId ? undefined : last };
}

/** `isUnclear`: with which profile the person is there is not known. */
async function isUnclearIn(sceneId: string, { origin, session, userId }: Services): Promise<{ isUnclear: boolean }> {
  return { isUnclear: await session.sentProfiles.isLost(origin, { sceneId, agentId: await userId() }) };
}

/**
 * Sends a profile to a scene, and gives it as it was sent.
 * @throws AlreadyRegistered, RegistrationUnclear, UnknownScene, OutcomeUnknown
 */
export async function register(registration: Registration, services: Services): Promise<Profile> {
  const { sceneId, agentId, name, profile, source } = registration;
  const { origin } = services;
  const { sentProfiles } = services.session;
  const sent = normalise(profile);
  const body = { agent_id: agentId, display_name: name, source_type: source, profile_data: { ...sent } };
  const backend = await services.backend();
  await backend.registerAgent(sceneId, body).catch(async (error) => {
    if (error instanceof OutcomeUnknown) await sentProfiles.lose(origin, registration);
    if (!(error instanceof AlreadyRegistered)) throw error;
    await rememberOwn({ sceneId, agentId }, services);
    if (!(await sentProfiles.isLost(origin, registration))) throw error;
    throw new RegistrationUnclear(error.params, error.detail === undefined ? {} : { detail: error.detail });
  });
  await sentProfiles.settle(origin, registration);
  await rememberOwn(registration, services);
  return sent;
}

/**
 * Where the person is an agent themselves, a demand without a scene goes from then on. `name`: under which they are one,
 * where that is known: a refusal does not tell. An id of a flag or a variable is not the home's, and leaves no name.
 */
export async function rememberOwn(
  { sceneId, agentId, name }: Pick<Registration, "sceneId" | "agentId"> & { name?: string },
  { userId, remember, settings }: Services,
): Promise<void> {
  if (agentId !== (await userId())) return;
  const isNamed = name !== undefined && isOwnId(settings);
  await remember({ last_scene_id: sceneId, ...(isNamed && { last_name_hash: nameHash(name) }) });
}

/** The home has registered its own id under another name, of which it keeps the hash alone. An id of a flag is not the home's. */
export const isNamedOtherwise = (settings: Settings, name: string): boolean =>
  isOwnId(settings) && settings.last_name_hash !== undefined && settings.last_name_hash !== nameHash(name);

const isOwnId = ({ sources }: Settings): boolean => sources.user_id !== "flag" && sources.user_id !== "environment";

/** Each skill once, no empty fields: what the matching reads is a list of plain texts (contract §1). */
export function normalise(profile: Profile): Profile {
  const once = (items: string[]) => [...new Set(items.filter((item) => item !== ""))];
  const entries = Object.entries(profile).map(([key, value]) => [key, Array.isArray(value) ? once(value) : value]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value.length > 0)) as Profile;
}

/** What the matching reads and a profile says too little of. */
export function thinFields({ skills = [], bio = "", experience = "", capabilities = [] }: Profile): string[] {
  return [
    ...(skills.length < FEW_SKILLS ? ["skills"] : []),
    ...(isShortBio(bio) ? ["bio"] : []),
    ...(experience === "" ? ["experience"] : []),
    ...(capabilities.length === 0 ? ["capabilities"] : []),
  ];
}
