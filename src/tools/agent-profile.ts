import type { PermissionRequest } from "../ask/context.ts";
import { askPermission } from "../ask/permission.ts";
import { AlreadyRegistered, OutcomeUnknown, RegistrationUnclear } from "../backend/errors.ts";
import { joinList } from "../text/join.ts";
import { stringWidth } from "../text-width.ts";
import type { ToolContext } from "./define.ts";
import type { Profile } from "./fields.ts";
import { plainNameOfScene } from "./scenes.ts";

/** A bio of fewer columns says too little; a Chinese character counts as two. */
const SHORT_BIO_COLUMNS = 30;
/** Fewer skills than these say little to the matching. */
export const FEW_SKILLS = 3;
export const isShortBio = (bio: string): boolean => stringWidth(bio) < SHORT_BIO_COLUMNS;

export interface Registration {
  sceneId: string;
  agentId: string;
  name: string;
  profile: Profile;
  source: string;
}

/**
 * Sends a profile to a scene and sums it up for the person.
 * @throws AlreadyRegistered, RegistrationUnclear, UnknownScene, OutcomeUnknown
 */
export async function registerProfile(registration: Registration, ctx: ToolContext) {
  const { sceneId, agentId, name, profile, source } = registration;
  const normal = normalise(profile);
  const backend = await ctx.backend();
  const body = { agent_id: agentId, display_name: name, source_type: source, profile_data: normal };
  const { origin } = ctx;
  const { sentProfiles } = ctx.session;
  await backend.registerAgent(sceneId, body).catch(async (error) => {
    if (error instanceof OutcomeUnknown) await sentProfiles.lose(origin, registration);
    if (!(error instanceof AlreadyRegistered)) throw error;
    await rememberOwn(registration, ctx);
    if (!(await sentProfiles.isLost(origin, registration))) throw error;
    throw new RegistrationUnclear(error.params, error.detail === undefined ? {} : { detail: error.detail });
  });
  await sentProfiles.settle(origin, registration);
  await rememberOwn(registration, ctx);
  const { skills = [], bio = "" } = normal;
  const missing = thinFields(normal);
  return {
    summary: ctx.texts.join.profile({ name, skills: skills.length, list: listed(skills, ctx), bio }),
    warnings: missing.length > 0 ? ["profile_thin"] : [],
    thin: missing.length > 0 ? ctx.texts.join.thin(listed(missing, ctx)) : undefined,
  };
}

/** Where the person is an agent themselves, a demand without a scene goes from then on. */
export async function rememberOwn(
  { sceneId, agentId }: Pick<Registration, "sceneId" | "agentId">,
  ctx: ToolContext,
): Promise<void> {
  if (agentId === (await ctx.userId())) await ctx.remember({ last_scene_id: sceneId });
}

const listed = (items: readonly string[], { texts }: ToolContext): string => joinList(items, texts.lang);

/** Each skill once, no empty fields: what the matching reads is a list of plain texts (contract §1). */
function normalise(profile: Profile): Profile {
  const once = (items: string[]) => [...new Set(items.filter((item) => item !== ""))];
  const entries = Object.entries(profile).map(([key, value]) => [key, Array.isArray(value) ? once(value) : value]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value.length > 0)) as Profile;
}

function thinFields(profile: Profile): string[] {
  const { skills = [], bio = "", experience = "", capabilities = [] } = profile;
  return [
    ...(skills.length < FEW_SKILLS ? ["skills"] : []),
    ...(isShortBio(bio) ? ["bio"] : []),
    ...(experience === "" ? ["experience"] : []),
    ...(capabilities.length === 0 ? ["capabilities"] : []),
  ];
}

/** How a call names its registration to the person, and what it says of having shown it. */
interface Naming {
  tool: string;
  args: unknown;
  /** The scene as the call names it. */
  scene: string;
  /** Set where it is not the person's own id. */
  otherId?: string | undefined;
  /** The hash of what the AI was given to show. */
  named: string | undefined;
  /** The result that gives it the profile to show. */
  data: (hash: string) => unknown;
}

/** Asks the person about a profile, which is shown to them whole in every client before it is sent (contract §2). */
export async function askForProfile(registration: Registration, naming: Naming, ctx: ToolContext) {
  const { page } = ctx.texts;
  const { name, sceneId } = registration;
  const { tool, args, otherId, named, data } = naming;
  const sceneName = await plainNameOfScene(sceneId, ctx);
  const quoted = sceneName === undefined ? undefined : `“${sceneName}”`;
  const profile = normalise(registration.profile);
  const fields = Object.entries({ ...(otherId !== undefined && { agent_id: otherId }), ...profile }).map(
    ([key, value]) => page.profileField(key, Array.isArray(value) ? listed(value, ctx) : (value ?? "")),
  );
  const asCalled = naming.scene === sceneId ? sceneId : `${naming.scene} (${sceneId})`;
  const byCall = [page.profileHead(name, asCalled), ...fields];
  const byName = quoted === undefined ? byCall : [page.profileHead(name, `${quoted} (${sceneId})`), ...fields];
  const whole = (lines: readonly string[]) => [...lines, page.profileStays].join("\n");
  const wanted: PermissionRequest = {
    title: page.profileTitle,
    text: whole(byName),
    // No scene's name keeps a form from opening.
    inLines: [...new Set([byName, byCall])].map((lines) => [...lines, page.profileStaysInForm]),
    inRows: [
      page.profileAsk(name, quoted ?? sceneId),
      page.profileFields(listed(Object.keys(profile).map(page.profileKey), ctx)),
    ],
    // What an AI shows stands between our own words to it: nobody else's belong there.
    shownFirst: { sent: { ...registration, profile }, text: whole(byCall), named, data },
  };
  // What names the hash asks about the same profile.
  return askPermission(tool, { ...(args as object), profile_hash: undefined }, wanted, ctx);
}
