import * as z from "zod";
import { profilePermission, registerProfile } from "./agent-profile.ts";
import { defineTool } from "./define.ts";
import { displayNameField, idField, profileField } from "./fields.ts";

/** Contract §1: one person has one id, so that is what an agent is called by default. */
export const towowRegisterAgent = defineTool({
  name: "towow_register_agent",
  description:
    "Register an agent (a profile) in a scene. agent_id defaults to the own user id. The registry is global: the same id in another scene replaces name and profile everywhere. Show the person the profile first.",
  modes: ["developer"],
  read_only: false,
  idempotent: false,
  destructive: true, // replaces the name and profile that this id has in every scene
  open_world: true,
  sensitive_sink: true,
  asks: async ({ profile_data, display_name, scene_id }, { texts }) =>
    profilePermission(display_name, scene_id, profile_data, texts),
  input: z.strictObject({
    scene_id: idField("The scene"),
    agent_id: idField("Default: the own user id").optional(),
    display_name: displayNameField,
    profile_data: profileField,
    source_type: z.string().min(1).max(50).default("mcp"),
  }),
  output: z.object({
    agent_id: z.string(),
    display_name: z.string(),
    scene_id: z.string(),
    profile_summary: z.string(),
  }),
  async handler(args, ctx) {
    const { scene_id, display_name } = args;
    const agent_id = args.agent_id ?? (await ctx.userId());
    const { summary, warnings, thin } = await registerProfile(
      {
        sceneId: scene_id,
        agentId: agent_id,
        name: display_name,
        profile: args.profile_data,
        source: args.source_type,
      },
      ctx,
    );
    return {
      summary: [ctx.texts.scenes.registered(display_name, scene_id), ctx.texts.join.overwrites, thin]
        .filter((line) => line !== undefined)
        .join("\n"),
      data: { agent_id, display_name, scene_id, profile_summary: summary },
      warnings,
    };
  },
});
