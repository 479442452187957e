import { expect, it } from "vitest";
import { HOSTILE } from "../safety/hostile-corpus.ts";
import { forEachEntry } from "../support/entries.ts";
import { share } from "../support/property-seed.ts";
import { fenced, finished } from "./finished.ts";

const has = (text: string, what: string | RegExp) => (typeof what === "string" ? text.includes(what) : what.test(text));

/** How many runs read all of them. */
const PARTS = 4;

/** What a tool's result must lose or keep, the page of the whole text must lose or keep as well. */
it.each(["plan", "offers/agent_one"] as const)("hostile text read at %s", (path) =>
  forEachEntry(
    share(HOSTILE, PARTS),
    ({ name }) => name,
    async ({ text, loses, keeps, warns }) => {
      const { id, read } = await finished({
        plan_output: text,
        participants: [{ agent_id: "agent_one", display_name: text, offer_content: text, offer_capabilities: [text] }],
      });
      const page = await read(`towow://negotiations/${id}/${path}`);
      const inside = fenced(page.text);
      expect(inside, page.text.slice(0, 300)).toBeDefined();
      for (const what of loses) expect(has(inside ?? "", what), String(what)).toBe(false);
      let whole = inside ?? "";
      for (let n = 2; n <= (page._meta["towow/page"] as { pages: number }).pages; n++)
        whole += fenced((await read(`towow://negotiations/${id}/${path}?page=${n}`)).text);
      for (const part of keeps ?? []) expect(whole).toContain(part);
      const mark = /<<<foreign (\w+)\n/.exec(page.text)?.[1] ?? "no fence";
      expect(page.text.split(mark)).toHaveLength(3);
      expect(page.text.endsWith(`>>>foreign ${mark}`)).toBe(true);
      if (warns) expect(page._meta["towow/warnings"]).toContain(warns);
    },
  ),
);
