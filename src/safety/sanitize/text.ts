import { isPlainId } from "../../backend/route.ts";
import { atOnce, type Steps } from "../../turn.ts";
import { maskPii } from "../pii/pii.ts";
import { maskSecretField } from "../secrets.ts";
import { stripControls } from "./controls.ts";
import { isEngineWord, isOrder, looksLikeInstructions } from "./instructions.ts";
import { beginning, breakLines, cutColumns, cutGraphemes } from "./length.ts";
import { neutraliseMarkup } from "./markup.ts";
import { type Findings, unitsOf, unitsSeen } from "./options.ts";

export interface TextRule {
  redactPii: boolean;
  /** The field that holds the text, where its name says something about it. */
  field?: string;
}

/** A cut can leave something that only now looks like a number or a link: the text is read again until it is quiet. */
const MAX_ROUNDS = 6;

function* untilStable(text: string, once: (text: string) => Steps<string>): Steps<string> {
  let before = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const after = yield* once(before);
    if (after === before) break;
    before = after;
  }
  return before;
}

function* quiet(text: string, { redactPii, field = "" }: TextRule, found: Findings): Steps<string> {
  const clean = stripControls(text);
  yield;
  const kept = maskSecretField(field, clean);
  yield;
  const masked = redactPii ? maskPii(kept, field, () => found.masked++) : kept;
  yield;
  if (kept !== clean) found.secret = true;
  if (masked !== kept) found.pii = true;
  return neutraliseMarkup(masked);
}

const watch = (text: string, found: Findings): void => {
  found.suspicious ||= looksLikeInstructions(stripControls(text));
};

/** Cut first: what is not shown costs nothing. */
function begin(text: string, limit: number, found: Findings): string {
  if (text.length <= unitsOf(limit)) {
    watch(text, found);
    return text;
  }
  const seen = stripControls(text.slice(0, unitsSeen(limit)));
  const head = beginning(text.length > unitsSeen(limit) ? `${seen}…` : seen, limit);
  if (head !== seen) found.truncated = true;
  watch(head, found);
  return head;
}

/** Up to here all passes over a text are one step: a turn after each would cost more than the passes. */
const SHORT = 400;

/**
 * A text of several lines, at most `limit` graphemes of it; `used` says how many there are. Each pass over a long one is
 * a step of its own.
 */
export function* sanitizeText(
  text: string,
  limit: number,
  rule: TextRule,
  found: Findings,
): Steps<{ text: string; used: number }> {
  const steps = passes(text, limit, rule, found);
  return text.length <= SHORT ? atOnce(steps) : yield* steps;
}

function* passes(text: string, limit: number, rule: TextRule, found: Findings): Steps<{ text: string; used: number }> {
  const head = begin(text, limit, found);
  let used = 0;
  const stable = yield* untilStable(head, function* (now) {
    yield;
    const cut = cutGraphemes(yield* quiet(now, rule, found), limit);
    yield;
    const broken = cutGraphemes(breakLines(cut.text), limit);
    found.truncated ||= cut.cut || broken.cut;
    used = broken.used;
    return broken.text;
  });
  return { text: stable, used };
}

/** A name: one line of at most `columns`. */
export function sanitizeName(text: string, columns: number, rule: TextRule, found: Findings): string {
  const stable = untilStable(begin(text, columns, found), function* (now) {
    const line = cutColumns(yield* quiet(now.replace(/\s+/g, " "), rule, found), columns);
    found.truncated ||= line.cut;
    return line.text;
  });
  const name = atOnce(stable); // a few hundred characters at most
  found.suspicious ||= isOrder(name);
  return name;
}

/** A word of a protocol, such as a state: exact where it is one, else a name. */
export function sanitizeWord(word: string, columns: number, rule: TextRule, found: Findings): string {
  if (isEngineWord(word)) return word;
  if (!/^[A-Za-z][A-Za-z_-]{0,39}$/.test(word)) return sanitizeName(word, columns, rule, found);
  return sanitizeId(word, columns, found);
}

/**
 * An id stays exact, also where it looks like a number of a person: the next call needs it. What is no id is a name. A
 * secret in its place is still a secret.
 */
export function sanitizeId(id: string, columns: number, found: Findings): string {
  if (!isPlainId(id) || maskSecretField("", id) !== id) return sanitizeName(id, columns, { redactPii: true }, found);
  found.suspicious ||= isOrder(id);
  return id;
}
