import { estimatedTokens, lengthWithin } from "./tokens.ts";

/** A plan, or another text that stands alone, gets so much of what an item of a list gets. */
const WEIGHT_ALONE = 4;
/** An item of a list with less says nothing any more: rather there are fewer. The same for what stands in one. */
const LEAST_ITEM = 160;
const LEAST_PART = 16;
/** What other calls need as it is, and what is our own. */
const EXACT = /^(?:.*_)?(?:id|ids|uri|code|hash|path|tool|state|cursor|deadline)$/;
const OURS = new Set(["resume_with", "open", "next_actions", "risks", "deadline"]);

export interface Fitted {
  value: Record<string, unknown>;
  /** JSON pointers to what was shortened: a field, or an item of a list; a list itself where items were left out. */
  cut: string[];
}

interface Part {
  path: string;
  key: string;
  value: unknown;
  tokens: number;
  weight: number;
  /** In its list, where it is an item of one. */
  index?: number;
}

const tokensOf = (value: unknown): number => estimatedTokens(JSON.stringify(value) ?? "");

/**
 * The data of a result in at most so many tokens: what is long is shortened, and none that is short loses for it. A text
 * that stands alone has four times what an item of a list has. `whole`: fields that are never cut.
 */
export function fitData(data: Readonly<Record<string, unknown>>, tokens: number, whole: ReadonlySet<string>): Fitted {
  const isFixed = (key: string) => OURS.has(key) || whole.has(key) || EXACT.test(key);
  const fixed = tokensOf(Object.fromEntries(Object.entries(data).filter(([key]) => isFixed(key))));
  let parts = Object.entries(data).flatMap(([key, value]) => (isFixed(key) ? [] : partsOf(key, value)));
  let share = shareOf(parts, tokens - fixed);
  const cut = new Set<string>();
  while (share < LEAST_ITEM && parts.some(({ index = 0 }) => index > 0)) {
    const longest = listKeys(parts).reduce((a, b) => (count(parts, b) > count(parts, a) ? b : a));
    const most = Math.floor(count(parts, longest) / 2);
    parts = parts.filter(({ key, index }) => key !== longest || index === undefined || index < most);
    cut.add(pointer(longest));
    share = shareOf(parts, tokens - fixed);
  }
  const value: Record<string, unknown> = { ...data };
  for (const key of listKeys(parts)) value[key] = [];
  for (const part of parts) {
    const isCut = part.tokens > share * part.weight;
    const kept = isCut ? shortened(part.value, share * part.weight) : part.value;
    if (isCut) cut.add(part.path);
    if (part.index === undefined) value[part.key] = kept;
    else (value[part.key] as unknown[]).push(kept);
  }
  return { value, cut: [...cut] };
}

const pointer = (key: string): string => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
const listKeys = (parts: readonly Part[]): string[] => [
  ...new Set(parts.flatMap(({ key, index }) => (index === undefined ? [] : [key]))),
];
const count = (parts: readonly Part[], list: string): number => parts.filter(({ key }) => key === list).length;

function partsOf(key: string, value: unknown): Part[] {
  const path = pointer(key);
  if (Array.isArray(value) && value.length > 0)
    return value.map((item, index) => ({
      path: `${path}/${index}`,
      key,
      value: item,
      tokens: tokensOf(item),
      weight: 1,
      index,
    }));
  return [{ path, key, value, tokens: tokensOf(value), weight: WEIGHT_ALONE }];
}

/** What each may have by its weight, so that all of it is spent: what one needs less the others have more. */
function shareOf(parts: readonly { tokens: number; weight: number }[], tokens: number): number {
  let left = tokens;
  let weight = parts.reduce((sum, part) => sum + part.weight, 0);
  for (const part of parts.toSorted((a, b) => a.tokens / a.weight - b.tokens / b.weight)) {
    const share = Math.max(0, left) / weight;
    if (part.tokens > share * part.weight) return share;
    left -= part.tokens;
    weight -= part.weight;
  }
  return Number.POSITIVE_INFINITY;
}

function shortened(value: unknown, tokens: number): unknown {
  if (typeof value === "string") return cutText(value, tokens);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([key, one]) => {
    const own = tokensOf(one);
    return { key, value: one, tokens: own + tokensOf(key), weight: 1 };
  });
  const isList = Array.isArray(value);
  const isExact = ({ key }: { key: string }) => !isList && EXACT.test(key);
  const exact = entries.filter(isExact).reduce((sum, one) => sum + one.tokens, 0);
  let open = entries.filter((one) => !isExact(one));
  let share = shareOf(open, tokens - exact);
  while (share < LEAST_PART && open.length > 1) {
    open = open.slice(0, open.length >> 1);
    share = shareOf(open, tokens - exact);
  }
  const kept = new Map(open.map((one) => [one.key, one.tokens > share ? shortened(one.value, share) : one.value]));
  if (isList) return [...kept.values()];
  return Object.fromEntries(
    entries.flatMap((one) =>
      isExact(one) ? [[one.key, one.value]] : kept.has(one.key) ? [[one.key, kept.get(one.key)]] : [],
    ),
  );
}

/** What a cut may have halved: half a number would pass for one. */
const HALVED = /(?:\d[\d\s.,()+-]*|[\w'-]{1,60})$/;

function cutText(text: string, tokens: number): string {
  const length = lengthWithin(text, tokens - 4);
  return length >= text.length ? text : `${text.slice(0, length).replace(HALVED, "").trimEnd()}…`.toWellFormed();
}
