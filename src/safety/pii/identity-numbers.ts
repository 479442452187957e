import { as, holdsDigits, NOT_COUNTED, type Pii, SEPARATOR, type Span, spans } from "./spans.ts";

const MONTH_DAY = String.raw`(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])`;
const RESIDENT_18 = new RegExp(
  String.raw`(?<![\w.])[1-9]\d{5}[ -]?(?:18|19|20)\d{2}${MONTH_DAY}[ -]?\d{3}[\dXx](?!\w|\.\d)`,
  "g",
);
const RESIDENT_15 = new RegExp(String.raw`(?<![\w.-])[1-9]\d{5}\d{2}${MONTH_DAY}\d{3}(?![\w-]|\.\d)`, "g");
const LABEL =
  "(?:身[份分][证證]|居民[证證]|[证證]件|(?<![a-z])(?:(?:resident )?id(?:entity)?(?: (?:card|number|no\\.?)){1,2}|resident id|hkid))";
const RESIDENT_LABELLED = new RegExp(String.raw`${LABEL}${SEPARATOR}(?<value>\d{14,17}[\dXx])(?!\w)`, "gi");
const HONG_KONG = /(?<!\w)[A-Z]{1,2}\d{6}\([\dA]\)/g;
const HONG_KONG_LABELLED = new RegExp(String.raw`${LABEL}${SEPARATOR}(?<value>[A-Z]{1,2}\d{6}[\dA])(?!\w)`, "gi");
const TAIWAN_LABELLED = new RegExp(String.raw`${LABEL}${SEPARATOR}(?<value>[A-Z][12]\d{8})(?!\w)`, "gi");
const SOCIAL_SECURITY = new RegExp(
  String.raw`(?<![a-z])(?:ssn|social security)${SEPARATOR}(?<value>\d{3}[ -]?\d{2}[ -]?\d{4})(?!\w|-\d)`,
  "gi",
);
/**
 * Matches a British National Insurance number, spaced as on the card. The next two patterns match such a number after
 * its name, and the number of Singapore's identity card.
 */
const INSURANCE = /(?<![\w-])[A-CEGHJ-PR-TW-Z]{2} \d{2} \d{2} \d{2} [A-D](?!\w)/g;
const INSURANCE_LABELLED = new RegExp(
  String.raw`(?<![a-z])(?:national insurance|nino|ni (?:no\.?|number))${SEPARATOR}(?<value>[a-z]{2} ?\d{2} ?\d{2} ?\d{2} ?[a-d])(?!\w)`,
  "gi",
);
const SINGAPORE = new RegExp(String.raw`(?<![a-z])(?:nric|fin)${SEPARATOR}(?<value>[STFGM]\d{7}[A-Z])(?!\w)`, "gi");
const PASSPORT = new RegExp(
  String.raw`(?:护照|護照|通行[证證]|台胞[证證]|回[乡鄉][证證]|(?<![a-z])passport|(?<![a-z])pp(?: no\.?| number| ?#))${SEPARATOR}(?<value>[a-z]{0,2} ?\d{7,9}|(?=(?:[A-Z]*\d){4})[A-Z][A-Z\d]{7,8})(?!\w)${NOT_COUNTED}`,
  "gi",
);

/** Matches a document whose kind is not named, if its number has the shape of a passport's. */
const DOCUMENT = new RegExp(String.raw`[证證]件${SEPARATOR}(?<value>[A-Z]\d{8}|[A-Z]{2}\d{7})(?!\w)`, "gi");

/**
 * Finds the numbers of identity cards and passports in folded text, by their checksum if they have one, else by a
 * label before them.
 */
export function findIdentity(text: string): Pii[] {
  if (!holdsDigits(text, 4)) return [];
  const read = ({ start, end }: Span) =>
    text
      .slice(start, end)
      .replace(/[ ()-]/g, "")
      .toUpperCase();
  return [
    ...as("resident_id", [
      ...spans(text, RESIDENT_18).filter((span) => isResident(read(span))),
      ...spans(text, RESIDENT_15).filter((span) => isProvince(read(span))),
      ...spans(text, RESIDENT_LABELLED),
      ...spans(text, HONG_KONG).filter((span) => isHongKong(read(span))),
      ...spans(text, HONG_KONG_LABELLED).filter((span) => isHongKong(read(span))),
      ...spans(text, TAIWAN_LABELLED).filter((span) => isTaiwan(read(span))),
      ...spans(text, SOCIAL_SECURITY),
      ...spans(text, INSURANCE),
      ...spans(text, INSURANCE_LABELLED),
      ...spans(text, SINGAPORE),
    ]),
    ...as("passport", [...spans(text, PASSPORT), ...spans(text, DOCUMENT)]),
  ];
}

/** Returns whether the first two digits of a resident number name a province (GB/T 2260). */
const isProvince = (id: string): boolean => /^(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3]|91)/.test(id);

/** Returns whether a resident number is valid. The last character is a checksum of the others, modulo 11 (GB 11643). */
function isResident(id: string): boolean {
  const sum = [...id.slice(0, 17)].reduce((total, digit, at) => total + Number(digit) * (2 ** (17 - at) % 11), 0);
  return isProvince(id) && "10X98765432".charAt(sum % 11) === id.charAt(17);
}

/**
 * Returns whether a Hong Kong number is valid. Letters count from 10, and a missing first letter counts as 36. The
 * sum with the weights 9 to 1 must be divisible by 11.
 */
function isHongKong(id: string): boolean {
  const values = [...id.padStart(9, " ")].map((c) => (c === " " ? 36 : Number.parseInt(c, 36)));
  return values.reduce((sum, value, at) => sum + value * (9 - at), 0) % 11 === 0;
}

/**
 * Returns whether a Taiwan number is valid. The letter stands for the two digits of a county, and the weighted sum of
 * all digits must be divisible by 10.
 */
function isTaiwan(id: string): boolean {
  const county = 10 + "ABCDEFGHJKLMNPQRSTUVXYWZIO".indexOf(id.charAt(0));
  const digits = [...id.slice(1)].reduce((sum, digit, at) => sum + Number(digit) * Math.max(1, 8 - at), 0);
  return (Math.floor(county / 10) + (county % 10) * 9 + digits) % 10 === 0;
}
