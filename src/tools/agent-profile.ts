import { type FieldValue, piecesIn, withoutPieces } from "../ask/asked.ts";
import { profileConsequences } from "../ask/consequences.ts";
import type { PermissionRequest } from "../ask/context.ts";
import { askPermission } from "../ask/permission.ts";
import { joinList } from "../text/join.ts";
import { normalise, type Profile, type Registration, thinFields } from "../use/join.ts";
import { shownNames } from "../use/scenes.ts";
import type { ToolContext } from "./define.ts";

/** Builds the part of a result that says which profile was sent. */
export function sentProfile(name: string, sent: Profile, ctx: ToolContext) {
  const { skills = [], bio = "" } = sent;
  const missing = thinFields(sent);
  return {
    summary: ctx.texts.join.profile({ name, skills: skills.length, list: listed(skills, ctx), bio }),
    warnings: missing.length > 0 ? ["profile_thin" as const] : [],
    thin: missing.length > 0 ? ctx.texts.join.thin(listed(missing, ctx)) : undefined,
  };
}

const listed = (items: readonly string[], { texts }: ToolContext): string => joinList(items, texts.lang);

/** What the calling tool adds to the question about a profile. */
interface Naming {
  tool: string;
  args: unknown;
  /** Whose id the registration uses, by default the person's own. */
  as?: "own" | "given" | "generated";
  /** The hash of the profile that the AI says it has shown. Undefined in the first call. */
  named: string | undefined;
  /**
   * Builds the data of the result that gives the AI the profile to show. `sceneName` is null if the name that the
   * scene's owner chose cannot be shown.
   */
  data: (hash: string, sceneName: string | null) => unknown;
}

/**
 * Asks the person about a profile before it is sent. Every client shows the whole profile (contract §2). The question
 * names the scene by its id and its name at the backend, never by words of the call.
 */
export async function askForProfile(registration: Registration, naming: Naming, ctx: ToolContext) {
  const { page } = ctx.texts;
  const { name, sceneId, agentId } = registration;
  const { tool, args, as, named, data } = naming;
  const nameOf = await shownNames(ctx);
  const sceneName = nameOf(sceneId);
  const profile = normalise(registration.profile);
  const fields = Object.entries({ display_name: name, ...profile }).map(([key, value = ""]) => [key, value] as const);
  const textOf = (value: FieldValue) => (typeof value === "string" ? value : listed(value, ctx));
  const { last_scene_id: last } = ctx.settings;
  const isOwn = agentId === (await ctx.userId());
  const elsewhere = last === sceneId ? undefined : last;
  const sentAs = isOwn ? undefined : { id: agentId, isNew: as === "generated" };
  const lines = (sceneWith: (id: string, name: string | undefined) => string) => [
    page.profileHead(sceneWith(sceneId, sceneName)),
    ...fields.map(([key, value]) => page.profileField(key, indented(textOf(value)))),
    ...profileConsequences(
      {
        as: sentAs,
        elsewhere: elsewhere && sceneWith(elsewhere, nameOf(elsewhere)),
      },
      ctx.texts,
    ).map(({ text }) => text),
  ];
  const shown = lines(page.scene);
  const wanted: PermissionRequest = {
    question: "profile",
    title: page.profileTitle,
    asked: {
      about: "profile",
      scene: { id: sceneId, name: sceneName },
      fields,
      as: sentAs,
      elsewhere: elsewhere ? { id: elsewhere, name: nameOf(elsewhere) } : undefined,
    },
    text: shown.join("\n"),
    inLines: shown,
    inRows: [page.profileAsk(sceneId), page.profileAskNames(sceneName, name)],
    shownFirst: {
      // The person's yes also covers the scene in which the profile is replaced, so that they are asked again if it
      // changes.
      sent: { ...registration, profile, elsewhere },
      text: lines(page.sceneInResult).join("\n"),
      named,
      data: (hash) => data(hash, sceneName ?? null),
      ...(sceneName !== undefined && { foreign: ["/scene_name"] }),
    },
  };
  // The hash is left out here, because a call with the hash asks the same question as the call without it.
  const answer = await askPermission(tool, { ...(args as object), profile_hash: undefined }, wanted, ctx);
  if (!("by" in answer)) return answer;
  const { takenOut = [] } = answer;
  const out = piecesIn({ fields }).filter(({ id }) => takenOut.includes(id));
  const kept = Object.entries(profile).map(([field, value]) => [field, withoutPieces(field, value, takenOut)]);
  const says: Readonly<Record<string, string>> = ctx.texts.pii.kinds;
  const kinds = [...new Set(out.map(({ kind }) => says[kind] ?? kind))];
  return {
    /** The registration without the personal data that the person took out. */
    registration: { ...registration, profile: Object.fromEntries(kept) as Profile },
    takenOut: kinds.length === 0 ? undefined : ctx.texts.join.takenOut(listed(kinds, ctx)),
  };
}

/** Indents every line of a value after the first, so that no line of it can pass for a line of this program. */
export const indented = (value: string): string => value.replaceAll(/\r\n?|\n/g, "\n  ");
