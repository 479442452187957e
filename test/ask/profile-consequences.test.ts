import { expect, it } from "vitest";
import { profileConsequences } from "../../src/ask/consequences.ts";
import { permissionPage } from "../../src/ask/page/permission-page.ts";
import { textsOf } from "../../src/text/index.ts";
import { requests } from "../support/backend.ts";
import type { Answer } from "../support/clients.ts";
import { printedPage } from "../support/printed-page.ts";
import { createWorld, PROFILE } from "../support/world.ts";

/** A question about a profile says what a yes replaces: the network keeps one name and one profile for an id. */

const NO: Answer = { action: "accept", content: { decision: "reject" } };
const READ_ON: Answer = { action: "accept", content: { decision: "accept" } };

it.each(["en", "zh"] as const)("in %s: joining a second scene under another name, on every surface", async (lang) => {
  const world = await createWorld();
  const texts = textsOf(lang);
  const [first, second] = world.mock.scenes();
  const join = { scene: second?.scene_id, display_name: "Another name", profile_data: PROFILE };
  const config = { lang, last_scene_id: first?.scene_id };
  const elsewhere = texts.page.scene(first?.scene_id ?? "", first?.name);
  const says = profileConsequences({ elsewhere }, texts).map(({ text }) => text);
  const asked: string[] = [];
  const isLast = () => asked.at(-1)?.includes(says.at(-1) ?? "") === true;
  const forms = await world.process({
    config,
    answer({ message }) {
      asked.push(message);
      return isLast() ? NO : READ_ON;
    },
  });
  await forms.call("towow_join", join);
  const page = await world.process({ config, elicitation: { form: {}, url: {} }, answer: () => NO });
  await page.call("towow_join", join);
  const atTerminal: string[] = [];
  const command = await world.process({
    config,
    fromCommandLine: true,
    atTerminal: async ({ text }) => atTerminal.push(text) < 0,
  });
  await command.call("towow_join", join);
  const { result } = await (await world.process({ config })).call("towow_join", join);
  const read = (text: string) => text.replaceAll(/[\s·]/g, "");
  for (const sentence of says)
    for (const [surface, text] of Object.entries({
      form: asked.join(""),
      page: printedPage(String(await permissionPage(page.sends[0]!, { texts, host: "localhost:8765" }))),
      terminal: atTerminal.join(""),
    }))
      expect(read(text), surface).toContain(read(sentence));
  // An AI reads the scene that is left by its id alone.
  expect(result.summary).toContain(first?.scene_id);
  expect(result.summary).toContain(texts.page.profileStays);
  expect(requests(world.mock, "POST", /\/agents$/)).toEqual([]);
});
