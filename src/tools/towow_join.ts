import * as z from "zod";
import { AlreadyRegistered } from "../backend/errors.ts";
import { sanitizeLine } from "../safety/sanitize/foreign.ts";
import { profilePermission, registerProfile } from "./agent-profile.ts";
import { defineTool, type ToolContext } from "./define.ts";
import { displayNameField, type Profile, profileField, sanitizing } from "./fields.ts";
import { resolveScene } from "./scenes.ts";
import { InvalidArguments } from "./validate.ts";

const MAX_RAW_LENGTH = 200_000;
/** The AI has the text already: a long one is not sent back to it. */
const MAX_ECHO_LENGTH = 4_000;

/** Contract §2: join a scene in two calls; the structuring between them is done by the user's own AI. */
export const towowJoin = defineTool({
  name: "towow_join",
  description:
    "Join a scene of the Towow network. First call: scene and raw_content (résumé or self-introduction); returns the guiding prompt. Structure the profile by it, show it to the person, get a yes and their display name, then call again with scene, display_name and profile_data. Joining publishes the profile to the network.",
  modes: ["normal", "developer"],
  read_only: false,
  idempotent: false,
  destructive: true, // replaces the name and profile that this id has in every scene
  open_world: true,
  sensitive_sink: true,
  asks: async ({ profile_data, display_name, scene }, { texts }) =>
    profile_data && display_name ? profilePermission(display_name, scene, profile_data, texts) : undefined,
  input: z.strictObject({
    scene: z.string().trim().min(1).max(200).describe("Name or scene_id"),
    raw_content: z
      .string()
      .max(MAX_RAW_LENGTH, "tool.input.invalid.text_too_long")
      .describe("The person's own text, for the first call")
      .optional(),
    profile_data: profileField.optional(),
    display_name: displayNameField.optional(),
  }),
  output: z.object({
    scene_id: z.string(),
    scene_name: z.string().nullable(),
    agent_id: z.string().nullable(),
    profile_summary: z.string().nullable(),
    guiding_prompt: z.string().nullable(),
    raw_content: z.string().nullable(),
    already_joined: z.boolean(),
    resume_with: z.object({ tool: z.string(), params: z.record(z.string(), z.unknown()) }).nullable(),
  }),
  async handler(args, ctx) {
    const { profile_data, display_name } = args;
    if (profile_data === undefined && !args.raw_content?.trim())
      throw new InvalidArguments("tool.input.invalid.join_incomplete", {});
    if (profile_data !== undefined && display_name === undefined)
      throw new InvalidArguments("tool.input.invalid.join_incomplete", {});
    const scene = await resolveScene(args.scene, ctx);
    if (profile_data === undefined || display_name === undefined) return guide(scene, args.raw_content ?? "", ctx);
    return join(scene.scene_id, display_name, profile_data, ctx);
  },
});

/** First call: nothing is sent; the person's AI gets the prompt. */
async function guide(scene: { scene_id: string; name: string }, raw: string, ctx: ToolContext) {
  const name = sanitizeLine(scene.name, sanitizing(ctx));
  const omitted = raw.length > MAX_ECHO_LENGTH;
  return {
    summary: ctx.texts.join.first(scene.scene_id),
    data: {
      scene_id: scene.scene_id,
      scene_name: name.value,
      agent_id: null,
      profile_summary: null,
      guiding_prompt: await ctx.guidingPrompt(),
      raw_content: [...raw].slice(0, MAX_ECHO_LENGTH).join(""), // whole characters
      already_joined: false,
      resume_with: { tool: "towow_join", params: { scene: scene.scene_id } },
    },
    warnings: [...(omitted ? ["raw_content_omitted"] : []), ...name.warnings],
    tainted: ["/scene_name"],
    taints: false as const,
  };
}

async function join(sceneId: string, name: string, profile: Profile, ctx: ToolContext) {
  const { texts } = ctx;
  const agentId = await ctx.userId();
  const shared = {
    scene_id: sceneId,
    scene_name: null,
    agent_id: agentId,
    guiding_prompt: null,
    raw_content: null,
    resume_with: null,
  };
  try {
    const joined = await registerProfile({ sceneId, agentId, name, profile, source: "mcp" }, ctx);
    await ctx.remember({ last_scene_id: sceneId });
    return {
      summary: [texts.join.joined(name, sceneId), joined.summary, texts.join.overwrites, joined.thin]
        .filter((line) => line !== undefined)
        .join("\n"),
      data: { ...shared, profile_summary: joined.summary, already_joined: false },
      warnings: joined.warnings,
    };
  } catch (error) {
    if (!(error instanceof AlreadyRegistered)) throw error;
    await ctx.remember({ last_scene_id: sceneId });
    return {
      summary: texts.join.already(sceneId),
      data: { ...shared, profile_summary: null, already_joined: true },
      warnings: ["already_joined"],
    };
  }
}
