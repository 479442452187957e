import * as z from "zod";
import { joinSentences } from "../text/join.ts";
import { defineTool } from "./define.ts";

/** Sets the mode during a conversation (contract §8). Registrations and running negotiations stay as they are. */
export const towowSetMode = defineTool({
  name: "towow_set_mode",
  description:
    "Switch between normal mode (join, demand, status) and developer mode (every tool). Only when the person asks for it. persist: false keeps it to this session. Fails where the mode was fixed at the start.",
  modes: ["normal", "developer"],
  kind: "write",
  idempotent: true,
  destructive: false,
  open_world: false,
  sensitive_sink: false,
  asks: "nothing",
  input: () =>
    z.strictObject({
      mode: z.enum(["normal", "developer"]),
      persist: z.boolean().default(true).describe("Also the default of later sessions"),
    }),
  output: () => z.object({ mode: z.string(), persisted: z.boolean() }),
  async handler({ mode, persist }, ctx) {
    await ctx.setMode(mode, persist);
    const { mode: texts } = ctx.texts;
    const { toolset } = ctx.settings;
    const listed = persist ? texts.listed : texts.listedNow;
    return {
      summary: joinSentences([
        texts.set(mode),
        persist ? texts.saved : texts.session,
        toolset === undefined ? listed : texts.byToolset(toolset),
      ]),
      data: { mode, persisted: persist },
    };
  },
});
