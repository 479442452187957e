/** What a page of ours is made of. The parser takes well-formed pages only: one with a tag that is not closed is a finding. */

export interface Tag {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: Part[];
}
export type Part = Tag | string;

const VOID = ["area", "base", "br", "col", "hr", "img", "input", "link", "meta"];
const TOKEN = /<!doctype[^>]*>|<!--.*?-->|<(\/?)([a-zA-Z][\w-]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*(\/?)>|[^<]+/gis;
const ATTRIBUTE = /([^\s=>/]+)(?:="([^"]*)")?/g;
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: "\u00a0" };

const unescaped = (text: string): string =>
  text.replace(/&(#?\w+);/g, (whole, name: string) => {
    const letter = ENTITIES[name];
    if (letter === undefined) throw new Error(`an entity that no page of ours has: ${whole}`);
    return letter;
  });

/** @throws where a tag is not closed, or something is closed that is not open */
export function parsed(html: string): Tag {
  const root: Tag = { name: "page", attributes: {}, children: [] };
  const open = [root];
  const isRaw = () => ["script", "style"].includes(open.at(-1)!.name);
  let at = 0;
  TOKEN.lastIndex = 0;
  while (at < html.length) {
    const parent = open.at(-1)!;
    if (isRaw()) {
      at = html.indexOf(`</${parent.name}>`, at) + `</${parent.name}>`.length;
      open.pop();
      continue;
    }
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(html);
    if (found?.index !== at) throw new Error(`no markup: ${html.slice(at, at + 80)}`);
    const [token, slash, name, attributes = "", closed] = found;
    at += token.length;
    if (name === undefined) {
      if (!token.startsWith("<")) parent.children.push(unescaped(token));
    } else if (slash === "/") {
      if (parent.name !== name) throw new Error(`</${name}> closes <${parent.name}>`);
      open.pop();
    } else {
      const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key = "", value = ""]) => [key, unescaped(value)]);
      const tag: Tag = { name, attributes: Object.fromEntries(pairs), children: [] };
      parent.children.push(tag);
      if (closed !== "/" && !VOID.includes(name)) open.push(tag);
    }
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)!.name}> is not closed`);
  return root;
}

export const isTag = (part: Part): part is Tag => typeof part !== "string";
export const classesOf = ({ attributes }: Tag): string[] => (attributes.class ?? "").split(/\s+/).filter(Boolean);

/** Every tag in it of which this is true, from the first to the last. */
export function all(of: Tag, is: (tag: Tag) => boolean): Tag[] {
  return of.children.filter(isTag).flatMap((tag) => [...(is(tag) ? [tag] : []), ...all(tag, is)]);
}

/** All of its letters. */
export const textOf = (of: Part): string => (isTag(of) ? of.children.map(textOf).join("") : of);
