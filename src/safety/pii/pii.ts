import { findIdentity } from "./identity-numbers.ts";
import { findPhones } from "./phone-numbers.ts";
import { foldAscii, type Pii, type PiiKind, type Span, spans } from "./spans.ts";

export type { Pii, PiiKind };

/** What looks like a number of a person and is none: it stays exact, because the model needs it. */
const NOT_PERSONAL = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b(?:neg|scene|agent|sub|sess|session|user|req|conf|offer|plan)_[\w-]+/g,
  /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?/g,
  /\b(?:git|hg)@[\w.-]+(?=:)/g,
];

/** The lookbehind lets a local part be tried once for each run of its characters, however long the run. */
const EMAIL = /(?<![\w.+%-])[\w.+%-]+@(?!\d+\.\d)(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}(?![A-Za-z0-9-])/g;

/**
 * Personal data in a text, in order and without overlaps (agent layer §4): the person's own profile and demand are not
 * altered on their way out; this is named beside what they approve.
 */
export function findPii(text: string): Pii[] {
  const folded = foldAscii(text);
  const isExact = overlapping(NOT_PERSONAL.flatMap((pattern) => spans(folded, pattern)));
  const emails = spans(folded, EMAIL).map((span): Pii => ({ kind: "email", ...span }));
  const found = [...emails, ...findIdentity(folded), ...findPhones(folded)]
    .filter((pii) => pii.kind === "wechat" || !isExact(pii))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return found.filter((pii) => {
    if (pii.start < end) return false;
    end = pii.end;
    return true;
  });
}

/** Whether a span touches one of many: searched by halves, since a hostile text has very many. */
function overlapping(others: Span[]): (span: Span) => boolean {
  const sorted = others.sort((a, b) => a.start - b.start);
  return ({ start, end }) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]!.end <= start) low = middle + 1;
      else high = middle;
    }
    return low < sorted.length && sorted[low]!.start < end;
  };
}

const LABELS: Record<PiiKind, string> = {
  email: "[e-mail hidden]",
  phone: "[phone hidden]",
  resident_id: "[ID number hidden]",
  passport: "[passport hidden]",
  bank_card: "[bank card hidden]",
  wechat: "[WeChat hidden]",
  qq: "[QQ hidden]",
};

/** The text with every finding replaced by a word for its kind; the text itself when there is none. */
export function maskPii(text: string, label = ""): string {
  // A field's name is a label too: { "wechat": "zhangsan" }.
  const prefix = label === "" ? "" : `${label.replace(/_/g, " ")}: `;
  let masked = "";
  let from = 0;
  for (const { kind, start, end } of findPii(prefix + text)) {
    if (start < prefix.length) continue;
    masked += text.slice(from, start - prefix.length) + LABELS[kind];
    from = end - prefix.length;
  }
  return masked + text.slice(from);
}
