import * as z from "zod";
import { givenIn } from "../ask/decision-path.ts";
import { whyOwnHand } from "../question/who.ts";
import { sanitizeListedItem } from "../safety/sanitize/foreign.ts";
import { inTurns } from "../turn.ts";
import { indented } from "./agent-profile.ts";
import { defineTool } from "./define.ts";
import { sanitizing } from "./fields.ts";

/** Creates a scene (contract §1). The backend checks no ranges, so this tool does. */
export const towowCreateScene = defineTool({
  name: "towow_create_scene",
  description:
    "Create an empty scene for people to register and negotiate in. Returns its scene_id; a second call makes a second scene. Fails without a name.",
  modes: ["developer"],
  kind: "write",
  idempotent: false,
  destructive: false,
  open_world: true,
  sensitive_sink: false,
  asks: async (args, ctx) => {
    if (whyOwnHand("scene", { surface: "argument" }, await givenIn(ctx)) === undefined) return undefined;
    const { page } = ctx.texts;
    const fields = Object.entries(args).map(([key, value]) => [key, String(value)] as const);
    const lines = fields.map(([key, value]) => page.sceneField(key, indented(value)));
    const asked = { about: "scene", fields } as const;
    return { question: "scene", title: page.sceneTitle, asked, text: lines.join("\n"), inLines: lines };
  },
  input: () =>
    z.strictObject({
      name: z.string().trim().min(1).max(200),
      description: z.string().trim().min(1).max(5_000, "tool.input.invalid.text_too_long"),
      expected_responders: z.int().min(1).max(1000).default(10),
      access_policy: z.enum(["open", "invite"]).default("open"),
    }),
  output: () =>
    z.object({
      scene_id: z.string(),
      name: z.string(),
      description: z.string(),
      status: z.string(),
      agent_ids: z.array(z.string()),
      expected_responders: z.number(),
      access_policy: z.string(),
      organizer_id: z.string(),
    }),
  async handler(args, ctx) {
    const scene = await (await ctx.backend()).createScene({ ...args, organizer_id: await ctx.userId() });
    const { value, warnings, meta } = await inTurns(sanitizeListedItem(scene, sanitizing(ctx)));
    const isEcho = scene.name === args.name && scene.description === args.description;
    return {
      summary: ctx.texts.scenes.created(args.name, value.scene_id),
      data: value,
      warnings,
      meta,
      // These fields are what the backend now holds, which may differ from what the call said.
      foreign: Object.keys(value).flatMap((key) => (key === "scene_id" ? [] : [`/${key}`])),
      ...(isEcho && { taints: false as const }),
    };
  },
});
