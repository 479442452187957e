import { all, classesOf, type Tag, textOf } from "./html-tags.ts";

type Printed = (text: string) => string;

/** What a drawing says, in short: shares as numbers, and of a map or a graph every name and where it stands. */
export function drawingIn(svg: Tag, block: Printed, apart: Printed): string {
  const { width = "", "aria-label": label } = svg.attributes;
  const classes = classesOf(svg);
  if (classes.includes("i")) return ""; // an icon beside its words
  if (classes.includes("mark")) return apart(`☰ ${wholeIn(svg)}/6`);
  const [ring] = all(svg, ({ attributes }) => attributes["stroke-dashoffset"] !== undefined);
  if (ring !== undefined) return apart(`◔ ${ringIn(ring)}`);
  if (all(svg, isText).length > 0)
    return block([...(label === undefined ? [] : [`«${label}»`]), ...pictureIn(svg)].join("\n"));
  if (/%$/.test(width) && width !== "100%") return apart(`▬ ${width}`);
  const parts = all(svg, ({ name }) => name === "rect").map((rect) => {
    const { x, width } = rect.attributes;
    return `${classesOf(rect).join(" ")} ${x === undefined ? width : `from ${x}`}`;
  });
  return block(parts.length > 0 ? `▬ ${parts.join(", ")}` : `an empty map, ☰ ${wholeIn(svg)}/6`);
}

/** Of six lines, how many are whole: the broken ones are paler. */
const wholeIn = (svg: Tag): number =>
  all(svg, ({ name, attributes }) => name === "path" && attributes.class === undefined && !("opacity" in attributes))
    .length;

/** How much of the ring is drawn: it is full at the beginning and gone at the end. */
function ringIn({ attributes }: Tag): string {
  const [length, gone] = [attributes["stroke-dasharray"], attributes["stroke-dashoffset"]].map(Number);
  return `${Math.round((1 - (gone ?? 0) / (length ?? 1)) * 100)}% left`;
}

/** Every group with letters is a row; what is drawn without any is counted by its kind. */
function pictureIn(svg: Tag): string[] {
  const groups = all(svg, ({ name, children }) => name === "g" && children.some(isText));
  const inGroups = new Set(groups.flatMap((group) => all(group, isText)));
  const loose = all(svg, (tag) => isText(tag) && !inGroups.has(tag)).map(textOf);
  const paths = all(svg, ({ name, attributes }) => name === "path" && attributes.class !== undefined);
  const kinds = paths.map((path) => [path, ...all(svg, ({ children }) => children.includes(path))].flatMap(classesOf));
  const counts = [...Map.groupBy(kinds, (kind) => kind.join(" "))].map(([kind, same]) => `${same.length} ${kind}`);
  const ends = paths.flatMap(({ attributes }) => endsOf(attributes));
  const core = wholeIn(svg) > 0 ? `☰ ${wholeIn(svg)}/6; ` : "";
  return [
    `map ${svg.attributes.viewBox}: ${core}${loose.join(" · ")}`,
    ...(counts.length > 0 ? [`lines: ${counts.join(", ")}`] : []),
    ...(ends.length > 0 ? [`lines lead: ${ends.join(", ")}`] : []),
    ...groups.map((group) => {
      const [circle] = all(group, (tag) => classesOf(tag).includes("nd"));
      const [x, y] = [circle?.attributes.cx, circle?.attributes.cy].map((at) => Math.round(Number(at)));
      return `∙ ${classesOf(group).join(" ")}: ${all(group, isText).map(textOf).join(" · ")} at ${x},${y}`;
    }),
  ];
}

const isText = (part: Tag | string): part is Tag => typeof part !== "string" && part.name === "text";

/** In a graph: at which heights a line begins and ends. */
function endsOf({ class: kind, d = "" }: Tag["attributes"]): string[] {
  const [, from, to] = /^M\S+ ([\d.]+)C.* ([\d.]+)$/.exec(d) ?? [];
  return from === undefined ? [] : [`${kind} ${from}→${to}`];
}
