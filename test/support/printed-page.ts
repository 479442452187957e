import { all, classesOf, isTag, type Part, parsed, type Tag, textOf } from "./html-tags.ts";
import { drawingIn } from "./printed-drawing.ts";

/**
 * A page as text, from top to bottom: what a person reads, what they can press and what it does, what a field holds.
 * docs/screens.md says what each sign means.
 */
export function printedPage(html: string): string {
  const page = parsed(html);
  const [body] = all(page, ({ name }) => name === "body");
  if (body === undefined) throw new Error("no page");
  return inLines([...headOf(page), inside(body)].join("\n"));
}

/** A place between two things that stand apart though no letter is there; a line's end that was written; no sign of ours. */
const GAP = "\ue001";
const KEPT = "\ue002";
const INDENT = "\ue003";

const inLines = (text: string): string =>
  text
    .split("\n")
    .map((line) =>
      line
        .replace(/[ \ue001]*\ue001[ \ue001]*/g, " ")
        .replace(/ +/g, " ")
        .replace(/[ \ue002]+$/, "")
        .trim(),
    )
    .filter((line) => line !== "")
    .join("\n")
    .replaceAll(/\ue002 ?/g, "\n")
    .replaceAll(INDENT, " ");

/** The window's title, and where a page leads by itself. */
const headOf = (page: Tag): string[] =>
  all(page, ({ name }) => name === "title" || name === "meta").map((tag) => {
    const { attributes } = tag;
    const [, seconds, path] = /^(\d+)(?:; url=(.*))?$/.exec(attributes.content ?? "") ?? [];
    if (tag.name === "title") return `window: ${textOf(tag)}`;
    if (attributes["http-equiv"] !== "refresh") return "";
    return path === undefined ? `without a script: again every ${seconds} s` : `leads to ${path}`;
  });

/** Whose words a mark says they are, and what else one says. */
const MARKS: Record<string, string> = { net: "network", ag: "agent", you: "edit", pii: "personal", off: "taken out" };
/** What an item's class says of it. */
const OF_ITEMS = ["on", "off", "pointed", "me", "mine", "nobody"];
const TONES = ["note", "me-note", "warning", "error", "news"];
/** Line breaks of what stands in these are lines on the screen. */
const KEEPS_LINES = ["text", "words", "rest"];
const DECORATION = ["bead", "box", "yao"];
const BLOCKS =
  "address article aside blockquote details div dl figcaption figure footer form header label main ol p pre section summary table tbody thead tr ul".split(
    " ",
  );
const APART = ["b", "small", "span", "time", "code"];

const inside = (tag: Tag, keepsLines = false): string =>
  tag.children.map((part) => shown(part, keepsLines || keepsLinesOf(tag))).join("");
const keepsLinesOf = (tag: Tag): boolean =>
  tag.name === "pre" || classesOf(tag).some((name) => KEEPS_LINES.includes(name));
const block = (text: string): string => `\n${text}\n`;
const apart = (text: string): string => `${GAP}${text}${GAP}`;
const trimmed = (text: string): string => text.replace(/^[\s\ue001]+|[\s\ue001]+$/g, "");

function shown(part: Part, keepsLines: boolean): string {
  if (!isTag(part))
    return keepsLines
      ? part.replace(/(?<=\n) +/g, (spaces) => INDENT.repeat(spaces.length)).replaceAll("\n", KEPT)
      : part.replace(/\s+/g, " ");
  const { name, attributes } = part;
  const isHidden = "hidden" in attributes || ["script", "style", "noscript", "template"].includes(name);
  if (isHidden) return "";
  const special = SPECIAL[name] ?? (/^h[1-6]$/.test(name) ? heading : undefined);
  return special === undefined ? plain(part, keepsLines) : special(part, keepsLines);
}

const SPECIAL: Record<string, (tag: Tag, keepsLines: boolean) => string> = {
  svg: (tag) => drawingIn(tag, block, apart),
  button: buttonOf,
  a: (tag) => `<${inside(tag)} → ${tag.attributes.href}>`,
  input: (tag) => block(fieldOf(tag)),
  textarea: (tag) => block(fieldOf(tag)),
  br: () => KEPT,
  hr: () => block("――――――――――"),
  nav: stepsOf,
  i: (tag) => {
    const [, share] = /(?:width|flex):([\d.]+%?)/.exec(tag.attributes.style ?? "") ?? [];
    return share === undefined ? inside(tag) : apart(`▬ ${share}`);
  },
  summary: (tag) => block(`▸ folded: ${trimmed(inside(tag))}`),
  li: itemOf,
  dt: (tag) => `\n${trimmed(inside(tag))}`,
  dd: (tag) => ` | ${trimmed(inside(tag))}\n`,
  tr: (tag) => {
    const cells = all(tag, ({ name }) => name === "td" || name === "th");
    return block(cells.map((cell) => trimmed(inside(cell))).join(" | "));
  },
  del: (tag, keepsLines) => `{gone${signsOf(tag, " (", ")")}: ${trimmed(inside(tag, keepsLines))}}`,
};

const onlySpoken = (tag: Tag): string => (classesOf(tag).includes("vh") ? "«only spoken» " : "");
const heading = (tag: Tag): string =>
  block(`${"#".repeat(Number(tag.name[1]))} ${onlySpoken(tag)}${trimmed(inside(tag))}`);

/** What the classes of a mark say, between these; nothing where there is none. */
function signsOf(tag: Tag, before: string, after: string): string {
  const signs = classesOf(tag).flatMap((name) => MARKS[name] ?? []);
  return signs.length === 0 ? "" : `${before}${signs.join(", ")}${after}`;
}

function plain(tag: Tag, keepsLines: boolean): string {
  const { name, attributes } = tag;
  const classes = classesOf(tag);
  const text = inside(tag, keepsLines);
  if (BLOCKS.includes(name)) return blockOf(tag, text);
  if (attributes["aria-label"] !== undefined) throw new Error(`how is a labelled <${name}> printed?`);
  if (classes.some((one) => DECORATION.includes(one))) return "";
  if (classes.includes("dot")) return apart(`(${classes.at(-1)})`);
  if (classes.includes("vh")) return trimmed(text) === "" ? "" : apart(`«${trimmed(text)}»`);
  if (["ins", "mark", "span"].includes(name) && signsOf(tag, "", "") !== "")
    return `${signsOf(tag, "{", ": ")}${trimmed(text)}}`;
  if (name === "strong" && classes.length > 0) return apart(`!${classes.join(" ")}: ${trimmed(text)}!`);
  return APART.includes(name) && !keepsLines ? apart(text) : text;
}

function blockOf(tag: Tag, text: string): string {
  const { attributes } = tag;
  const classes = classesOf(tag);
  const bar = classes.includes("act") ? `―――――――――― bar ${classes.filter((one) => one !== "act").join(" ")}\n` : "";
  const label = attributes["aria-label"] === undefined ? "" : `«${attributes["aria-label"]}»\n`;
  const tones = classes.filter((one) => TONES.includes(one) && one !== "note");
  const isNote = attributes.role === "alert" || classes.some((one) => TONES.includes(one));
  const note = isNote ? `!${tones.map((tone) => ` ${tone}:`).join("")} ` : "";
  return block(`${bar}${label}${note}${onlySpoken(tag)}${isNote ? trimmed(text) : text}`);
}

/** The items of a list that stand beside each other; then what stands there on a phone. */
function stepsOf(tag: Tag): string {
  const items = all(tag, ({ name }) => name === "li").map((item) => {
    const text = inLines(inside(item));
    return item.attributes["aria-current"] === undefined ? text : `▸ ${text}`;
  });
  const phone = all(tag, (one) => classesOf(one).includes("small")).map((small) => inLines(inside(small)));
  return block(`«${tag.attributes["aria-label"]}» ${items.join(" · ")} (on a phone: ${phone.join("")})`);
}

function itemOf(tag: Tag, keepsLines: boolean): string {
  const { value, "aria-current": current } = tag.attributes;
  const signs = [...classesOf(tag).filter((name) => OF_ITEMS.includes(name)), ...(current ? ["current"] : [])];
  const sign = value === undefined ? "-" : `${value}.`;
  return block(`${sign} ${signs.length > 0 ? `(${signs.join(", ")}) ` : ""}${trimmed(inside(tag, keepsLines))}`);
}

/** `[` can be pressed, `(` cannot; behind the arrow stands what it sends. */
function buttonOf(tag: Tag): string {
  const { value = "", name, "aria-pressed": pressed, "aria-label": label, "aria-hidden": hidden } = tag.attributes;
  const isOff = "disabled" in tag.attributes || tag.attributes["aria-disabled"] === "true";
  const does = value === "" ? "" : ` → ${name === "do" ? value : `${name}=${value}`}`;
  // The one that Enter in a field presses.
  if (hidden === "true") return isOff ? "" : block(`⏎${does}`);
  const state = pressed === undefined ? "" : pressed === "true" ? "● " : "○ ";
  const unscripted = classesOf(tag).includes("unscripted") ? "without a script: " : "";
  const words = `${unscripted}${state}${label ?? trimmed(inside(tag))}${does}`;
  return apart(isOff ? `(${words})` : `[${words}]`);
}

/** A field: its name, what it holds, and what it asks for. */
function fieldOf(tag: Tag): string {
  const { name: id, placeholder, maxlength, type = "text", "aria-label": label } = tag.attributes;
  const value = tag.name === "textarea" ? textOf(tag) : (tag.attributes.value ?? "");
  const more = [
    type === "text" ? undefined : type,
    "required" in tag.attributes ? "required" : undefined,
    maxlength && `at most ${maxlength}`,
    placeholder && `for example ${JSON.stringify(placeholder)}`,
    label && `«${label}»`,
  ].filter(Boolean);
  return `▭ ${id} = ${JSON.stringify(value)}${more.length > 0 ? ` (${more.join(", ")})` : ""}`;
}
