import * as z from "zod";
import { defineTool } from "./define.ts";

/** Contract §1. The backend validates no ranges, so they are held here. */
export const towowCreateScene = defineTool({
  name: "towow_create_scene",
  description: "Create an empty scene in which people can register and negotiate. Returns its scene_id.",
  modes: ["developer"],
  read_only: false,
  idempotent: false,
  destructive: false,
  open_world: true,
  sensitive_sink: false,
  asks: "nothing",
  input: z.strictObject({
    name: z.string().trim().min(1).max(200),
    description: z.string().trim().min(1).max(5_000, "tool.input.invalid.text_too_long"),
    expected_responders: z.int().min(1).max(1000).default(10),
    access_policy: z.enum(["open", "invite"]).default("open"),
  }),
  output: z.object({
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
    return { summary: ctx.texts.scenes.created(scene.name, scene.scene_id), data: scene };
  },
});
