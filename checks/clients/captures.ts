// Films people before the real, interactive Claude Code: what stands on their screen from a demand to its end, and what
// it takes of them and of their model. --save writes docs/captures/claude-code-<scene>-<lang>.txt. For the replicas it
// needs redis-server and nginx.
import { writeFileSync } from "node:fs";
import { counted, type Found, options } from "../harness.ts";
import { figuresOf } from "./captures/figures.ts";
import { SCENES, type Scene } from "./captures/scenes.ts";
import { openSitting, type Sitting } from "./captures/sitting.ts";
import { type Lang, WORDS } from "./captures/words.ts";
import { claude } from "./journeys/clients/claude.ts";
import { clientPrograms } from "./journeys/programs.ts";
import type { Step } from "./scripted-model.ts";

/** Whether it went as it must. */
async function film(scene: Scene, lang: Lang, bin: string, save: boolean): Promise<boolean> {
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
  const sitting: Sitting = await openSitting({ bin, lang, steps, overHttp: scene.overHttp ?? false });
  try {
    await scene.play(sitting);
    const text = sitting.frames.map(({ title, screen }, i) => `=== ${i + 1}. ${title}\n${screen}`).join("\n\n");
    process.stdout.write(`\n######## ${scene.id} ${lang}\n${save ? "" : text}\n`);
    process.stdout.write(`${JSON.stringify(figuresOf(sitting, scene))}\n`);
    if (save)
      writeFileSync(new URL(`../../docs/captures/claude-code-${scene.id}-${lang}.txt`, import.meta.url), `${text}\n`);
    return true;
  } catch (error) {
    process.stdout.write(`\n######## ${scene.id} ${lang}: FAILED ${error instanceof Error ? error.stack : error}\n`);
    return false;
  } finally {
    await sitting.close();
  }
}

export default async function captures(args: string[]): Promise<Found> {
  const given = options(args, { bin: "", only: "", lang: "en,zh", save: false });
  const programs = await clientPrograms([claude.npm], given.bin || undefined);
  const scenes = SCENES.filter(({ id }) => !given.only || given.only.split(",").includes(id));
  const failed: string[] = [];
  for (const scene of scenes)
    for (const lang of given.lang.split(",") as Lang[])
      if (!(await film(scene, lang, programs.bin, given.save))) failed.push(`${scene.id} ${lang}`);
  await programs.close();
  return {
    ok: failed.length === 0,
    line: `${counted(scenes.length, "scene")} filmed; failed: ${failed.join(", ") || "none"}`,
  };
}
