import { createRequire } from "node:module";
import fc from "fast-check";
import { type CountryCode, type Examples, getCountries, getExampleNumber } from "libphonenumber-js/min";
import { describe, expect, test } from "vitest";
import { findPii, maskPii, type PiiKind } from "../../src/safety/pii/pii.ts";
import { maskSecretField, maskSecrets } from "../../src/safety/secrets.ts";
import { forEachEntry } from "../support/entries.ts";
import { HARMLESS, HOSTILE } from "./hostile-corpus.ts";

const found = (text: string) => findPii(text).map(({ kind, start, end }) => [kind, text.slice(start, end)]);

const examples = createRequire(import.meta.url)("libphonenumber-js/examples.mobile.json") as Examples;
const exampleOf = (country: CountryCode) => getExampleNumber(country, examples)!;

const FINDS: [text: string, ...expected: [PiiKind, string][]][] = [
  ["手机：13812345678。", ["phone", "13812345678"]],
  ["(+86) 138-1234-5678", ["phone", "(+86) 138-1234-5678"]],
  ["0086 13812345678", ["phone", "0086 13812345678"]],
  ["138.1234.5678", ["phone", "138.1234.5678"]],
  ["138 123 45678", ["phone", "138 123 45678"]],
  ["1３8-12345678", ["phone", "1３8-12345678"]],
  ["13812345678wx同号", ["phone", "13812345678"]],
  ["13812345678/15912345678", ["phone", "13812345678"], ["phone", "15912345678"]],
  ["13812345678-15912345678", ["phone", "13812345678"], ["phone", "15912345678"]],
  ["13812345678、15987654321", ["phone", "13812345678"], ["phone", "15987654321"]],
  ["（021）6234‐5678", ["phone", "（021）6234‐5678"]],
  ["0571-87654321转8012", ["phone", "0571-87654321转8012"]],
  ["٠١٠-62345678", ["phone", "٠١٠-62345678"]],
  ["+852 9123 4567 / +886 912 345 678", ["phone", "+852 9123 4567"], ["phone", "+886 912 345 678"]],
  ["+33 6 12 34 56 78, 2026", ["phone", "+33 6 12 34 56 78"]],
  ["Phone number: 07700 900123", ["phone", "07700 900123"]],
  ["a.b+c@mail.example.co.uk, x@y", ["email", "a.b+c@mail.example.co.uk"]],
  ["身份证号：110105194912310021", ["resident_id", "110105194912310021"]],
  ["11010519491231002x", ["resident_id", "11010519491231002x"]],
  ["Passport No. EA1234567", ["passport", "EA1234567"]],
  ["5500 0000 0000 0004", ["bank_card", "5500 0000 0000 0004"]],
  ["378282246310005", ["bank_card", "378282246310005"]],
  ["卡号 622202123456789012", ["bank_card", "622202123456789012"]],
  ["微信号：wxid_a1b2c3", ["wechat", "wxid_a1b2c3"]],
  ["微信 13812345678", ["wechat", "13812345678"]],
  ["QQ群 123456789", ["qq", "123456789"]],
  ["微信zhangsan2020", ["wechat", "zhangsan2020"]],
  ["微信号zhangsan", ["wechat", "zhangsan"]],
  ["**微信**：zhao_8877", ["wechat", "zhao_8877"]],
  ["My wechat is frank-zhou, ok", ["wechat", "frank-zhou"]],
  ["扣扣312456789", ["qq", "312456789"]],
  ["QQ（334455667）", ["qq", "334455667"]],
  ["我的QQ是 123456789", ["qq", "123456789"]],
  ["邮箱是张三@example.com", ["email", "张三@example.com"]],
  ["写给 李雷@例子.中国", ["email", "李雷@例子.中国"]],
  ["a.b(at)example.com", ["email", "a.b(at)example.com"]],
  ["a【at】example[dot]com", ["email", "a【at】example[dot]com"]],
  ["a dot b at example dot com", ["email", "a dot b at example dot com"]],
  ["O’Brien@example.ie", ["email", "O’Brien@example.ie"]],
  ["香港身份证 B503160(0)", ["resident_id", "B503160(0)"]],
  ["身分證字號：A247678636", ["resident_id", "A247678636"]],
  ["SSN: 219-09-9999", ["resident_id", "219-09-9999"]],
  ["IBAN DE69 1422 5607 9186 3390 71", ["bank_card", "DE69 1422 5607 9186 3390 71"]],
  ["My number: 1-415-555-0132", ["phone", "1-415-555-0132"]],
  ["https://wa.me/8613812345678", ["phone", "8613812345678"]],
  ["https://x.example/?phone=13812345678", ["phone", "13812345678"]],
  ["证件编号 11010519491231002X", ["resident_id", "11010519491231002X"]],
  [
    "地址：杭州市西湖区文三路 478 号 3 栋 1203，电话 13812345678",
    ["address", "杭州市西湖区文三路 478 号 3 栋 1203"],
    ["phone", "13812345678"],
  ],
  ["I live at 45 Rue de Rivoli, 75001 Paris and bike", ["address", "45 Rue de Rivoli, 75001 Paris"]],
  ["Ship to: Flat 3B, 12 King’s Road, Hong Kong.", ["address", "Flat 3B, 12 King’s Road, Hong Kong"]],
  ["Ship to: No. 8 King’s Road, Hong Kong.", ["address", "No. 8 King’s Road, Hong Kong"]],
  ["I live at no. 8 King’s Road, Hong Kong.", ["address", "no. 8 King’s Road, Hong Kong"]],
  ["幺三八 1二3四 5678", ["phone", "幺三八 1二3四 5678"]],
  ["1 3 8 1 2 3 4 5 6 7 8", ["phone", "1 3 8 1 2 3 4 5 6 7 8"]],
  ["0571-87654321-8012", ["phone", "0571-87654321-8012"]],
  ["a艾特b点com", ["email", "a艾特b点com"]],
  ["a.b#example.com（#换成@）", ["email", "a.b#example.com"]],
  ["Bank account number 12345678", ["bank_card", "12345678"]],
  ["微 信：zhao_8877", ["wechat", "zhao_8877"]],
  ["薇❤️ zhao_8877", ["wechat", "zhao_8877"]],
  ["v♥：zhao_8877", ["wechat", "zhao_8877"]],
  ["绿泡泡 zhao8877", ["wechat", "zhao8877"]],
  ["VXzhao_8877", ["wechat", "zhao_8877"]],
  ["可面谈，微信 zhaoliu", ["wechat", "zhaoliu"]],
  ["on WeChat, my ID is zhaoliu.", ["wechat", "zhaoliu"]],
  ["Q号：334455667", ["qq", "334455667"]],
  ["请寄：上海市徐汇区漕溪北路 88 号", ["address", "上海市徐汇区漕溪北路 88 号"]],
  ["电话 13812345678 邮箱 a@b.cn", ["phone", "13812345678"], ["email", "a@b.cn"]],
];

/** Of the right length and nothing else: a checksum, a date, an issuer, a label or a country is missing. */
const PASSES = [
  "110105194912310021",
  "990105194912310023",
  "110105194913310028",
  "4111 1111 1111 1112",
  "1111111111111111",
  "E12345678",
  "12345678901",
  "62345678",
  "+10000000000 users",
  "x13812345678",
  "13812345678.5",
  "$13812345678",
  "v2@1.0.0-beta.rc",
  "git@github.com:owner/name.git",
  "QQ 浏览器 QQ 2024",
  "电话 2026-11-21",
  "手机 2000-4000 元",
  "手机 1999-2999",
  "手机 6.1-6.7 英寸",
  "手机端 2024-2025",
  "订单号 13812345678",
  "Order no. 13812345678",
  "13900000000 events",
  "QQ 20000 粉丝",
  "QQ：10000 以内",
  "text: 20261121 开工",
  "account 2026112113800 rows",
  "passport 1234567 copies",
  "微信OAuth2",
  "稍微：details",
  "v: 3.14.15",
  "VXLAN over UDP 4789",
  "熟悉微信 android 开发",
  "1 3 8 1 2 3 4 5 6 7 8 9",
  "一三五八 一二三",
  "issue#example.com",
  "account 12345678",
  "icon@2x.png",
  "https://user@git.example.com/repo.git",
  "https://x.example/posts/13812345678",
  "身份证字號 A247678637",
  "B503160(1)",
  "DE69142256079186339072",
  "IP 地址 10.0.0.1",
  "地址：https://example.com/road/12",
  "收货地址管理模块，支持 20 个地址",
  "家住杭州",
  "We address 12 open questions on the road map",
  "look at example.com",
  "at noon dot product",
  "9M+vB7U0Zz6TWuZA",
  "agent_13812345678",
  "2026-11-21T10:30:00.138+08:00",
  "1.0.13812345678",
];

describe("findPii", () => {
  test("finds each kind, as it is written", () =>
    forEachEntry(
      FINDS,
      ([text]) => text,
      ([text, ...expected]) => expect(found(text)).toEqual(expected),
    ));
  test("finds nothing in what only looks like it", () =>
    forEachEntry([...PASSES, ...HARMLESS], String, (text) => expect(found(text)).toEqual([])));

  test("findings are in order, apart, inside the text, and the text is not altered", () => {
    const piece = fc.constantFrom(...FINDS.map(([text]) => text), ...HOSTILE.map((h) => h.text), " ", "-", "1", "0");
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: "binary" })), { maxLength: 6 }), (parts) => {
        const text = parts.join("");
        let end = 0;
        for (const pii of findPii(text)) {
          expect(pii.start).toBeGreaterThanOrEqual(end);
          expect(pii.end).toBeGreaterThan(pii.start);
          end = pii.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test("finds each as a reader sees it, whatever is hidden between its characters", () => {
    const hidden = [
      "\u200B",
      "\u2060",
      "\u200D",
      "\uFE0F",
      "\u034F",
      "\u{E0041}",
      "\u{1D159}",
      "\u0000",
      "\u3164",
      "\uFFFC",
      "\uFDD0",
      "\u{10FFFF}",
    ];
    for (const unseen of hidden)
      forEachEntry(
        FINDS,
        ([text]) => `${text} with ${escape(unseen)}`,
        ([text, ...expected]) => {
          const spread = found([...text].join(unseen));
          expect(spread.map(([kind, value]) => [kind, value!.replaceAll(unseen, "")])).toEqual(expected);
        },
      );
    expect(found("138\u28001234\u28005678")).toEqual([["phone", "138\u28001234\u28005678"]]);
  });

  test("every blank of Unicode is a gap in a number", () => {
    const blanks = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((c) =>
      /\p{Zs}/u.test(c),
    );
    expect(blanks).toContain("\u202F");
    forEachEntry(blanks, escape, (gap) => {
      const [mobile, card] = ["138 1234 5678", "5500 0000 0000 0004"].map((number) => number.replaceAll(" ", gap));
      expect(found(`${mobile}, ${card}`)).toEqual([
        ["phone", mobile],
        ["bank_card", card],
      ]);
    });
  });

  test("any Chinese mobile is found, with any of the usual separators, whatever Chinese stands around it", () => {
    const digits = fc.stringMatching(/^1[3-9]\d{9}$/);
    const prefix = fc.constantFrom("", "+86", "+86 ", "86-", "0086 ");
    fc.assert(
      fc.property(digits, fc.constantFrom("", " ", "-"), prefix, (number, by, before) => {
        const written = `${before}${number.slice(0, 3)}${by}${number.slice(3, 7)}${by}${number.slice(7)}`;
        expect(found(`找我${written}好吗`)).toEqual([["phone", written]]);
      }),
    );
  });

  test("a mobile of every country, written for abroad, and as at home behind a label", () =>
    forEachEntry(getCountries(), String, (country) => {
      const example = exampleOf(country);
      const atHome = `Phone: ${example.formatNational()}`;
      const isLong = atHome.replace(/\D/g, "").length >= 7;
      for (const written of [example.number, example.formatInternational(), ...(isLong ? [atHome] : [])]) {
        const masked = maskPii(`Reach us, ${written}, thanks`);
        expect(masked, written).toContain("[phone hidden]");
        expect(masked, written).not.toMatch(/\d/);
      }
    }));
});

test("masking names the kind and nothing else; a field's name counts as a label", () => {
  expect(maskPii("打 13812345678 或写 a@b.cn。")).toBe("打 [phone hidden] 或写 [e-mail hidden]。");
  expect(maskPii("杭州市西湖区文三路 478 号", "home_address")).toBe("[address hidden]");
  expect(maskPii("zhangsan", "wechat_id")).toBe("[WeChat hidden]");
  expect(maskPii("zhangsan")).toBe("zhangsan");
});

test("of two that overlap no end stays", () => {
  expect(maskPii("银行卡6226093885345322 177 0284 9913")).toBe("银行卡[bank card hidden]");
  expect(maskPii("邮箱 13812345678@139.com，谢谢")).toBe("邮箱 [e-mail hidden]，谢谢"); // the one holds the other
});

describe("secrets", () => {
  const SECRETS: [text: string, masked: string][] = [
    ["Authorization: Bearer abc", "Authorization: ***"],
    ["-H 'X-Api-Key: a1b2c3d4'", "-H 'X-Api-Key: ***'"],
    ["https://x.example/?access_token=abc&lang=zh", "https://x.example/?access_token=***&lang=zh"],
    ["https://x.example/#token=abc", "https://x.example/#token=***"],
    ["https://me:pw@x.example/", "https://me:***@x.example/"],
    ["secret=Zx81kkq0", "secret=***"],
    ["sk-ant-api03-Ab12Cd34Ef56Gh78", "***"],
  ];
  test("are masked, and nothing around them", () =>
    forEachEntry(
      SECRETS,
      ([text]) => text,
      ([text, masked]) => expect(maskSecrets(text)).toBe(masked),
    ));

  const NO_SECRETS = [
    "towow_confirm and towow_submit_demand",
    "sk-learn pipelines",
    "bearer certificates",
    "token: string",
    ...HARMLESS,
  ];
  test("what is none is left", () => forEachEntry(NO_SECRETS, String, (text) => expect(maskSecrets(text)).toBe(text)));

  test("a field that is called a secret is one, whatever stands in it", () => {
    expect(maskSecretField("password", "x")).toBe("***");
    expect(maskSecretField("passwords", "none here")).toBe("none here");
  });

  test("two keys without anything between them are both masked", () => {
    expect(maskSecrets("AKIAIOSFODNN7EXAMPLEghp_0123456789abcdefABCDEF0123456789abcd!")).toBe("***!");
  });

  test("masking twice is masking once", () => {
    const piece = fc.constantFrom(
      ...HOSTILE.map((h) => h.text),
      "token=",
      "?sig=",
      "bearer ",
      "eyJ",
      "://a:",
      "@",
      ":",
      "1a2b3c4d",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 6 }), (parts) => {
        const once = maskSecrets(parts.join(""));
        expect(maskSecrets(once)).toBe(once);
      }),
    );
  });
});
