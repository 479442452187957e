import { AlreadyRegistered, OutcomeUnknown, RegistrationUnclear } from "../backend/errors.ts";
import { nameHash } from "../home/last-ids.ts";
import type { Settings } from "../home/settings.ts";
import { stringWidth } from "../text-width.ts";
import { isRegistered } from "./agents.ts";
import type { Services } from "./services.ts";

/** What a person says about themselves in a scene (contract §1). */
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

/** A bio of fewer columns says too little. A Chinese character counts as two. */
const SHORT_BIO_COLUMNS = 30;
/** Fewer skills than this tell the matching too little. */
export const FEW_SKILLS = 3;
export const isShortBio = (bio: string): boolean => stringWidth(bio) < SHORT_BIO_COLUMNS;

/**
 * Puts the person's own agent into a scene. An agent that is already there is no failure, because the person is where
 * they want to be. `sent` is the profile as it was sent, and undefined if the agent was there before. `isUnclear` says
 * that it is not known with which profile they are there. @throws what {@link register} throws
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

/**
 * Returns whether the person is in the scene, if the backend can list its agents. Otherwise its refusal of a join will
 * show that.
 */
export const isJoined = async (sceneId: string, services: Services): Promise<boolean> =>
  services.settings.profile !== "dry_run" && (await isRegistered(sceneId, services)) === true;

/** Notes that the person is in a scene to which they said yes. It becomes the scene that they joined last. */
export async function noteJoined(sceneId: string, services: Services): Promise<{ isUnclear: boolean }> {
  await services.remember({ last_scene_id: sceneId });
  return isUnclearIn(sceneId, services);
}

/**
 * Notes that the person is in a scene about which nobody has asked them, because others may have put them there. Their
 * demands still go to the scene that they joined last (contract §10), which `goesTo` names. If they have joined no
 * scene, this one counts as joined.
 */
export async function noteFound(
  sceneId: string,
  services: Services,
): Promise<{ isUnclear: boolean; goesTo: string | undefined }> {
  const { last_scene_id: last } = services.settings;
  if (last === undefined) return { ...(await noteJoined(sceneId, services)), goesTo: undefined };
  return { ...(await isUnclearIn(sceneId, services)), goesTo: last === sceneId ? undefined : last };
}

/** Returns whether it is unclear with which profile the person is in the scene. */
async function isUnclearIn(sceneId: string, { origin, session, userId }: Services): Promise<{ isUnclear: boolean }> {
  return { isUnclear: await session.sentProfiles.isLost(origin, { sceneId, agentId: await userId() }) };
}

/**
 * Sends a profile to a scene, and returns it as it was sent.
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
 * Remembers the scene in which the person themselves is an agent, because their demands without a scene go there from
 * then on. `name` is the agent's name, if it is known; a refusal does not show it. An id from a flag or a variable is
 * not the home's, so no name is kept for it.
 */
export async function rememberOwn(
  { sceneId, agentId, name }: Pick<Registration, "sceneId" | "agentId"> & { name?: string },
  { userId, remember, settings }: Services,
): Promise<void> {
  if (agentId !== (await userId())) return;
  const isNamed = name !== undefined && isOwnId(settings);
  await remember({ last_scene_id: sceneId, ...(isNamed && { last_name_hash: nameHash(name) }) });
}

/**
 * Returns whether the home has registered its own id under another name, of which it keeps only the hash. An id from a
 * flag or a variable is not the home's.
 */
export const isNamedOtherwise = (settings: Settings, name: string): boolean =>
  isOwnId(settings) && settings.last_name_hash !== undefined && settings.last_name_hash !== nameHash(name);

const isOwnId = ({ sources }: Settings): boolean => sources.user_id !== "flag" && sources.user_id !== "environment";

/** Removes repeated skills and empty fields, because the matching reads a list of plain texts (contract §1). */
export function normalise(profile: Profile): Profile {
  const once = (items: string[]) => [...new Set(items.filter((item) => item !== ""))];
  const entries = Object.entries(profile).map(([key, value]) => [key, Array.isArray(value) ? once(value) : value]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value.length > 0)) as Profile;
}

/** Lists the fields that the matching reads and of which the profile says too little. */
export function thinFields({ skills = [], bio = "", experience = "", capabilities = [] }: Profile): string[] {
  return [
    ...(skills.length < FEW_SKILLS ? ["skills"] : []),
    ...(isShortBio(bio) ? ["bio"] : []),
    ...(experience === "" ? ["experience"] : []),
    ...(capabilities.length === 0 ? ["capabilities"] : []),
  ];
}
