// Films people before the real, interactive Claude Code: what stands on their screen from a demand to its end, and what
// it takes of them and of their model. Run: npm run check:captures [-- --bin <folder with claude>] [--only <scene>]
// [--lang en|zh] [--save]; --save writes docs/captures/claude-code-<scene>-<lang>.txt and the figures in docs/clients.md.
// Needs tmux and chromium, and for the replicas redis-server and nginx; without --bin the client comes from npm.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { figuresOf } from "./captures/figures.ts";
import { SCENES, type Scene } from "./captures/scenes.ts";
import { openSitting, type Sitting } from "./captures/sitting.ts";
import { type Lang, WORDS } from "./captures/words.ts";
import type { Step } from "./clients/scripted-model.ts";
import { claude } from "./journeys/clients/claude.ts";
import { clientPrograms } from "./journeys/programs.ts";

const { values } = parseArgs({
  options: { bin: { type: "string" }, only: { type: "string" }, lang: { type: "string" }, save: { type: "boolean" } },
});
const langs = (values.lang?.split(",") ?? ["en", "zh"]) as Lang[];
const programs = await clientPrograms([claude.npm], values.bin);
const scenes = SCENES.filter(({ id }) => !values.only || values.only.split(",").includes(id));

async function film(scene: Scene, lang: Lang): Promise<void> {
  const { intent, long, says } = WORDS[lang];
  const demand: Step = () => ({
    tool: "towow_demand",
    input: { intent: scene.isLong ? long : intent, scene_id: sitting.sceneId },
  });
  const steps = [
    demand,
    { say: says.background },
    { say: says.meanwhile },
    ...(scene.asksLater ? [{ say: says.later }] : []),
    { say: says[scene.ends] },
  ];
  const sitting: Sitting = await openSitting({ bin: programs.bin, lang, steps, overHttp: scene.overHttp ?? false });
  try {
    await scene.play(sitting);
    const text = sitting.frames.map(({ title, screen }, i) => `=== ${i + 1}. ${title}\n${screen}`).join("\n\n");
    process.stdout.write(`\n######## ${scene.id} ${lang}\n${values.save ? "" : text}\n`);
    process.stdout.write(`${JSON.stringify(figuresOf(sitting, scene))}\n`);
    if (values.save)
      writeFileSync(new URL(`../docs/captures/claude-code-${scene.id}-${lang}.txt`, import.meta.url), `${text}\n`);
  } catch (error) {
    process.stdout.write(`\n######## ${scene.id} ${lang}: FAILED ${error instanceof Error ? error.stack : error}\n`);
    process.exitCode = 1;
  } finally {
    await sitting.close();
  }
}

for (const scene of scenes) for (const lang of langs) await film(scene, lang);
await programs.close();
