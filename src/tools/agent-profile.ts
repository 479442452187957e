import type { PermissionRequest } from "../ask/context.ts";
import { askPermission } from "../ask/permission.ts";
import { joinList } from "../text/join.ts";
import { normalise, type Profile, type Registration, thinFields } from "../use/join.ts";
import { plainNameOfScene } from "../use/scenes.ts";
import type { ToolContext } from "./define.ts";

/** What a result says of a profile that was sent. */
export function sentProfile(name: string, sent: Profile, ctx: ToolContext) {
  const { skills = [], bio = "" } = sent;
  const missing = thinFields(sent);
  return {
    summary: ctx.texts.join.profile({ name, skills: skills.length, list: listed(skills, ctx), bio }),
    warnings: missing.length > 0 ? ["profile_thin"] : [],
    thin: missing.length > 0 ? ctx.texts.join.thin(listed(missing, ctx)) : undefined,
  };
}

const listed = (items: readonly string[], { texts }: ToolContext): string => joinList(items, texts.lang);

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
    question: "profile",
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
