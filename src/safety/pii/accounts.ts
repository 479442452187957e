import { as, holdsDigits, NOT_COUNTED, type Pii, SEPARATOR, type Span, spans } from "./spans.ts";

const CARD = /(?<![\w.-])\d(?:[ -]?\d){13,18}(?![\w-]|\.\d)/g;
const CARD_LABELLED = new RegExp(
  String.raw`(?:银行卡|储蓄卡|信用卡|卡号|账号|帐号|账户|銀行卡|帳號|(?<![a-z])(?:card|account))${SEPARATOR}(?<value>\d(?:[ -]?\d){11,23})(?!\w)${NOT_COUNTED}`,
  "gi",
);
/** Behind words that can mean nothing else, numbers as short as banks have them. */
const ACCOUNT_LABELLED = new RegExp(
  String.raw`(?:(?:银行|对公|收款|收款人)[账帐][号户]|[账帐] +号|(?<![a-z])(?:bank account|(?:account|acct\.?|a\/c)(?= ?#)|(?:account|acct\.?),? (?:number|no\.?)|acct|a\/c(?: no\.?)?|acc\.? (?:number|no\.?)|(?:sort code|bsb|swift|bic)[^\n;]{1,24}?(?:account|acc)))${SEPARATOR}(?<value>(?:[A-Z]{2,4}-)?\d(?:[ -]?\d){6,23})(?!\w)${NOT_COUNTED}`,
  "gi",
);
/** Thirty-four characters at most, in groups of four or in one. */
const IBAN = /(?<![\w-])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)/gi;

/** Numbers of cards and bank accounts in folded text: by issuer and checksum, else behind a label. */
export function findAccounts(text: string): Pii[] {
  if (!holdsDigits(text, 2)) return [];
  const read = ({ start, end }: Span) => text.slice(start, end).replace(/[ -]/g, "").toUpperCase();
  return as("bank_card", [
    ...spans(text, CARD).filter((span) => isCard(read(span))),
    ...spans(text, IBAN).filter((span) => isIban(read(span))),
    ...spans(text, CARD_LABELLED),
    ...spans(text, ACCOUNT_LABELLED),
  ]);
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

/** ISO 13616: country and check digits go last, letters count from 10, and the remainder by 97 is 1. */
function isIban(written: string): boolean {
  const moved = written.slice(4) + written.slice(0, 4);
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return written.length >= 15 && [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}
