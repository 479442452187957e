import * as z from "zod";
import { askForProfile, registerProfile } from "./agent-profile.ts";
import { defineTool } from "./define.ts";
import { displayNameField, idField, profileField, profileHashField } from "./fields.ts";

const NAME = "towow_register_agent";

/** Contract §1: one person has one id, so that is what an agent is called by default. */
export const towowRegisterAgent = defineTool({
  name: NAME,
  description:
    "Register an agent (a profile) in a scene. agent_id defaults to the own user id. The registry is global: the same id in another scene replaces name and profile everywhere. The person sees the profile first: where the client cannot ask, the first call returns it to be shown, a second with profile_hash sends it.",
  modes: ["developer"],
  kind: "write",
  idempotent: false,
  destructive: true, // replaces the name and profile that this id has in every scene
  open_world: true,
  sensitive_sink: true,
  asks: "handler",
  input: z.strictObject({
    scene_id: idField("The scene"),
    agent_id: idField("Default: the own user id").optional(),
    display_name: displayNameField,
    profile_data: profileField,
    source_type: z.string().min(1).max(50).default("mcp"),
    profile_hash: profileHashField,
  }),
  output: z.object({
    agent_id: z.string(),
    display_name: z.string(),
    scene_id: z.string(),
    profile_summary: z.string().nullable(),
    resume_with: z.object({ tool: z.string(), params: z.record(z.string(), z.unknown()) }).nullable(),
  }),
  async handler(args, ctx) {
    const { scene_id, display_name, profile_hash } = args;
    const userId = await ctx.userId();
    const agent_id = args.agent_id ?? userId;
    const registration = {
      sceneId: scene_id,
      agentId: agent_id,
      name: display_name,
      profile: args.profile_data,
      source: args.source_type,
    };
    const about = { agent_id, display_name, scene_id };
    const answer = await askForProfile(
      registration,
      {
        tool: NAME,
        args,
        scene: scene_id,
        otherId: agent_id === userId ? undefined : agent_id,
        named: profile_hash,
        data: (profile_hash) => ({
          ...about,
          profile_summary: null,
          resume_with: { tool: NAME, params: { scene_id, profile_hash } },
        }),
      },
      ctx,
    );
    if (!("by" in answer)) return answer;
    const { summary, warnings, thin } = await registerProfile(registration, ctx);
    return {
      summary: [ctx.texts.scenes.registered(display_name, scene_id), ctx.texts.join.overwrites, thin]
        .filter((line) => line !== undefined)
        .join("\n"),
      data: { ...about, profile_summary: summary, resume_with: null },
      warnings,
    };
  },
});
