import * as z from "zod";
import { resumeField } from "../result/tool-result.ts";
import { rememberedSha256 } from "../sha256.ts";
import { joinLines } from "../text/join.ts";
import { agentsIn } from "../use/agents.ts";
import { isNamedOtherwise, type Profile, register, rememberOwn } from "../use/join.ts";
import { askForProfile, sentProfile } from "./agent-profile.ts";
import { defineTool, type ToolContext } from "./define.ts";
import { displayNameField, idField, profileField, profileHashField } from "./fields.ts";

const NAME = "towow_register_agent";

/** Registers an agent (contract §1). A person has a single id, which the agent gets by default. */
export const towowRegisterAgent = defineTool({
  name: NAME,
  description:
    "Register an agent (a profile) in a scene. agent_id defaults to your own user id, or to a new one if you registered that id under another name; agent_id_source says which. The registry is global: the same id in another scene replaces name and profile everywhere. The person sees the profile first. If the client cannot ask, the first call returns it to show; a second with profile_hash sends it.",
  modes: ["developer"],
  kind: "write",
  idempotent: false,
  destructive: true, // The profile replaces the one that this id has in every scene.
  open_world: true,
  sensitive_sink: true,
  asks: "handler",
  input: () =>
    z.strictObject({
      scene_id: idField("The scene"),
      agent_id: idField("Default: as described").optional(),
      display_name: displayNameField(),
      profile_data: profileField(),
      source_type: z.string().min(1).max(50).default("mcp"),
      profile_hash: profileHashField(),
    }),
  output: () =>
    z.object({
      agent_id: z.string(),
      agent_id_source: z.enum(["own", "given", "generated"]),
      display_name: z.string(),
      scene_id: z.string(),
      scene_name: z.string().nullable(),
      profile_summary: z.string().nullable(),
      profile_hash: z.string().nullable(),
      resume_with: resumeField().nullable(),
    }),
  async handler(args, ctx) {
    const { scene_id, display_name, profile_hash } = args;
    const userId = await ctx.userId();
    const agent_id = args.agent_id ?? ((await holdsAnotherProfile(args, ctx)) ? generatedId(args, ctx) : userId);
    const agent_id_source = args.agent_id !== undefined ? "given" : agent_id === userId ? "own" : "generated";
    const isGenerated = agent_id_source === "generated";
    const registration = {
      sceneId: scene_id,
      agentId: agent_id,
      name: display_name,
      profile: args.profile_data,
      source: args.source_type,
    };
    const about = { agent_id, agent_id_source, display_name, scene_id, scene_name: null } as const;
    const { scenes, note, join } = ctx.texts;
    const registered = scenes.registered(display_name, scene_id);
    if (await ctx.session.sentProfiles.has(ctx.origin, registration)) {
      await rememberOwn(registration, ctx);
      return {
        summary: `${registered}\n${join.sentBefore}`,
        data: { ...about, profile_summary: null, profile_hash: null, resume_with: null },
        warnings: ["duplicate_suppressed" as const],
      };
    }
    const answer = await askForProfile(
      registration,
      {
        tool: NAME,
        args,
        as: agent_id_source,
        named: profile_hash,
        data: (profile_hash, scene_name) => ({
          ...about,
          scene_name,
          profile_summary: null,
          profile_hash,
          resume_with: { tool: NAME, params: shownCall(args), needs: ["consent"], pass_back: ["profile_hash"] },
        }),
      },
      ctx,
    );
    if (!("registration" in answer)) return answer;
    const { summary, warnings, thin } = sentProfile(display_name, await register(answer.registration, ctx), ctx);
    await ctx.session.sentProfiles.add(ctx.origin, registration);
    return {
      summary: joinLines([registered, answer.takenOut, isGenerated ? note.agent_id_generated : join.overwrites, thin]),
      data: { ...about, profile_summary: summary, profile_hash: null, resume_with: null },
      warnings: [...warnings, ...(isGenerated ? (["agent_id_generated"] as const) : [])],
    };
  },
});

/** Returns the arguments with which the next call shows the same profile, under the same id. */
const shownCall = ({ profile_hash: _, ...args }: Record<string, unknown>) => args;

type Named = Readonly<{ scene_id: string; display_name: string; profile_data: Profile }>;

/**
 * Returns whether the person's own id already belongs to a profile with another name, either in any scene by a
 * registration of this program, or in this scene by the backend's list.
 */
async function holdsAnotherProfile({ scene_id, display_name }: Named, ctx: ToolContext): Promise<boolean> {
  if (isNamedOtherwise(ctx.settings, display_name)) return true;
  const agents = await agentsIn(scene_id, ctx);
  const own = await ctx.userId();
  return agents?.some((agent) => agent.agent_id === own && agent.display_name !== display_name) ?? false;
}

/** Generates an id from the profile, so that repeating the call registers no second agent. */
const generatedId = ({ scene_id, display_name, profile_data }: Named, { origin }: ToolContext) =>
  `agent_${rememberedSha256(JSON.stringify([origin, scene_id, display_name, profile_data])).slice(0, 12)}`;
