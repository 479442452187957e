import { as, type Pii, SEPARATOR, type Span } from "./spans.ts";

/**
 * Labels that name an address. After such a label and a colon or a similar sign, even a carelessly written address
 * counts.
 */
const NAMED =
  "地址|住址|居住地|现住|家住|(?<!人)家在|住在|居住在|[寄送发]货?[到往至]|[寄送](?=:)|寄(?= ?[\\u4E00-\\u9FFF]{2,3}[省市])|快递到|收[货件](?=:)|(?<![a-z])(?<!e-?mail |ip )addr(?:ess|\\.)?(?![a-z])(?:(?: [a-z]{1,15}){1,8}(?=:)|,(?= \\d))?|(?<![a-z])(?:live|living|lives|reside) (?:at|in|on)";
/** Labels after which something other than an address may also follow. */
const SENT =
  "(?<![a-z])(?:ship|send|mail|deliver|post|courier)(?:ed|ing)?(?: [a-z]{1,15}){0,5} to|(?<![a-z])(?:located|resid(?:ing|ent)|(?:flat|house|home|place|apartment|office|studio|shop|workshop) is) (?:at|on)|(?<![a-z])(?:pick(?:ed)?[ -]?up|collect(?:ed|ion)?) (?:at|from)|(?<![a-z])moved to";
const LABEL = new RegExp(`(?:(?<named>${NAMED})|${SENT})(?<by> ?[在到于]?${SEPARATOR}) {0,2}`, "gi");
/** Matches a part of every label. This pattern is tried first, because the whole pattern costs milliseconds. */
const HINT =
  /[址住寄送发收]|快递|addr|liv|reside|ship|send|mail|post|courier|家在|locat| is (?:at|on)|pick|collect|moved/i;
/** The length of text that is searched after a label, in UTF-16 units. No address is longer. */
const MAX_LENGTH = 140;

/**
 * Finds postal addresses in folded text, after a word that announces one. An address must have a street, a village or
 * a house.
 */
export function findPostalAddresses(text: string): Pii[] {
  if (!HINT.test(text)) return [];
  const found: Span[] = [];
  for (const label of text.matchAll(LABEL)) {
    // "No. 8" belongs to the house and not to the label.
    const number = / no\.? {1,2}$/i.exec(label[0])?.[0].trimStart() ?? "";
    const start = label.index + label[0].length - number.length;
    const rest = text.slice(start, start + MAX_LENGTH);
    const isMarked = label.groups?.named !== undefined && label.groups.by?.trim() !== "";
    const length = chineseLength(rest) || latinLength(rest, isMarked);
    if (length > 0) found.push({ start, end: start + length });
  }
  return as("address", found);
}

const NUMERAL = "(?:\\d{1,5}[A-Za-z]?|[一二三四五六七八九十百]{1,4})";
const HOUSE = new RegExp(`${NUMERAL} ?(?:号|號|弄|栋|棟|幢|座|单元|單元|室|楼|樓|层|層|组|組|户)|\\d-\\d`);
const PLACE =
  /[\u4E00-\u9FFF](?:省|市|区|區|县|縣|镇|鎮|乡|鄉|街|路|巷|弄|胡同|大道|村|屯|小区|花园|苑|大厦|广场|家园|公寓)/;
const REGION = /[\u4E00-\u9FFF](?:省|市|区|區|县|縣|镇|鎮|乡|鄉)/;
const STREET = /[\u4E00-\u9FFF](?:街|路|巷|弄|胡同|大道|村|屯|小区|花园|苑|大厦|家园|公寓)/;
const ENDS_AS_PART =
  /(?:省|市|区|區|县|縣|镇|鎮|乡|鄉|街道?|路|巷|弄|村|小区|花园|苑|大厦|广场|大学|中心|公寓|家园|[里园号號室楼樓栋棟幢层層组組座塔期段]|单元|單元)$/;
const BEGINS_AS_UNIT = /^(?:号|號|弄|栋|棟|幢|座|塔|单元|單元|室|楼|樓|层|層|组|組|期|段|区)/;
const DOOR =
  /^(?:[A-Za-z]?\d{1,5}[A-Za-z]?(?:-[\dA-Za-z]{1,5}){0,3}|[A-Z](?:\d?-[\dA-Z]{1,3})?|[东南西北]?[一二三四五六七八九十]+)$/;

/**
 * Returns the length of the Chinese address at the beginning of a text, or 0 if there is none. Parts between commas
 * and spaces are added as long as they look like parts of an address.
 */
function chineseLength(rest: string): number {
  const line = /^[^。;!?\n\r|"'”」\]}<>()“「]*/.exec(rest)![0];
  let end = 0;
  let before = "";
  for (const part of line.matchAll(/[^,、 ]+/g)) {
    const [written] = part;
    const follows = line.slice(end, part.index).trim() === "" && /[\dA-Za-z]$/.test(before);
    if (end > 0 && !isPart(written) && !(follows && BEGINS_AS_UNIT.test(written))) break;
    end = part.index + written.length;
    before = written;
  }
  const address = line.slice(0, end);
  const isOne = (HOUSE.test(address) && PLACE.test(address)) || (REGION.test(address) && STREET.test(address));
  return isOne ? end : 0;
}

const POST_CODE = /^\d{6}$/;
const isPart = (part: string): boolean =>
  DOOR.test(part) || POST_CODE.test(part) || (ENDS_AS_PART.test(part) && !/\d{6}/.test(part));

const ROAD =
  "(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Parkway|Pkwy|Way|Court|Ct|Place|Pl|Square|Sq|Terrace|Ter|Highway|Hwy|Crescent|Close|Alley|Row|Walk|Quay|Plaza|Circle|Mews|Gardens|Grove|Hill)(?![\\w])\\.?";
const NUMBER = String.raw`(?:No\.? ?)?\d{1,5}[A-Za-z]?(?:[-/]\d{1,5}){0,2}`;
const UNIT =
  "(?:(?:Flat|Blk|Apt|Apartment|Unit|Room|Rm|Suite|Ste|Floor|Building|Block|Bldg|Tower|House|#)\\.? ?[\\w-]{1,8}|\\d{1,3}(?:st|nd|rd|th)?[ /]?(?:Floor|F)(?!\\w))";
const ROMANCE =
  "(?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Pp]lace|[Vv]iale?|[Pp]iazza|[Cc]alle|[Cc]arrer|[Aa]venida|[Pp]aseo|[Rr]ua|[Jj]alan|[Jj]l\\.)";
const NAME = String.raw`[A-Z0-9\u00C0-\u00DE][\w\u00C0-\u024F.']{0,20}`;
const ANY_NAME = String.raw`[\w\u00C0-\u024F.']{1,21}`;
const streets = (name: string): string[] => [
  `${NUMBER},? (?:${name} ){1,5}?${ROAD}`,
  `(?:${NUMBER},? )?${ROMANCE} ${ANY_NAME}(?: ${NAME}){0,3}(?:,? \\d{1,4}(?![\\d-]))?`,
  String.raw`[A-Z\u00C0-\u00DE][\w\u00C0-\u024F.-]{2,30}(?:straße|strasse|str\.|weg|platz|allee|gasse|gracht|straat) ?\d{1,4}[a-z]?`,
  String.raw`P\.? ?O\.? ?Box \d{1,6}`,
];
const begins = (name: string, before: string, flags: string) =>
  new RegExp(`^(?:${UNIT},? ){0,3}${before}(?:${streets(name).join("|")})(?: ${UNIT})?`, flags);
/**
 * Matches a house with the name of a street or an estate that does not say what it is. The label decides how many
 * more parts after commas make this an address.
 */
const BARE = String.raw`(?:${UNIT}(?: [A-Z][a-z'-]+){0,3}(?: \d{1,3})?|${NUMBER} [A-Z][\w'-]{2,20}(?: [A-Z][\w'-]{1,20}){0,2})`;
const bare = (parts: number) =>
  new RegExp(String.raw`^${BARE}(?:, (?:#[\d-]{1,8}|[A-Z][\w'-]*(?: [A-Z\d][\w'-]*){0,4})){${parts},4}(?![\w'-])`);
const BARE_MARKED = bare(1);
const BARE_SENT = bare(2);
const LATIN = begins(NAME, "", "");
const LATIN_MARKED = begins(ANY_NAME, "(?:[A-Z][^,;:\\n]{1,30}, ?){0,3}", "i");
const PART = String.raw`[A-Z\u00C0-\u00DE][\w\u00C0-\u024F.'-]*`;
/** Matches further parts of an address, such as a flat, a town or a post code, each with capitals or digits. */
const MORE = new RegExp(
  String.raw`^(?:(?:,|(?= [A-Z\d])) ?(?:${UNIT}|(?:${PART}|\d[\w-]*)(?: (?:${PART}|\d[\w-]*))*))*`,
);

function latinLength(rest: string, isMarked: boolean): number {
  const street = (isMarked ? LATIN_MARKED : LATIN).exec(rest)?.[0];
  if (street === undefined) return (isMarked ? BARE_MARKED : BARE_SENT).exec(rest)?.[0].length ?? 0;
  return (street + MORE.exec(rest.slice(street.length))![0]).replace(/[ .,]+$/, "").length;
}
