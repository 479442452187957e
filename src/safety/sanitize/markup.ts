/*
 * HTML and links become text that says the same and does nothing (agent layer §4). Every replacement leaves something
 * that no rule here matches again.
 */

/** A tag, a closing tag, a comment, a declaration, a processing instruction or a chat template's special token. */
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
    // Not HTML: what models and their hosts take for structure.
    "system user assistant human developer untrusted foreign instruction instructions prompt tool tools tool_call " +
    "tool_calls tool_result tool_use function_call function_calls function_results invoke parameter thinking " +
    "context document admin"
  ).split(" "),
);
const ACTIVE_ATTRIBUTE = /(?:^|[\s/"'])(?:on[a-z]+|href|src|srcdoc|style|action|formaction|background|xlink:href)\s*=/i;
/** `Set<A>`, `i<p && …`: after an identifier these are code, unless an attribute says otherwise. */
const ALSO_CODE = /^(?:[a-z]|data|dir|link|map|object|option|output|set|slot|source|time|tool|tools|use|user|var)$/i;

function isTag({ opening, name, rest, end }: Tag, before: string): boolean {
  if (opening === "/") return name !== undefined;
  if (opening !== undefined) return true;
  if (name === undefined) return false;
  if (ACTIVE_ATTRIBUTE.test(rest) || /[:-]/.test(name)) return true;
  const isCode = /[\w$)\]]/.test(before);
  if (isCode && ALSO_CODE.test(name)) return false;
  // Each client and model has names of its own for what it takes for structure: any that stands alone may be one.
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
/** The joint of a Markdown link or image whose target is an address. `row[0](x)` has none and stays. */
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

/** `<script>` reads `‹script›`, `[a](https://b)` reads `[a] (hxxps://b)`: seen, not run and not fetched. */
export const neutraliseMarkup = (text: string): string => quietLinks(quietTags(text));
