import { seenText } from "../invisible.ts";
import { findEmails } from "./email-addresses.ts";
import { findIdentity } from "./identity-numbers.ts";
import { MASKS } from "./masks.ts";
import { findAccounts, findMessengerIds } from "./messenger-ids.ts";
import { findPhones } from "./phone-numbers.ts";
import { findPostalAddresses } from "./postal-addresses.ts";
import { foldAscii, type Pii, type PiiKind, type Span, spans } from "./spans.ts";

export type { PiiKind };

/**
 * Matches ids, times and addresses of repositories, which look like personal data but are not. Such text stays exact,
 * because the model needs it.
 */
const NOT_PERSONAL = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b(?:neg|scene|agent|sub|sess|session|user|req|conf|offer|plan)_[\w-]+/g,
  /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?/g,
  /\b(?:git|hg)@[\w.-]+(?=:)/g,
];

/**
 * Matches digits that have a name of their own, such as an order number, or stand in the path of a link. Such digits
 * are neither phone numbers nor accounts.
 */
const NAMED_NUMBERS = [
  /(?:(?:订单|訂單|运单|流水|工单|条码|條碼|学号|工号|货号|编号|序列|准考证)(?:编?[号號]码?)?|(?:[单案]|专利|发票|合同|会议|登记|备案|许可证)编?[号號]码?|商品 ?id)[ :#是为]{0,3}[A-Za-z]{0,4}[\d-]{1,40}/gi,
  /(?<![a-z])(?:(?:order|ticket|invoice|tracking|serial|sku|isbn|imei|doi|timestamps?)(?: ?(?:number|no\.?|id))?|(?:reference|ref|case|issue|batch|lot|model|meeting|zoom)(?: ?(?:number|no\.?|id|code|meeting|#)))[ :=#]{0,3}[\d-]{1,40}(?: \d{3,4}(?!\d)){0,4}/gi,
  /(?<!\w)[a-z_]{0,20}id ?= ?\d{1,20}/g,
  /https?:\/\/(?!wa\.me\/)(?:(?!(?:phone|mobile|tel|whatsapp)[a-z_]{0,8}[=/])[^\s?&<>"'()\u3000-\u9FFF\uFF00-\uFFEF]|[?&](?!(?:phone|mobile|tel|whatsapp)[a-z_]{0,8}=)){1,2000}/gi,
];

/**
 * Finds the personal data in a text, in order and without overlaps (agent layer §4). Characters that a reader does
 * not see are ignored. The person's own profile and demand are never masked on their way out. Instead, the personal
 * data in them is named beside the text that the person approves.
 */
export function findPii(text: string): Pii[] {
  const { seen, offsetOf } = seenText(text);
  return findSeen(seen).map((pii) => ({ ...pii, start: offsetOf(pii.start), end: offsetOf(pii.end - 1) + 1 }));
}

function findSeen(text: string): Pii[] {
  const folded = foldAscii(text);
  const numbers = except(NAMED_NUMBERS, folded, [...findAccounts(folded), ...findPhones(folded)]);
  const messengers = findMessengerIds(folded);
  const wechat = messengers.filter(({ kind }) => kind === "wechat");
  const others = [
    ...messengers.filter(({ kind }) => kind !== "wechat"),
    ...findEmails(folded),
    ...findIdentity(folded),
  ];
  const found = inOrder([...wechat, ...except(NOT_PERSONAL, folded, [...others, ...numbers])]);
  return inOrder([...found, ...findPostalAddresses(folded).map((address) => upToNext(address, found))]);
}

/** Returns the findings that overlap no match of the patterns. */
function except(patterns: readonly RegExp[], text: string, found: Pii[]): Pii[] {
  if (found.length === 0) return found;
  const isMatch = overlapping(patterns.flatMap((pattern) => spans(text, pattern)));
  return found.filter((pii) => !isMatch(pii));
}

/**
 * Returns the spans in order. Overlapping spans become one span that covers them all, so that no end of another
 * remains.
 */
function inOrder<S extends Span>(found: S[]): S[] {
  const apart: S[] = [];
  for (const span of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1);
    if (last === undefined || span.start >= last.end) apart.push({ ...span });
    else last.end = Math.max(last.end, span.end);
  }
  return apart;
}

/**
 * Returns a function that decides whether a span overlaps any of the others. The function uses a binary search,
 * because a hostile text has very many spans.
 */
function overlapping(others: Span[]): (span: Span) => boolean {
  const sorted = inOrder(others);
  return ({ start, end }) => {
    const next = sorted[firstEndingAfter(start, sorted)];
    return next !== undefined && next.start < end;
  };
}

/**
 * Cuts an address at the next finding inside it, so that a phone number after the street, for example, keeps its own
 * kind.
 */
function upToNext(address: Pii, found: readonly Pii[]): Pii {
  const next = found[firstEndingAfter(address.start, found)];
  return next !== undefined && next.start > address.start && next.start < address.end
    ? { ...address, end: next.start }
    : address;
}

function firstEndingAfter(start: number, sorted: readonly Span[]): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]!.end <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the text with every piece of personal data replaced by a word for its kind. `label` is the name of the
 * field that holds the text, which may show what the text is.
 */
export function maskPii(text: string, label = "", onMasked: () => void = () => {}): string {
  // A field's name counts as a label before the text, as in { "wechat": "zhangsan" }.
  const prefix = label === "" ? "" : `${label.replace(/_/g, " ")}: `;
  let masked = "";
  let from = 0;
  for (const { kind, start, end } of findPii(prefix + text)) {
    if (start < prefix.length) continue;
    masked += text.slice(from, start - prefix.length) + MASKS[kind];
    onMasked();
    from = end - prefix.length;
  }
  return masked + text.slice(from);
}
