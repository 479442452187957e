export interface Span {
  start: number;
  end: number;
}

export type PiiKind = "email" | "phone" | "resident_id" | "passport" | "bank_card" | "wechat" | "qq";

/** A finding, as UTF-16 offsets into the text that was given. */
export interface Pii {
  kind: PiiKind;
  start: number;
  end: number;
}

/** Full-width forms, other digits, other dashes and other spaces as ASCII; one unit stays one unit, so offsets hold. */
export const foldAscii = (text: string): string =>
  text.replace(
    /[\u00A0\u00AD\u0660-\u0669\u06F0-\u06F9\u2000-\u200A\u2010-\u2015\u2212\u3000\uFE63\uFF01-\uFF5E]/g,
    (c) => {
      const code = c.charCodeAt(0);
      if (code >= 0xff01) return String.fromCharCode(code - 0xfee0);
      if (code >= 0x0660 && code <= 0x06f9) return String(code & 0xf);
      return code === 0x00ad || (code >= 0x2010 && code <= 0x2212) || code === 0xfe63 ? "-" : " ";
    },
  );

/** Every match; of its group `value` where the pattern has one (a label is not personal). */
export const spans = (text: string, pattern: RegExp): Span[] =>
  [...text.matchAll(pattern)].map((match) => {
    const value = match.groups?.value ?? match[0];
    // A value stands at the end of its pattern, after its label.
    const start = match.index + match[0].lastIndexOf(value);
    return { start, end: start + value.length };
  });
