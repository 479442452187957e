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

/** The width below which a bio says too little, in columns. A Chinese character takes two. */
const SHORT_BIO_COLUMNS = 30;
/** The number of skills below which the matching knows too little. */
export const FEW_SKILLS = 3;
export const isShortBio = (bio: string): boolean => stringWidth(bio) < SHORT_BIO_COLUMNS;

/**
 * Registers the person's own agent in a scene. If the agent is already there, the call succeeds, because the person
 * is where they want to be. `sent` is the profile as it was sent, or undefined if the agent was there before.
 * `isUnclear` says that nobody knows which of the person's profiles the scene has.
 * @throws what {@link register} throws
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
 * Returns whether the backend lists the person as an agent of the scene. If it cannot list agents, its answer to the
 * join will show whether they are there. Always false under `dry_run`.
 */
export const isJoined = async (sceneId: string, services: Services): Promise<boolean> =>
  services.settings.profile !== "dry_run" && (await isRegistered(sceneId, services)) === true;

/** Notes that the person is in a scene to which they said yes, which makes it the scene that they joined last. */
export async function noteJoined(sceneId: string, services: Services): Promise<{ isUnclear: boolean }> {
  await services.remember({ last_scene_id: sceneId });
  return isUnclearIn(sceneId, services);
}

/**
 * Notes that the person is in a scene about which nobody has asked them, because others may have put them there.
 * Their demands still go to the scene that they joined last (contract §10), which `goesTo` names. If they have joined
 * no scene yet, this scene counts as joined.
 */
export async function noteFound(
  sceneId: string,
  services: Services,
): Promise<{ isUnclear: boolean; goesTo: string | undefined }> {
  const { last_scene_id: last } = services.settings;
  if (last === undefined) return { ...(await noteJoined(sceneId, services)), goesTo: undefined };
  return { ...(await isUnclearIn(sceneId, services)), goesTo: last === sceneId ? undefined : last };
}

/** Returns whether it is unclear which of the person's profiles the scene has. */
async function isUnclearIn(sceneId: string, { origin, session, userId }: Services): Promise<{ isUnclear: boolean }> {
  return { isUnclear: await session.sentProfiles.isLost(origin, { sceneId, agentId: await userId() }) };
}

/**
 * Registers a profile in a scene, and returns the profile as it was sent.
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
 * Remembers the scene in which the person themselves is an agent, because demands without a scene go there from then
 * on. `name` is the agent's name, which is unknown after the backend refused a second registration. No name is kept
 * for an id from a flag or a variable, because such an id does not belong to the home.
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
 * Returns whether the home has registered its own id under another name. The home keeps only a hash of the name. An
 * id from a flag or a variable does not belong to the home.
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

/** Returns the names of the fields that the matching reads and that say too little in this profile. */
export function thinFields({ skills = [], bio = "", experience = "", capabilities = [] }: Profile): string[] {
  return [
    ...(skills.length < FEW_SKILLS ? ["skills"] : []),
    ...(isShortBio(bio) ? ["bio"] : []),
    ...(experience === "" ? ["experience"] : []),
    ...(capabilities.length === 0 ? ["capabilities"] : []),
  ];
}
