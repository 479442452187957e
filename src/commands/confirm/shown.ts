import type { Runtime } from "../../app/runtime.ts";
import { unusualRoute, unusualRouteSentences } from "../../ask/consequences.ts";
import { markedDifference, whoWrote } from "../../ask/shown-text.ts";
import type { Negotiation } from "../../backend/contract.ts";
import { ignoreTowowError } from "../../errors.ts";
import { hostLabel } from "../../home/origin.ts";
import { formulatedText } from "../../negotiation/backend-states.ts";
import type { Facts } from "../../negotiation/facts.ts";
import { showInvisible } from "../../safety/invisible.ts";
import { COLOURS } from "../../terminal/paint.ts";
import { paragraph } from "../../terminal/paragraph.ts";
import type { Texts } from "../../text/index.ts";
import { sheetTexts } from "../../text/sheet.ts";
import { terminalTexts } from "../../text/terminal.ts";
import { watchTexts } from "../../text/watch.ts";
import { shownNames } from "../../use/scenes.ts";
import { type Fate, mayGoOut } from "../../view/fate.ts";
import type { Format } from "../../watch/format.ts";
import { deadlineText, isLate } from "../../watch/sentences.ts";
import { listLines, sheetLines, sheetOf, textLines } from "../../watch/sheet.ts";

type Layout = Pick<Format, "width" | "paint" | "all">;

/** The list of scenes is a courtesy and must not use up the time to decide. */
const SCENE_TIMEOUT_MS = 2_000;

/** Shows everything that a person decides on: both texts, where it would go, and what happens if they do nothing. */
export async function questionLines(
  runtime: Runtime,
  negotiation: Negotiation,
  { submitted, fate }: { submitted: Facts["submitted"]; fate: Fate | undefined },
  layout: Layout & { keys: string },
): Promise<string[]> {
  const { paint, all } = layout;
  const texts = terminalTexts(all.lang);
  const original = formulatedText(negotiation);
  const { clock, timeOfDay } = runtime.deps;
  const { negotiations } = runtime.account();
  const said = negotiations.says(await negotiations.stage(negotiation.negotiation_id, negotiation), negotiation);
  const { isBeingWithdrawn } = said;
  const goesOut = mayGoOut(said.stage.name, { isBeingWithdrawn, decideBy: fate?.at, now: clock.now() });
  const deadline = deadlineText(fate, clock.now(), { texts: watchTexts(all.lang), timeOfDay });
  const where = await whereTo(runtime, submitted, all);
  return [
    ...paragraph(texts.heading, { ...layout, style: "bold" }),
    ...paragraph(whoWrote(said, all), { ...layout, style: COLOURS.muted }),
    "",
    ...sheetLines(sheetOf(negotiation.demand_raw, original), layout, goesOut),
    "",
    ...paragraph(where.goesTo, layout),
    ...[...where.unusual, ...(said.warnings.includes("edit_lost") ? [all.note.edit_lost] : [])].flatMap((line) =>
      paragraph(line, { width: layout.width, paint, style: ["bold", COLOURS.warn] }),
    ),
    ...paragraph(deadline ?? "", {
      width: layout.width,
      paint,
      style: isLate(fate, clock.now()) ? ["bold", COLOURS.warn] : "bold",
    }),
    "",
    ...paragraph(layout.keys, layout),
  ];
}

/**
 * Shows the person's own version whole, marks which words are theirs, and shows how it differs from the formulated
 * text.
 */
export function editLines(negotiation: Negotiation, edited: string, layout: Layout): string[] {
  const { all } = layout;
  const texts = terminalTexts(all.lang);
  const original = formulatedText(negotiation);
  const sheet = sheetOf(negotiation.demand_raw, original, edited);
  const difference = markedDifference(showInvisible(original), showInvisible(edited), all.lang);
  return [
    ...paragraph(texts.instead, { ...layout, style: "bold" }),
    ...paragraph(all.author.person, { ...layout, style: COLOURS.muted }),
    ...paragraph(sheetTexts(all.lang).signs, { ...layout, style: COLOURS.muted }),
    "",
    ...textLines(sheet, layout),
    ...listLines(sheet, layout),
    "",
    ...(difference === undefined
      ? paragraph(texts.notCompared, layout)
      : [...paragraph(texts.difference, layout), "", ...paragraph(difference, layout)]),
  ];
}

/**
 * Returns the sentence that names the scene and the host, and sentences about anything unusual. The scene is named by its id,
 * and also by its name if the backend gives one.
 */
async function whereTo(
  runtime: Runtime,
  submitted: Facts["submitted"],
  all: Texts,
): Promise<{ goesTo: string; unusual: string[] }> {
  const account = runtime.account();
  const settings = runtime.live.current();
  const host = hostLabel(account.origin, all);
  const texts = sheetTexts(all.lang);
  const sceneId = submitted?.scene_id;
  const userId = await account.userId().catch(ignoreTowowError);
  const unusual = unusualRoute(submitted, { sceneId: settings.last_scene_id, userId });
  if (sceneId === undefined)
    return { goesTo: texts.goesToScene(host), unusual: unusualRouteSentences(unusual, all, String) };
  const nameOf = await shownNames({ backend: account.backend, settings }, SCENE_TIMEOUT_MS);
  const named = (id: string) => all.page.scene(id, nameOf(id));
  return { goesTo: texts.goesTo(named(sceneId), host), unusual: unusualRouteSentences(unusual, all, named) };
}
