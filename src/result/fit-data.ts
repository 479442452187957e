import { estimatedTokens, lengthWithin } from "./tokens.ts";

/** The weight of a plan or another single value, while an item of a list has the weight 1. */
const WEIGHT_ALONE = 4;
/**
 * The minimum share of a list item, in tokens. An item with less would say nothing, so items are left out instead.
 * `LEAST_PART` is the minimum for a part of an item.
 */
const LEAST_ITEM = 160;
const LEAST_PART = 16;
/**
 * Matches the fields that other calls need unchanged. `OURS` holds the fields that this server wrote itself. None of
 * them are cut.
 */
const EXACT = /^(?:.*_)?(?:id|ids|uri|code|hash|path|tool|state|cursor|deadline)$/;
const OURS = new Set(["resume_with", "open", "next_actions", "risks", "deadline"]);

export interface Fitted {
  value: Record<string, unknown>;
  /** JSON pointers to what was shortened: a field, an item of a list, or a list from which items were left out. */
  cut: string[];
}

interface Part {
  path: string;
  key: string;
  value: unknown;
  tokens: number;
  weight: number;
  /** The index of the part, if it is an item of a list. */
  index?: number;
}

const tokensOf = (value: unknown): number => estimatedTokens(JSON.stringify(value) ?? "");

/**
 * Cuts the data of a result to at most `tokens` tokens. Only long values are shortened, and a single value may be
 * four times as long as an item of a list. The fields in `whole` are never cut.
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

/**
 * Divides the tokens among the parts and returns how many each unit of weight gets. What a short part does not need
 * goes to the others. Infinite if everything fits.
 */
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

/**
 * Matches the number or word at the end of a text, which a cut may have halved. Half a number would pass for a whole
 * one.
 */
const HALVED = /(?:\d[\d\s.,()+-]*|[\w'-]{1,60})$/;

function cutText(text: string, tokens: number): string {
  const length = lengthWithin(text, tokens - 4);
  return length >= text.length ? text : `${text.slice(0, length).replace(HALVED, "").trimEnd()}…`.toWellFormed();
}
