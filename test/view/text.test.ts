import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { merged, shareOf } from "../../src/view/authorship.ts";
import { changedText, keptText, listedParts, networksText, versionOf } from "../../src/view/text.ts";

/** One text, computed once: what every surface draws of it. */

const words = fc
  .array(
    fc.constantFrom(
      "we ",
      "need ",
      "designer",
      ", ",
      "。",
      "设计师",
      "需要一位",
      "不要远程",
      " ",
      "\n",
      "call 13800138000",
      "a@example.com ",
      "2",
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(""));
const takenOut = fc.array(fc.constantFrom("1", "2", "3", "p1", "p2"), { maxLength: 4 });

const textOf = (parts: readonly { text: string }[]): string => parts.map(({ text }) => text).join("");

describe("whatever the texts", () => {
  it("the parts are the text, and the share is counted on it and not on its parts", () => {
    fc.assert(
      fc.property(words, words, words, takenOut, (submitted, formulated, edited, out) => {
        const network = networksText(submitted, formulated);
        const kept = keptText(network, out);
        const views = [network, kept, changedText(kept, edited), changedText(network, edited, "agent")];
        expect([network.text, views[2]?.text, views[3]?.text]).toEqual([formulated, edited, edited]);
        for (const view of views) {
          expect(textOf(view.parts)).toBe(view.text);
          expect(view.share).toBe(shareOf(merged(view.parts)));
          expect(view.share).toBeGreaterThanOrEqual(0);
          expect(view.share).toBeLessThanOrEqual(100);
        }
      }),
    );
  });

  it("a version that is kept by its words is the version that was typed", () => {
    fc.assert(
      fc.property(words, words, words, (submitted, formulated, edited) => {
        const network = networksText(submitted, formulated);
        const typed = changedText(network, edited);
        expect(versionOf(network, typed.parts)).toEqual(typed);
      }),
    );
  });

  it("what somebody types where nothing of the network stands any more is never the network's", () => {
    fc.assert(
      fc.property(words, words, words, (submitted, formulated, typed) => {
        const emptied = changedText(networksText(submitted, formulated), "");
        expect(changedText(emptied, typed).parts.some(({ by }) => by === "network" || by === "person")).toBe(false);
      }),
    );
  });
});

const by = (view: { parts: readonly { by: string; text: string }[] }, hand: string): string =>
  textOf(merged(view.parts as never).filter((part) => part.by === hand));

it("the words of a denial that became its opposite are left out, and what stands instead is the network's", () => {
  const view = networksText("找一位设计师。不给股权，也绝不远程。", "找一位设计师。可以远程。");
  expect(view.leftOut).toEqual(["不给股权，也绝不远程。"]);
  expect(by(view, "network")).toBe("可以远程。");
});

it("a word that was put in leaves the words around it whose they were", () => {
  expect(by(networksText("寻找熟悉医院软件的人。", "寻找熟悉医院软件和排队的人。"), "network")).toBe("和排队");
  const network = networksText("", "需要一位设计师，懂医院排队。");
  expect(by(changedText(network, "需要一位资深设计师，懂医院排队。"), "edit")).toBe("资深");
});

it("a sentence that was typed anew is its writer's, though single characters of it stood there before", () => {
  const network = networksText("找设计师。", "我们的团队需要一位熟悉门诊排队流程的产品设计师，在两个月内启动。");
  const typed = "想在杭州的医院里做一个小的试验，请懂的人来。";
  expect(by(changedText(network, typed), "edit")).toBe(typed);
  const english = networksText("A designer.", "We are looking for a designer who knows the queues of a hospital well.");
  const own = "Who has a weekend for the first sketch of it?";
  expect(by(changedText(english, own), "edit")).toBe(own);
});

it("words that were taken out and are typed again are their writer's", () => {
  const network = networksText("A designer for a pilot.", "A designer for a pilot. Remote work is fine with us.");
  const kept = keptText(network, ["1"]);
  expect(kept.text).toBe("A designer for a pilot.");
  const again = changedText(kept, network.text);
  expect([by(again, "network"), by(again, "edit").trim()]).toEqual(["", "Remote work is fine with us."]);
});

it("a list names the additions first, each whole, then personal data", () => {
  const view = networksText("Call me.", "Call me at 13800138000, or write to a@example.com. Remote is fine.");
  expect(listedParts(view).map(({ number, kind, text }) => [number, kind, text.trim()])).toEqual([
    [1, undefined, "at 13800138000, or write to a@example.com."],
    [2, undefined, "Remote is fine."],
    [1, "phone", "13800138000"],
    [2, "email", "a@example.com"],
  ]);
});
