import { showInvisible } from "../safety/invisible.ts";
import type { Texts } from "../text/index.ts";
import { betweenItems } from "../text/join.ts";
import { type QuestionTexts, questionTexts } from "../text/question.ts";
import type { Segment } from "../view/authorship.ts";
import { networksText, partsOf } from "../view/text.ts";
import {
  type Asked,
  type AskedProfile,
  type AskedScene,
  type AskedStop,
  type FieldPart,
  partsOfField,
  textsOf,
} from "./asked.ts";
import { type Consequence, profileConsequences, stopConsequences } from "./consequences.ts";
import { piiSentence } from "./questions.ts";

/**
 * A question whether something may be sent or stopped, in the language of its reader. Each surface that shows it
 * decides how it looks.
 */
export interface PermissionQuestion {
  heading: string;
  lead: string;
  /** What the reader should check twice. */
  alert: string | undefined;
  icon: "cast" | "me" | "net";
  /** The heading of what is asked about. */
  sheet: string;
  /** The id that stands beside the sheet's heading. */
  id?: string;
  /** A text that stands by itself above the fields. */
  text?: readonly Segment[];
  fields: readonly AskedField[];
  follows?: { heading: string; what: readonly Consequence[]; note?: string };
  fate: string;
  /**
   * The destination of the data besides the host. `scene` is a scene's name and id as the reader sees them, and undefined if the
   * scene does not exist yet.
   */
  goesTo?: { term: string; scene: { name: string; id: string } | undefined };
  no: string;
  yes: string;
  /** The sentence that follows each answer. */
  ended: { accept: string; reject: string };
  /** How many of the six lines of the page's sign are whole, which shows how far the matter has come. */
  lines: number;
}

/** A field of what is asked about. */
interface AskedField {
  label: string;
  parts: readonly FieldPart[];
}

/** Returns the question. `until` is the time until which it is open, as its reader reads times. */
export function questionOf(asked: Asked, until: string, texts: Texts): PermissionQuestion {
  const say = questionTexts(texts.lang);
  if (asked.about === "stop") return stopQuestion(asked, texts);
  const { heading, sheet, fate, goesTo, yes, no, ended, labelOf } = say[asked.about];
  const between = betweenItems(texts.lang);
  const fields = inFormsOrder(asked.fields).map(([key, value]) =>
    fieldOf(labelOf(key), partsOfField(key, value, between)),
  );
  const alert = piiSentence(textsOf(asked), texts);
  const common = { heading, sheet, fate: fate(until), yes, no, ended, alert, fields };
  if (asked.about === "scene")
    return { ...common, icon: "net", lead: say.scene.lead, goesTo: { term: goesTo, scene: undefined }, lines: 0 };
  const { scene, elsewhere } = asked;
  const named = elsewhere && texts.page.scene(elsewhere.id, elsewhere.name);
  const readers: Consequence = { what: "readers", text: say.profile.readers };
  const what = [readers, ...profileConsequences({ as: asked.as, elsewhere: named }, texts)];
  const follows = { heading: say.profile.follows, what, note: say.wrong };
  const lead = say.profile.lead(scene.name);
  return { ...common, icon: "me", lead, follows, goesTo: { term: goesTo, scene: sceneFor(scene, say) }, lines: 1 };
}

const sceneFor = ({ id, name }: AskedScene, { unnamed }: QuestionTexts) => ({
  name: name === undefined ? unnamed : `“${name}”`,
  id: showInvisible(id),
});

const fieldOf = (label: string, parts: readonly FieldPart[]): AskedField => ({ label: showInvisible(label), parts });
const textField = (label: string, text: string): AskedField => fieldOf(label, partsOf([{ by: "person", text }]));

/**
 * The order of the fields in the room's form, which the question keeps. Fields that the form does not ask for come
 * last.
 */
const FORM = ["display_name", "bio", "skills", "capabilities", "constraints", "experience", "interests"];
const inFormsOrder = (fields: AskedProfile["fields"]): AskedProfile["fields"] => {
  const place = (key: string) => (FORM.includes(key) ? FORM.indexOf(key) : FORM.length);
  return fields.toSorted(([one], [other]) => place(one) - place(other));
};

/** Returns the question whether a negotiation is to end. */
function stopQuestion(asked: AskedStop, texts: Texts): PermissionQuestion {
  const say = questionTexts(texts.lang);
  const { stop } = say;
  const { demand, negotiationId, offers, payload, reach, isUndecided } = asked;
  const whose =
    demand === undefined ? [textField(stop.id, negotiationId), textField(stop.submitted, stop.elsewhere)] : [];
  return {
    ...stopInShort(asked, texts),
    lead: offers.total === 0 ? "" : stop.offers(offers.received, offers.total),
    icon: "cast",
    sheet: demand === undefined ? stop.notOwn : reach === "broadcast" ? stop.broadcast : stop.text,
    ...(demand !== undefined && { id: negotiationId, text: networksText(demand.submitted, demand.text).parts }),
    fields: [...whose, ...(payload === undefined ? [] : [textField(stop.payload, payload)])],
    fate: isUndecided ? stop.waits : stop.fate,
    ended: stop.ended,
    lines: 4,
  };
}

/** Returns the part of that question which a page asks that already shows the demand: what follows, and the answers. */
export function stopInShort(asked: Pick<AskedStop, "demand" | "reach">, { lang }: Texts) {
  const say = questionTexts(lang);
  const { heading, final, follows, no, yes } = say.stop;
  return { heading, alert: final, follows: { heading: follows, what: stopConsequences(asked, say) }, no, yes };
}
