import { describe, expect, it } from "vitest";
import { personalKinds } from "../../src/safety/pii/named-only.ts";
import { maskPii } from "../../src/safety/pii/pii.ts";

describe("personal data that is named before it goes out", () => {
  it.each([
    ["出生年月：1996.08", "birth_date"],
    ["姓名：陈以宁　性别：女　出生年月：１９９６年８月", "birth_date"],
    ["1998年3月12日出生，2016-2020 就读浙江大学", "birth_date"],
    ["今年 35 岁，1991-06-15 生，身高 178", "birth_date"],
    ["生日是 5月3日，双子座", "birth_date"],
    ["Date of birth: 12/05/1990", "birth_date"],
    ["DOB 1990-05-12", "birth_date"],
    ["I was born on 3 March 1988 in Ohio.", "birth_date"],
    ["born May 5, 1990", "birth_date"],
    ["钉钉：chenyining", "dingtalk"],
    ["钉钉号 lin_2031，随时可以找我", "dingtalk"],
    ["DingTalk: lin2031", "dingtalk"],
    ["飞书搜 lin.yue01", "feishu"],
    ["飞书账号：linyue", "feishu"],
    ["Telegram: @lin_yue", "telegram"],
    ["tg @linyue88", "telegram"],
    ["电报号：linyue88", "telegram"],
    ["https://t.me/linyue88", "telegram"],
    ["https://www.linkedin.com/in/lin-yue-12345/", "linkedin"],
    ["领英：lin-yue-77", "linkedin"],
    ["LinkedIn: lin-yue", "linkedin"],
    ["VX 同手机", "wechat"],
    ["微信同号", "wechat"],
    ["vx同手机号", "wechat"],
    ["微信就是手机号", "wechat"],
    ["WeChat same, 微信同上", "wechat"],
  ])("%s", (text, kind) => {
    expect(personalKinds(text)).toEqual([kind]);
    expect(maskPii(text)).toBe(text); // in what others wrote it stays
  });

  it.each([
    "1990年生，本科",
    "born in Ohio, works in Berlin",
    "生日蛋糕定制，2026 年 3 月起接单",
    "熟悉钉钉和飞书的开放平台，写过三个机器人",
    "用过 Telegram Bot API 和 LinkedIn Ads",
    "Built a Lark and DingTalk integration in 2024",
    "公司成立于 2015 年 6 月",
    "微信小程序，同城配送",
    "2026-05-12 开始，两周交付",
    "LinkedIn marketing, Telegram communities, 5 years",
  ])("and nothing is seen in: %s", (text) => {
    expect(personalKinds(text)).toEqual([]);
  });
});
