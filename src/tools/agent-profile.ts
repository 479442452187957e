import stringWidth from "string-width";
import type { Permission } from "../ask/context.ts";
import type { Texts } from "../text/index.ts";
import type { ToolContext } from "./define.ts";
import type { Profile } from "./fields.ts";

/** A bio of fewer columns says too little; a Chinese character counts as two. */
const SHORT_BIO_COLUMNS = 30;
const FEW_SKILLS = 3;

export interface Registration {
  sceneId: string;
  agentId: string;
  name: string;
  profile: Profile;
  source: string;
}

/** Sends a profile to a scene and sums it up for the person. @throws AlreadyRegistered, UnknownScene */
export async function registerProfile({ sceneId, agentId, name, profile, source }: Registration, ctx: ToolContext) {
  const normal = normalise(profile);
  await (await ctx.backend()).registerAgent(sceneId, {
    agent_id: agentId,
    display_name: name,
    source_type: source,
    profile_data: normal,
  });
  const { skills = [], bio = "" } = normal;
  const missing = thinFields(normal);
  return {
    summary: ctx.texts.join.profile({ name, skills: skills.length, list: skills.join(", "), bio }),
    warnings: missing.length > 0 ? ["profile_thin"] : [],
    thin: missing.length > 0 ? ctx.texts.join.thin(missing.join(", ")) : undefined,
  };
}

/** Each skill once, no empty fields: what the matching reads is a list of plain texts (contract §1). */
function normalise(profile: Profile): Profile {
  const once = (items: string[]) => [...new Set(items.filter((item) => item !== ""))];
  const entries = Object.entries(profile).map(([key, value]) => [key, Array.isArray(value) ? once(value) : value]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== "")) as Profile;
}

function thinFields(profile: Profile): string[] {
  const { skills = [], bio = "", experience = "", capabilities = [] } = profile;
  return [
    ...(skills.length < FEW_SKILLS ? ["skills"] : []),
    ...(stringWidth(bio) < SHORT_BIO_COLUMNS ? ["bio"] : []),
    ...(experience === "" ? ["experience"] : []),
    ...(capabilities.length === 0 ? ["capabilities"] : []),
  ];
}

/** The profile as the person reads it before it is sent, whole. */
export function profilePermission(name: string, scene: string, profile: Profile, { page }: Texts): Permission {
  const fields = Object.entries(normalise(profile)).map(
    ([key, value]) => `${key}: ${Array.isArray(value) ? value.join(", ") : value}`,
  );
  const lines = [page.profileHead(name, scene), ...fields];
  return {
    title: page.profileTitle,
    text: lines.join("\n"),
    inOneLine: lines.join(" · "),
    inRows: [page.profileAsk(name, scene), page.profileFields(Object.keys(normalise(profile)).join(", "))],
  };
}
