import { type Pii, type Span, spans } from "./spans.ts";

const MONTH_DAY = String.raw`(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])`;
const RESIDENT_18 = new RegExp(
  String.raw`(?<![\w.])[1-9]\d{5}[ -]?(?:18|19|20)\d{2}${MONTH_DAY}[ -]?\d{3}[\dXx](?!\w|\.\d)`,
  "g",
);
const RESIDENT_15 = new RegExp(String.raw`(?<![\w.-])[1-9]\d{5}\d{2}${MONTH_DAY}\d{3}(?![\w-]|\.\d)`, "g");
const RESIDENT_LABELLED =
  /(?:身份证(?:号码?)?|身份證(?:號碼?)?|居民证|(?<![a-z])(?:resident )?id(?:entity)? (?:card|number|no\.?))[ :是为]{0,4}(?<value>\d{14,17}[\dXx])(?!\w)/gi;
const PASSPORT =
  /(?:护照|護照|通行证|(?<![a-z])passport)(?: ?(?:号码?|號碼?|number|no\.?))?[ :#是为]{0,4}(?<value>[a-z]{0,2}\d{7,9})(?!\w)/gi;
const CARD = /(?<![\w.-])\d(?:[ -]?\d){13,18}(?![\w-]|\.\d)/g;
const CARD_LABELLED =
  /(?:银行卡|储蓄卡|信用卡|卡号|账号|帐号|銀行卡|(?<![a-z])(?:card|account))(?: ?(?:号码?|number|no\.?))?[ :是为]{0,4}(?<value>\d(?:[ -]?\d){11,18})(?!\w)/gi;
const WECHAT =
  /(?:微信号?|微信id|薇信|威信号|v信|加v|(?<![a-z])(?:wechat|weixin|wx|vx|wxid)(?: ?(?:id|号|account))?)(?: {0,2}[:=是为] {0,2}| {1,2}(?=[\w-]{0,20}[\d_]))(?<value>[a-z0-9][\w-]{5,19})(?![\w-]| [a-z])/gi;
const QQ = /(?<![a-z])qq(?:号码?|群)?(?: ?(?:id|number|no\.?))?[ :=是为]{0,4}(?<value>[1-9]\d{4,10})(?!\w)/gi;

const as = (kind: Pii["kind"], found: Span[]): Pii[] => found.map((span) => ({ kind, ...span }));

/** Numbers that name a person, in folded text: by their checksum where they have one, else only behind a label. */
export function findIdentity(text: string): Pii[] {
  const read = ({ start, end }: Span) => text.slice(start, end).replace(/[ -]/g, "");
  return [
    ...as("resident_id", [
      ...spans(text, RESIDENT_18).filter((span) => isResident(read(span))),
      ...spans(text, RESIDENT_15).filter((span) => isProvince(read(span))),
      ...spans(text, RESIDENT_LABELLED),
    ]),
    ...as("passport", spans(text, PASSPORT)),
    ...as("bank_card", [...spans(text, CARD).filter((span) => isCard(read(span))), ...spans(text, CARD_LABELLED)]),
    ...as("wechat", spans(text, WECHAT)),
    ...as("qq", spans(text, QQ)),
  ];
}

/** The first two digits of a resident number name a province (GB/T 2260). */
const isProvince = (id: string): boolean => /^(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3]|91)/.test(id);

/** GB 11643: the last character is a checksum of the others, modulo 11. */
function isResident(id: string): boolean {
  const sum = [...id.slice(0, 17)].reduce((total, digit, at) => total + Number(digit) * (2 ** (17 - at) % 11), 0);
  return isProvince(id) && "10X98765432".charAt(sum % 11) === id.charAt(17).toUpperCase();
}

/** An issuer that exists, with the lengths it uses: a time stamp or an order number that passes Luhn is not a card. */
const ISSUER =
  /^(?:4\d{15}|4\d{18}|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|35\d{14}|6(?:011|4[4-9]\d|5\d{2})\d{12}|62\d{14,17}|9[0-9]5[58]\d{12,15})$/;

function isCard(digits: string): boolean {
  if (!ISSUER.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
