import { describe, expect, it } from "vitest";
import { MIN_FORM } from "../../src/ask/client-forms.ts";
import { pageMessage, pauseForm, permissionForm, readDecision, readOwnText } from "../../src/ask/questions.ts";
import { hostLabel, PRODUCTION, SANDBOX } from "../../src/home/origin.ts";
import { textsOf } from "../../src/text/index.ts";

const WORDS = {
  en: "We need a product designer who knows hospital queue systems well, can start in May, and is willing to sit two days with the nurses before drawing anything at all; remote is fine, the budget is open to talk.",
  zh: "我们需要一位懂医院排队系统的产品设计师，五月可以开始，愿意先和护士坐两天再动笔；可以远程，预算可以商量，最好做过分诊台和叫号屏，也愿意写一份简短的说明，让后来的人看得懂，并且参加每周一次的评审，时间大约三个月左右。",
};

describe.each(["en", "zh"] as const)("the form in %s", (lang) => {
  const sentences = textsOf(lang);
  const decisionOf = (form: ReturnType<typeof pauseForm>) =>
    form?.schema.properties.decision as Record<string, unknown>;

  it("shows the text alone; deadline and personal data stand in one row beside the choice, the host in the yes", () => {
    const form = pauseForm(
      "A designer\u200B, lin@example.org",
      sentences,
      { decideBy: "SOON", host: "example.org" },
      MIN_FORM,
    );
    expect(form?.message).toBe("A designer\\u{200B}, lin@example.org");
    const { title, description, enumNames } = decisionOf(form);
    expect(title).toBe(sentences.form.broadcast);
    expect(description).toBe(`SOON · ${sentences.form.holds(sentences.pii.kinds.email)}`);
    expect(enumNames).toEqual([sentences.form.acceptTo("example.org"), sentences.form.edit, sentences.form.reject]);
  });

  const NETWORKS = [SANDBOX, PRODUCTION].map((origin) => hostLabel(origin, sentences));
  const TEXTS = { en: [40, 120, 200], zh: [40, 107] }[lang].map((length) => WORDS[lang].slice(0, length));
  const FATES = [sentences.form.decideBy("14:05:09"), sentences.form.autoAt("14:05:09")];

  it.each(NETWORKS)("asks about texts of the usual lengths on a network that setup offers: %s", (host) => {
    for (const decideBy of FATES)
      for (const text of [...TEXTS, `13800138000 ${TEXTS[0]}`, `lin@example.org ${TEXTS[0]}`]) {
        const form = pauseForm(text, sentences, { decideBy, host }, MIN_FORM);
        expect(form, text).toMatchObject({ message: text });
        expect(decisionOf(form).description).toContain(decideBy);
        expect((decisionOf(form).enumNames as string[])[0]).toContain(host);
      }
    for (const kind of ["send", "stop"] as const)
      expect(permissionForm(kind, `13800138000 ${TEXTS[0]}`, sentences, { host }, MIN_FORM)).toBeDefined();
  });

  it.each([
    ["a text of five rows", "很长的需求，".repeat(25), {}],
    ["a line break", "A designer.\nSoon.", {}],
    ["a host that does not fit beside it", "A designer", { host: `${"name.".repeat(12)}example` }],
    ["a host with a line break", "A designer", { host: "a\nb" }],
    [
      "personal data of many kinds",
      "13800138000, lin@example.org, 微信号: lin_wei_88, 身份证 11010519491231002X",
      { decideBy: sentences.form.decideBy("14:05:09"), host: "127.0.0.1:8080" },
    ],
  ])("there is none about %s", (_, text, beside) => {
    expect(pauseForm(text, sentences, beside, MIN_FORM)).toBeUndefined();
    expect(permissionForm("send", text, sentences, beside, MIN_FORM)).toBeUndefined();
  });

  it("a question about a page says what, how it begins, whose, where to, until when", () => {
    const long = `很长的需求，lin@example.org，${"再说一遍。".repeat(300)}`;
    const rows = pageMessage(
      long,
      sentences,
      { decideBy: "SOON", host: `${"name.".repeat(30)}example` },
      sentences.author.ai,
    ).split("\n");
    expect(rows).toHaveLength(MIN_FORM.pageRows);
    expect(rows[0]?.startsWith(sentences.form.broadcast)).toBe(true);
    expect(rows[0]).toMatch(/“很长的需求，.*…$/);
    expect(rows[1]).toContain(sentences.author.ai);
    expect(rows[1]).toContain(sentences.pageQuestion.holds);
    expect(rows[2]).toMatch(/name\..*…$/);
    expect(rows[3]).toBe("SOON");
  });

  it.each(NETWORKS)("where no browser can be opened, it says how in a terminal too, and cuts nothing: %s", (host) => {
    const { pageQuestion, form, author } = sentences;
    for (const [text, named, by, isUnchanged] of [
      ["A designer", pageQuestion.added(100), pageQuestion.added(100), false],
      ["A designer", author.ai, author.ai, false],
      ["A designer", pageQuestion.unchanged, author.ai, true],
      ["13800138000", pageQuestion.holds, author.network, false],
    ] as const)
      for (const decideBy of [form.decideBy("14:05:09"), form.autoAt("14:05:09"), form.passed]) {
        const beside = { decideBy, host, terminal: "IN A TERMINAL", isUnchanged };
        const rows = pageMessage(text, sentences, beside, by).split("\n");
        expect(rows.slice(1)).toEqual([`${named} · ${decideBy}`, pageQuestion.toHost(host), "IN A TERMINAL"]);
      }
  });
});

it.each([
  [undefined, undefined],
  [null, undefined],
  ["accept", undefined],
  [{}, undefined],
  [{ decision: "yes" }, undefined],
  [{ decision: ["accept"] }, undefined],
  [{ decision: "accept" }, "accept"],
  [{ decision: "accept", confirmed_text: "yes" }, "accept"],
  [{ decision: "edit", confirmed_text: 5, more: 1 }, "edit"],
])("the answer %j reads as %j", (content, read) => {
  expect(readDecision(content)).toEqual(read);
});

it.each([
  [undefined, undefined],
  [{ decision: "accept" }, undefined],
  [{ confirmed_text: 5 }, undefined],
  [{ confirmed_text: "x", more: 1 }, "x"],
])("the text typed in %j reads as %j", (content, read) => {
  expect(readOwnText(content)).toEqual(read);
});
