import * as z from "zod";
import { defineTool } from "./define.ts";

/** Lists the addresses that can be read, for clients without resources (agent layer §7). */
export const towowDocsList = defineTool({
  name: "towow_docs_list",
  description:
    "List what towow_docs_read can read, for clients without resources. Guides, policy, tools, schemas, the person's negotiations with plan and offers, scenes: addresses, and templates of addresses to fill in. Where there are none yet, those lists are empty.",
  modes: [],
  toolsets: ["docs"],
  kind: "local_read",
  input: () => z.strictObject({}),
  output: () =>
    z.object({
      resources: z.array(z.object({ uri: z.string(), title: z.string(), description: z.string() })),
      templates: z.array(z.object({ uri_template: z.string(), title: z.string(), description: z.string() })),
    }),
  async handler(_, ctx) {
    const { resources, templates } = ctx.library.list();
    return { summary: ctx.texts.docs.list(resources.length, templates.length), data: { resources, templates } };
  },
});
