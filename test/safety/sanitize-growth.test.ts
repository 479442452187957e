import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { fence } from "../../src/safety/fence.ts";
import { findPii, maskPii } from "../../src/safety/pii/pii.ts";
import { sanitizeLine } from "../../src/safety/sanitize/foreign.ts";
import { looksLikeInstructions } from "../../src/safety/sanitize/instructions.ts";
import { breakLines, cutColumns, cutGraphemes } from "../../src/safety/sanitize/length.ts";
import { SANITIZE_DEFAULTS } from "../../src/safety/sanitize/options.ts";
import { neutraliseMarkup, stripControls } from "../../src/safety/sanitize/text.ts";
import { maskSecrets } from "../../src/safety/secrets.ts";
import { share } from "../support/property-seed.ts";
import { sanitizeAny } from "../support/sanitize-any.ts";

/*
 * A text of 250 kB made of what each pattern begins with. A pattern that goes back over what it has read takes minutes on
 * one of these, not seconds: the limit is far above what a slow machine needs, and far below that.
 */
const SIZE = 250_000;
const LIMIT_MS = 5_000;
/** What an answer of the backend may hold. */
const WHOLE = 1_000_000;
/** A whole test; each beginning has its own limit, which says which one it was. */
const TEST = { timeout: 600_000 };
/** How many runs read all of them. */
const PARTS = 9;

const UNITS = [
  ..."a1 .-_@<[(!&:/\\\"'=+#~%\n\t,;|`{",
  "\u001B[",
  "\u001B]",
  "\u009B0;",
  "\u009D",
  "\u0301",
  "\u200D",
  "👩\u200D",
  "\u1100",
  "\r",
  "\uD800",
  "1 ",
  "1-",
  "1.",
  "13",
  "138 ",
  "138-1234-",
  "(1",
  "+1",
  "+1 ",
  "+(1)-",
  "00",
  "0086 ",
  "010-",
  "400-",
  "86 ",
  "13812345678 ",
  "１３８",
  "a@",
  "a.",
  "a@a.",
  "@a.a",
  "a-",
  "aa@aa.",
  "%40",
  "+861",
  "(415) ",
  "110105",
  "11010519",
  "4111 ",
  "4111-",
  "6222",
  "电话",
  "电话:",
  "phone ",
  "phone number ",
  "call me at ",
  "微信",
  "wechat ",
  "wechat id ",
  "qq ",
  "护照",
  "passport ",
  "card ",
  "银行卡 1 ",
  "DE34 ",
  "AA11",
  "B503160(",
  "ssn ",
  "a'",
  "张",
  "张@",
  "张@张.",
  "邮箱是",
  "a (at) ",
  "a(at)a.",
  "a dot ",
  "a(dot)",
  "a at a dot ",
  "a @ ",
  "微信号：",
  "微信a-",
  "wechat is ",
  "wx | ",
  "加v",
  "wxid_",
  "扣扣",
  "q q ",
  "手机 2000-",
  "订单号",
  "订单a",
  "order no. ",
  "order 123 ",
  "a_id",
  "id = ",
  "http://a?",
  "http://a&phone",
  "地址",
  "地址：",
  "地址：1 ",
  "地址：路1号",
  "地址：路 1 号 ",
  "家住A ",
  "address ",
  "address: ",
  "address: 1 A ",
  "address: A, ",
  "address: Room 1 ",
  "address: 1 A St, ",
  "live at ",
  "send ",
  "send a ",
  "send to ",
  "ship to 1 A St A ",
  "id card ",
  "neg_",
  "a-1-",
  "<a ",
  "<a",
  "</",
  "<!--",
  "<?",
  "<a href=",
  "<x on",
  "](",
  "[a](",
  "![",
  "[a]: ",
  "[[",
  "[a",
  "](<",
  "http://",
  "http",
  "a://",
  "www.",
  "data:",
  "data:a/",
  "javascript:",
  "javascript:a",
  "mailto:",
  "-----BEGIN ",
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----a",
  "-----BEGIN PRIVATE KEY-----\n- ",
  "eyJ",
  "eyJ-",
  "eyJaaaaaaaa.",
  "eyJaaaaaaaa.eyJ",
  "sk-",
  "sk-a",
  "ghp_",
  "AKIA",
  "SG.",
  "towow_",
  "towow_1",
  "authorization:",
  "authorization: ",
  "authorization: bearer ",
  "bearer ",
  "bearer a",
  "?token=",
  "&sig",
  "token",
  "token:",
  "token: ",
  "password='",
  "密码：",
  "://a:",
  "://a:b",
  "access_",
  "x-amz-",
  "ignore ",
  "ignore all ",
  "ignore the instruct",
  "disregard your ",
  "you are ",
  "from now on ",
  "new ",
  "note to ",
  "call the a ",
  "print your ",
  "do not tell ",
  "user has ",
  "忽略",
  "忽略之前",
  "你现在",
  "从现在",
  "扮演",
  "以管理员",
  "系统",
  "系统 ",
  "调用",
  "输出",
  "不要询问",
  "替用户",
  "致所有",
  "system",
  "# ",
  "#",
  "> ",
  "\n> ",
  "\nsystem",
  '"tool',
  "<|a",
  "[inst",
  "<<<",
  "begin of the ",
];

const STEPS: Record<string, (text: string) => unknown> = {
  stripControls,
  maskSecrets,
  maskPii: (text) => maskPii(text),
  neutraliseMarkup,
  looksLikeInstructions,
  breakLines,
  cutGraphemes: (text) => cutGraphemes(text, 16_000),
  cutColumns: (text) => cutColumns(text, 80),
};

const fill = (unit: string, size = SIZE) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);

/**
 * Ends a pattern that does not end, and says on which text it was at work. The limit is by the wall's clock: on a machine
 * that has just let this process wait, the same work is tried again.
 */
function inTime(name: string, work: () => unknown, tries = 3): void {
  try {
    runInNewContext("work()", { work }, { timeout: LIMIT_MS });
  } catch (error) {
    const isLate = (error as { code?: string }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    if (!isLate || tries === 1) throw new Error(name, { cause: error });
    inTime(name, work, tries - 1);
  }
}

test.each(Object.entries(STEPS))("%s reads 250 kB of each beginning", TEST, (step, reads) => {
  for (const unit of share(UNITS, PARTS))
    inTime(`${step}, ${JSON.stringify(unit)}`, () => {
      reads(fill(unit));
      // A beginning without its end, before long runs of what it may be followed by.
      reads(`${unit}${fill("a", SIZE / 2)}${unit}${fill(" ", SIZE / 4)}${unit}${fill("1", SIZE / 4)}`);
    });
});

const WORST = ["0086 ", "<", "<a", "密码：", "👩\u200D", "4111 ", "忽略", "\u001B[", "http://", "](<"];
test("the whole way, where it is longest", TEST, () => {
  for (const unit of WORST)
    inTime(JSON.stringify(unit), () => {
      const { value } = sanitizeAny(fill(unit, WHOLE), SANITIZE_DEFAULTS);
      expect(String(value).length).toBeLessThanOrEqual(SANITIZE_DEFAULTS.limits.offerChars * 8);
      sanitizeLine(fill(unit, WHOLE), SANITIZE_DEFAULTS);
    });
});

test("a million small findings", () => {
  inTime("findings", () => expect(findPii(fill("13812345678 neg_1 ", WHOLE)).length).toBeGreaterThan(50_000));
  inTime("fence", () => expect(fence(fill("a", WHOLE), () => "0123456789abcdef").length).toBeGreaterThan(WHOLE));
});

test("a list of a million items is cut, not walked", () => {
  const { value, meta } = sanitizeAny(new Array(1_000_000).fill("x"), SANITIZE_DEFAULTS);
  expect((value as string[]).length).toBeLessThan(4_000);
  expect(meta).toEqual({ truncated: true });
});
