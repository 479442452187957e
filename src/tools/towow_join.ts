import * as z from "zod";
import { resumeField } from "../result/tool-result.ts";
import { sanitizeLine, sanitizeListedItem } from "../safety/sanitize/foreign.ts";
import { joinLines, joinSentences } from "../text/join.ts";
import type { Warning } from "../text/warnings.ts";
import { inTurns } from "../turn.ts";
import { isJoined, joinScene, noteFound, type Profile } from "../use/join.ts";
import { type FoundScene, listScenes, resolveScene } from "../use/scenes.ts";
import { askForProfile, sentProfile } from "./agent-profile.ts";
import { defineTool, type ToolContext } from "./define.ts";
import { displayNameField, profileField, profileHashField, sanitizing } from "./fields.ts";
import { searchScenes } from "./scene-search.ts";
import { InvalidArguments } from "./validate.ts";

const NAME = "towow_join";
const MAX_RAW_LENGTH = 200_000;
/** The maximum length of the text that the result repeats, in characters. The AI already has the whole text. */
const MAX_ECHO_LENGTH = 4_000;
/** The maximum number of scenes that a search returns. A person who sees more of them searches with other words. */
const MAX_FOUND = 10;

/** Joins a scene in two calls (contract §2). Between the calls the person's own AI builds the profile. */
export const towowJoin = defineTool({
  name: NAME,
  description:
    "Join a scene of the Towow network. First call: scene and raw_content (résumé or self-introduction); returns the guiding prompt. scene alone finds scenes by its words. Then build profile_data from that prompt, ask for a display name, and call again with scene, display_name and profile_data. Joining publishes the profile. Where no form or page asks, that call only returns all of it: show it, get a yes, call again with profile_hash. Fails for an unknown scene.",
  modes: ["normal", "developer"],
  kind: "write",
  idempotent: false,
  destructive: true, // The profile replaces the one that this id has in every scene.
  open_world: true,
  sensitive_sink: true,
  asks: "handler",
  input: () =>
    z.strictObject({
      scene: z.string().trim().min(1).max(200).describe("Name or scene_id; alone, words to find scenes by"),
      raw_content: z
        .string()
        .max(MAX_RAW_LENGTH, "tool.input.invalid.text_too_long")
        .describe("The person's own text, for the first call")
        .optional(),
      profile_data: profileField().optional(),
      display_name: displayNameField().optional(),
      profile_hash: profileHashField(),
    }),
  output: () =>
    z.object({
      scene_id: z.string().nullable(),
      scene_name: z.string().nullable(),
      agent_id: z.string().nullable(),
      profile_summary: z.string().nullable(),
      guiding_prompt: z.string().nullable(),
      raw_content: z.string().nullable(),
      profile_hash: z.string().nullable(),
      already_joined: z.boolean().nullable().describe("null: not looked up"),
      scenes: z
        .array(z.object({ scene_id: z.string(), name: z.string(), description: z.string() }))
        .nullable()
        .describe("Found by their words"),
      resume_with: resumeField().nullable(),
    }),
  async handler(args, ctx) {
    const { profile_data, display_name, profile_hash } = args;
    const isSearch = args.raw_content === undefined && display_name === undefined && profile_hash === undefined;
    if (profile_data === undefined && isSearch) return find(args.scene, ctx);
    // A hash is the yes to a profile, so without a profile there is nothing to send.
    if (profile_data === undefined && (profile_hash !== undefined || !args.raw_content?.trim()))
      throw new InvalidArguments("tool.input.invalid.join_incomplete", {});
    if (profile_data !== undefined && display_name === undefined)
      throw new InvalidArguments("tool.input.invalid.join_incomplete", {});
    const scene = await resolveScene(args.scene, ctx);
    if (ctx.permission === undefined && scene.isExact && (await isJoined(scene.scene_id, ctx))) {
      const { isUnclear, goesTo } = await noteFound(scene.scene_id, ctx);
      return alreadyJoined(scene.scene_id, isUnclear, ctx, goesTo);
    }
    if (profile_data === undefined || display_name === undefined) return guide(scene, args.raw_content ?? "", ctx);
    return join(scene.scene_id, { ...args, profile_data, display_name }, ctx);
  },
});

/** Finds scenes by what they are about, for a person who does not know the name. */
async function find(words: string, ctx: ToolContext) {
  const all = await listScenes(ctx);
  const named = all.filter(({ scene_id }) => scene_id === words.trim());
  const found = named.length > 0 ? named : await inTurns(searchScenes(all, words));
  const shown = (found.length > 0 ? found : all).slice(0, MAX_FOUND);
  const scenes = [];
  const warnings = new Set<Warning>();
  for (const scene of shown) {
    // Only the beginning of a description is given. A whole description would count as others' text, and would limit
    // what this session may do (see `ask/decision-path.ts`).
    const clean = await inTurns(sanitizeListedItem(scene, sanitizing(ctx), true));
    const { scene_id, name, description } = clean.value;
    scenes.push({ scene_id, name, description });
    for (const warning of clean.warnings) warnings.add(warning);
  }
  return {
    summary: ctx.texts.join.found(found.length, all.length),
    data: { ...NOTHING, scene_id: null, agent_id: null, profile_summary: null, already_joined: null, scenes },
    warnings: [...warnings],
    foreign: ["/scenes"],
    taints: false as const,
    ...(found.length === 0 && { status: "empty" as const }),
  };
}

/** Answers the first call. Nothing is sent, and the person's AI gets the prompt for building the profile. */
async function guide(scene: FoundScene, raw: string, ctx: ToolContext) {
  const name = scene.name === undefined ? undefined : sanitizeLine(scene.name, sanitizing(ctx));
  const id = sanitizeLine(scene.scene_id, sanitizing(ctx));
  const omitted = raw.length > MAX_ECHO_LENGTH;
  return {
    // Any id is accepted, because a backend may be unable to list its scenes.
    summary: ctx.texts.join.first(name !== undefined),
    data: {
      scene_id: scene.scene_id,
      scene_name: name?.value ?? null,
      agent_id: null,
      profile_summary: null,
      guiding_prompt: await guidingPrompt(ctx),
      raw_content: [...raw].slice(0, MAX_ECHO_LENGTH).join(""), // Splitting by characters cuts none in two.
      already_joined: false,
      scenes: null,
      profile_hash: null,
      resume_with: {
        tool: NAME,
        params: { scene: scene.scene_id },
        needs: ["display_name"],
        pass_back: ["profile_data"],
      },
    },
    warnings: [
      ...new Set<Warning>([
        ...(omitted ? (["raw_content_omitted"] as const) : []),
        ...(name?.warnings ?? []),
        ...id.warnings,
      ]),
    ],
    foreign: ["/scene_name"],
    taints: false as const,
  };
}

interface JoinArguments {
  scene: string;
  display_name: string;
  profile_data: Profile;
  profile_hash?: string | undefined;
}

async function join(sceneId: string, args: JoinArguments, ctx: ToolContext) {
  const { texts } = ctx;
  const { display_name: name, profile_data: profile, profile_hash: named } = args;
  const agentId = await ctx.userId();
  const registration = { sceneId, agentId, name, profile, source: "mcp" };
  const data = (profile_hash: string, scene_name: string | null) => ({
    ...NOTHING,
    scene_id: sceneId,
    scene_name,
    agent_id: null,
    profile_summary: null,
    already_joined: false,
    profile_hash,
    resume_with: {
      tool: NAME,
      params: { scene: sceneId, display_name: name, profile_data: profile },
      needs: ["consent"],
      pass_back: ["profile_hash"],
    },
  });
  const answer = await askForProfile(registration, { tool: NAME, args, named, data }, ctx);
  if (!("registration" in answer)) return answer;
  const { sent, isUnclear } = await joinScene(answer.registration, ctx);
  if (sent === undefined) return alreadyJoined(sceneId, isUnclear, ctx);
  const said = sentProfile(name, sent, ctx);
  return {
    summary: joinLines([
      texts.join.joined(name, sceneId),
      said.summary,
      answer.takenOut,
      texts.join.overwrites,
      said.thin,
    ]),
    data: { ...NOTHING, scene_id: sceneId, agent_id: agentId, profile_summary: said.summary, already_joined: false },
    warnings: said.warnings,
  };
}

/**
 * Reports a success, because the person is already in the scene. `goesTo` names the other scene to which the person's
 * demands still go, if there is one.
 */
async function alreadyJoined(sceneId: string, isUnclear: boolean, ctx: ToolContext, goesTo?: string) {
  const { already, alreadyUnclear, stillGoesTo } = ctx.texts.join;
  const known = (isUnclear ? alreadyUnclear : already)(sceneId);
  return {
    summary: joinSentences([known, goesTo === undefined ? undefined : stillGoesTo(goesTo, sceneId)]),
    data: { ...NOTHING, scene_id: sceneId, agent_id: await ctx.userId(), profile_summary: null, already_joined: true },
    warnings: ["already_joined" as const],
  };
}

const NOTHING = {
  scene_name: null,
  guiding_prompt: null,
  raw_content: null,
  profile_hash: null,
  scenes: null,
  resume_with: null,
};

/** Returns the prompt that explains how to build a profile, and whether the client will ask the person about it. */
async function guidingPrompt({ prompt, client }: ToolContext): Promise<string> {
  const asking = client.declaresElicitation ? "register_in_client" : "register_after_chat";
  const [guiding, register] = await Promise.all(["guiding", asking].map(prompt));
  return `${guiding}\n${register}`;
}
