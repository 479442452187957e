import { isPlainId } from "../../backend/route.ts";
import { atOnce, type Steps } from "../../turn.ts";
import { stripInvisible } from "../invisible.ts";
import { maskPii } from "../pii/pii.ts";
import { maskSecretField } from "../secrets.ts";
import { isEngineWord, isOrder, looksLikeInstructions } from "./instructions.ts";
import { beginning, breakLines, cutColumns, cutGraphemes } from "./length.ts";
import { type Findings, MARKS_PER_BASE, unitsOf, unitsSeen } from "./options.ts";

export interface TextRule {
  redactPii: boolean;
  /** The name of the field that holds the text, which may show what the text is. */
  field?: string;
}

/**
 * The maximum number of times that a text is cleaned until nothing changes. A cut can leave something that looks like
 * a number or a link only now.
 */
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

const noteInstructions = (text: string, found: Findings): void => {
  found.suspicious ||= looksLikeInstructions(stripControls(text));
};

/**
 * Cuts a text before it is cleaned, because text that is not shown should cost nothing. Also notes whether the text
 * gives orders to a model.
 */
function begin(text: string, limit: number, found: Findings): string {
  if (text.length <= unitsOf(limit)) {
    noteInstructions(text, found);
    return text;
  }
  const seen = stripControls(text.slice(0, unitsSeen(limit)));
  const head = beginning(text.length > unitsSeen(limit) ? `${seen}…` : seen, limit);
  if (head !== seen) found.truncated = true;
  noteInstructions(head, found);
  return head;
}

/**
 * The length, in UTF-16 units, up to which all passes over a text are one step. A pause after each pass would cost
 * more than the passes.
 */
const SHORT = 400;

/**
 * Cleans a text of several lines and keeps at most `limit` graphemes of it. `used` is the number of graphemes that
 * were kept. Each pass over a long text is a step of its own.
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

/** Cleans a name, and makes it one line of at most `columns` columns. */
export function sanitizeName(text: string, columns: number, rule: TextRule, found: Findings): string {
  const stable = untilStable(begin(text, columns, found), function* (now) {
    const line = cutColumns(yield* quiet(now.replace(/\s+/g, " "), rule, found), columns);
    found.truncated ||= line.cut;
    return line.text;
  });
  const name = atOnce(stable); // The name has a few hundred characters at most.
  found.suspicious ||= isOrder(name);
  return name;
}

/**
 * Cleans a word of the protocol, such as a state. A text that has the form of such a word stays exact, and any other
 * text is cleaned as a name.
 */
export function sanitizeWord(word: string, columns: number, rule: TextRule, found: Findings): string {
  if (isEngineWord(word)) return word;
  if (!/^[A-Za-z][A-Za-z_-]{0,39}$/.test(word)) return sanitizeName(word, columns, rule, found);
  return sanitizeId(word, columns, found);
}

/**
 * Cleans an id. An id stays exact even if it looks like personal data, because the next call needs it. A text that is
 * no id, or that holds a secret, is cleaned as a name.
 */
export function sanitizeId(id: string, columns: number, found: Findings): string {
  if (!isPlainId(id) || maskSecretField("", id) !== id) return sanitizeName(id, columns, { redactPii: true }, found);
  found.suspicious ||= isOrder(id);
  return id;
}

/*
 * Matches ECMA-48 control sequences, with the seven-bit and the one-byte introducers. Each class stops at the next
 * introducer, so that a text full of openings without an end is read only once.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL_SEQUENCE = /(?:\x1B\[|\x9B)[0-?]*[ -/]*[@-~]/g;
/**
 * Matches the sequences for window titles, hyperlinks and the clipboard. Such a sequence is removed with its content,
 * but only if it has an end.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL_STRING = /(?:\x1B[\]PX^_]|[\x90\x98\x9D-\x9F])[^\x07\x1B\x90\x98\x9C-\x9F\n]*(?:\x07|\x1B\\|\x9C)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SHORT_ESCAPE = /\x1B[ -/]*[0-~]/g;

const MARK_FLOOD = new RegExp(`(\\p{M}{${MARKS_PER_BASE}})\\p{M}+`, "gu");

/**
 * Returns the text without terminal sequences, invisible characters, floods of combining marks and half surrogates
 * (agent layer §4).
 */
export const stripControls = (text: string): string =>
  stripInvisible(
    text.toWellFormed().replace(CONTROL_STRING, "").replace(CONTROL_SEQUENCE, "").replace(SHORT_ESCAPE, ""),
  ).replace(MARK_FLOOD, "$1");

/*
 * HTML and links become text that reads the same and does nothing (agent layer §4). No rule below matches its own
 * result again.
 */

/** Matches a tag, a closing tag, a comment, a declaration, a processing instruction or a chat template's special token. */
const TAG =
  /<(!--|!(?=doctype|entity)|!\[|\?(?=xml|php|=)|%(?=[\s=@])|\||\/)?(\p{L}[\p{L}\p{N}:_.-]*)?([^<>]{0,300})(>?)/giu;

const ELEMENTS = new Set(
  (
    "a abbr acronym address animate applet area article aside audio b base bdo bgsound big blink blockquote body br " +
    "button canvas caption center circle cite code col data dd del details dfn dialog dir div dl dt em embed fieldset " +
    "figure font footer foreignobject form frame frameset g h1 h2 h3 h4 h5 h6 head header hr html i iframe image img " +
    "input ins isindex kbd label layer legend li link listing main map mark marquee math menu meta meter nav noembed " +
    "noframes noscript object ol option output p param path picture plaintext pre progress q s samp script section " +
    "select set slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot " +
    "th thead time title tr track tt u ul use var video wbr xml xmp xss " +
    // The names from here on are not HTML, but models and their hosts take them for structure.
    "system user assistant human developer untrusted foreign instruction instructions prompt tool tools tool_call " +
    "tool_calls tool_result tool_use function_call function_calls function_results invoke parameter thinking " +
    "context document admin"
  ).split(" "),
);
const ACTIVE_ATTRIBUTE = /(?:^|[\s/"'])(?:on[a-z]+|href|src|srcdoc|style|action|formaction|background|xlink:href)\s*=/i;
/**
 * Matches names of tags that also occur in code, as in `Set<A>` and `i<p && …`. After an identifier such a name is
 * code, unless it has an active attribute.
 */
const ALSO_CODE = /^(?:[a-z]|data|dir|link|map|object|option|output|set|slot|source|time|tool|tools|use|user|var)$/i;

function isTag({ opening, name, rest, end }: Tag, before: string): boolean {
  if (opening === "/") return name !== undefined;
  if (opening !== undefined) return true;
  if (name === undefined) return false;
  if (ACTIVE_ATTRIBUTE.test(rest) || /[:-]/.test(name)) return true;
  const isCode = /[\w$)\]]/.test(before);
  if (isCode && ALSO_CODE.test(name)) return false;
  // Clients and models have names of their own for structure, so any complete tag counts unless it stands behind an
  // identifier.
  return ELEMENTS.has(name.toLowerCase()) || (end !== "" && !isCode);
}

interface Tag {
  opening: string | undefined;
  name: string | undefined;
  rest: string;
  end: string;
}

const quietTags = (text: string): string =>
  text.replace(TAG, (all: string, opening?: string, name?: string, rest = "", end = "", at = 0) =>
    isTag({ opening, name, rest, end }, text.charAt(at - 1))
      ? `‹${opening ?? ""}${name ?? ""}${rest}${end && "›"}`
      : all,
  );

const HTTP = /http(s?)(?=:\/\/)/gi;
const OTHER_SCHEME = /(?<=[a-z0-9+.-])(?<!hxxps?):\/\//gi;
const SCRIPT_SCHEME = /(javascript|vbscript|livescript):(?=[^\s(=%/`;&[]{0,80}[(=%/`;&[])/gi;
const DATA_SCHEME = /(?<![\w-])data:(?=[a-z]+\/[a-z0-9.+-]+|;base64|,)/gi;
const MAIL_SCHEME = /mailto:(?=\S)/gi;
const BARE_HOST = /(?<![\w./-])www\.(?=[\w-])/gi;
/**
 * Matches the joint of a Markdown link or image whose target is an address. `row[0](x)` has no such target and stays
 * as it is.
 */
const LINK_JOINT = /\]\((?=\s*(?:<|‹|[^\s()]*[:/\\&%]))/g;
const LINK_DEFINITION = /^([ >]{0,8}\[[^\]\n]{1,300}\]):(?=[ \t]*(?:[<‹./]|[a-z][a-z0-9+.-]*(?::|\[:\])\S))/gim;

const quietLinks = (text: string): string =>
  text
    .replace(HTTP, "hxxp$1")
    .replace(OTHER_SCHEME, "[:]//")
    .replace(SCRIPT_SCHEME, "$1[:]")
    .replace(DATA_SCHEME, "data[:]")
    .replace(MAIL_SCHEME, "mailto[:]")
    .replace(BARE_HOST, "www[.]")
    .replace(LINK_JOINT, "] (")
    .replace(LINK_DEFINITION, "$1 :");

/**
 * Makes markup inert: `<script>` becomes `‹script›`, and `[a](https://b)` becomes `[a] (hxxps://b)`. Both can still
 * be read, but are neither run nor fetched.
 */
export const neutraliseMarkup = (text: string): string => quietLinks(quietTags(text));
