import { describe, expect, it } from "vitest";
import { MIN_FORM } from "../../src/ask/form-geometry.ts";
import {
  ownTextForm,
  pageMessage,
  pauseForm,
  permissionForm,
  readDecision,
  readOwnText,
} from "../../src/ask/questions.ts";
import { textsOf } from "../../src/text/index.ts";

describe.each(["en", "zh"] as const)("the form in %s", (lang) => {
  const sentences = textsOf(lang);
  const decisionOf = (form: ReturnType<typeof pauseForm>) =>
    form?.schema.properties.decision as Record<string, unknown>;

  it("shows the text alone; deadline, host and personal data stand in one row beside the choice", () => {
    const form = pauseForm(
      "A designer\u200B, lin@example.org",
      sentences,
      { decideBy: "SOON", host: "example.org" },
      MIN_FORM,
    );
    expect(form?.message).toBe("A designer\\u{200B}, lin@example.org");
    const { description } = decisionOf(form);
    expect(description).toMatch(/^SOON · .*example\.org · /);
    expect(description).toContain(sentences.pii.kinds.email);
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

  it("has one field: which of three, and nothing that looks like an editor", () => {
    const form = pauseForm("text", sentences, {}, MIN_FORM);
    expect(Object.keys(form!.schema.properties)).toEqual(["decision"]);
    expect(form?.schema.required).toEqual(["decision"]);
    expect(decisionOf(form)).toMatchObject({
      enum: ["accept", "edit", "reject"],
      enumNames: [sentences.form.accept, sentences.form.edit, sentences.form.reject],
    });
  });

  it("asks for a text of one's own in a form of its own", () => {
    const { schema } = ownTextForm(sentences);
    expect(Object.keys(schema.properties)).toEqual(["confirmed_text"]);
    expect(schema.required).toEqual(["confirmed_text"]);
  });

  it("a question about a page says what, how it begins, whose, where to, until when", () => {
    const long = `很长的需求，lin@example.org，${"再说一遍。".repeat(300)}`;
    const rows = pageMessage(long, sentences, { decideBy: "SOON", host: `${"name.".repeat(30)}example` }, true).split(
      "\n",
    );
    expect(rows).toHaveLength(MIN_FORM.pageRows);
    expect(rows[0]).toContain(String([...long].length));
    expect(rows[0]).toMatch(/“很长的需求，.*…$/);
    expect(rows[1]).toContain(sentences.pageQuestion.byAi);
    expect(rows[1]).toContain(sentences.pageQuestion.holds);
    expect(rows[2]).toMatch(/name\..*…$/);
    expect(rows[3]).toBe("SOON");
  });

  it("where no browser can be opened, it says how in a terminal too, and leaves nothing out", () => {
    const beside = { decideBy: "SOON", host: "towow.example", terminal: "IN A TERMINAL" };
    const rows = pageMessage("A designer", sentences, beside, false).split("\n");
    expect(rows.slice(2)).toEqual([`SOON · ${sentences.pageQuestion.toHost("towow.example")}`, "IN A TERMINAL"]);
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
