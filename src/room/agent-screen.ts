import { isOwnPause } from "../ask/shown-text.ts";
import { markdownBlocks, textsIn as textsInBlocks } from "../markdown.ts";
import { remembering } from "../remember.ts";
import { isOrder } from "../safety/sanitize/instructions.ts";
import { addFindings, type Findings, noFindings, type SanitizeOptions, sanitized } from "../safety/sanitize/options.ts";
import { sanitizeId, sanitizeText } from "../safety/sanitize/text.ts";
import { atOnce } from "../turn.ts";
import type { DemandForModel, RoomState } from "./room-state.ts";
import { isPersonOnlySection } from "./tools.ts";
import { type DrawingTools, uiSpec } from "./ui-spec.ts";
import type { SectionSpec, UiSpec } from "./ui-spec-schema.ts";

/**
 * Draws the person's screen for an outside agent. The person's page shows everything, but a model gets the words of
 * others cleaned, masked and marked, as in tool results (agent layer §4). The person's own words stay as they are, and
 * the résumé is left out.
 */
export function agentSpec(state: RoomState, tools: DrawingTools, options: SanitizeOptions): UiSpec {
  const spec = uiSpec(asRead(state), tools);
  const found = noFindings();
  const clean = cleanerOf(state, options, found);
  const taintedPaths: string[] = [];
  const isOwn = state.demand !== undefined && isOwnPause(state.demand.stage);
  const shared = spec.sections.filter((section) => !isPersonOnlySection(section));
  const sections = shared.map((section, index) => {
    const keys = othersWords(section, isOwn);
    taintedPaths.push(...keys.filter((key) => key in section).map((key) => `/sections/${index}/${key}`));
    if (section.kind === "list") found.suspicious ||= section.items.some(({ title }) => isOrder(title));
    return Object.fromEntries(
      Object.entries(section).map(([key, value]) => [key, keys.includes(key) ? clean(value) : value]),
    ) as SectionSpec;
  });
  // The head of the screen may hold the name of a scene, which somebody else wrote.
  const head = Object.fromEntries(HEAD.flatMap((key) => (spec[key] === undefined ? [] : [[key, clean(spec[key])]])));
  if (spec.scene !== undefined) taintedPaths.unshift(...Object.keys(head).map((key) => `/${key}`));
  const warnings = [...new Set([...(state.demand?.forModel?.warnings ?? []), ...sanitized(spec, found).warnings])];
  return { ...spec, ...head, sections, warnings, taintedPaths };
}

const HEAD = ["title", "scene", "heading", "lead"] as const;

/**
 * Replaces the demand as the person reads it with the demand as a model may read it. Whatever has not been cleaned yet
 * is left out.
 */
function asRead(state: RoomState): RoomState {
  const { demand } = state;
  if (demand === undefined) return state;
  const { negotiation, tasks } = demand.forModel ?? {};
  return { ...state, demand: { ...demand, negotiation, said: { ...demand.said, negotiation }, tasks } };
}

/**
 * The keys that may hold words of others, by kind of section. A form's fields hold only the person's own words or the
 * agent's.
 */
const OTHERS_WORDS = {
  form: [],
  list: ["items"],
  quote: ["passages"],
  sheet: ["passages", "outgoing", "parts", "editor", "gone", "leftOut"],
  asked: [],
  bar: ["facts"],
  agents: ["agents"],
  offer: ["heading", "name", "initials", "tags", "text", "facts"],
  review: [],
  facts: ["facts"],
  people: ["people", "gaps"],
  course: ["open", "weeks"],
  prose: ["blocks"],
  agent: ["proposal"],
} as const satisfies Record<SectionSpec["kind"], readonly string[]>;

/** Returns the keys that hold words of others. The demand is shown whole only while the person decides on it (contract §6). */
function othersWords({ kind }: SectionSpec, isOwn: boolean): readonly string[] {
  const isDemand = kind === "quote" || kind === "sheet" || kind === "agent";
  return isDemand && isOwn ? [] : OTHERS_WORDS[kind];
}

/** The keys of ids and of the protocol's own words, which must stay exact. */
const EXACT = ["id", "kind", "state", "level", "looks", "by", "tone", "toolName", "part"];

/**
 * Returns a function that cleans every text in a value. A text that was already cleaned as a whole is kept. A drawing
 * may join such texts into a new one, which is cleaned again.
 */
function cleanerOf({ demand }: RoomState, options: SanitizeOptions, found: Findings): <T>(value: T) => T {
  const asCleaned = demand?.forModel === undefined ? new Set<string>() : textsOf(demand.forModel);
  const text = (value: string): string => {
    if (asCleaned.has(value)) return value;
    const clean = (options.redactPii ? masked : unmasked)(value);
    addFindings(found, clean.found);
    return clean.text;
  };
  const cleanValue = (value: unknown, key: string): unknown => {
    if (typeof value === "string")
      return EXACT.includes(key) ? sanitizeId(value, options.limits.nameChars, found) : text(value);
    if (Array.isArray(value)) return value.map((one) => cleanValue(one, key));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value);
    // A button's id may hold words of others. It need not stay exact, because an agent calls the button's tool by name.
    const isButton = "toolName" in value;
    return Object.fromEntries(
      entries.map(([name, one]) => [name, cleanValue(one, isButton && name === "id" ? "" : name)]),
    );
  };
  return <T>(value: T) => cleanValue(value, "") as T;
}

const cleaner = (redactPii: boolean) =>
  remembering(
    (text) => {
      const found = noFindings();
      return { text: atOnce(sanitizeText(text, Number.POSITIVE_INFINITY, { redactPii }, found)).text, found };
    },
    2_000,
    4_000,
  );
const masked = cleaner(true);
const unmasked = cleaner(false);

const texts = new WeakMap<DemandForModel, Set<string>>();

/** Returns the texts of a demand that were already cleaned as a whole: those of its participants, its tasks and its plan. */
function textsOf(demand: DemandForModel): Set<string> {
  const known = texts.get(demand);
  if (known !== undefined) return known;
  const { participants, plan_output } = demand.negotiation;
  const textsIn = (value: unknown): string[] => {
    if (typeof value === "string") return [value];
    return typeof value === "object" && value !== null ? Object.entries(value).flat().flatMap(textsIn) : [];
  };
  const lines = (plan_output ?? "").split("\n").map((line) => line.trim());
  const made = new Set([
    ...textsIn([participants, demand.tasks]),
    ...lines,
    ...textsInBlocks(markdownBlocks(plan_output ?? "")),
  ]);
  texts.set(demand, made);
  return made;
}
