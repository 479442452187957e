import fc from "fast-check";
import { expect, it } from "vitest";
import { pagesOf } from "../../src/mcp/text-pages.ts";

const text = fc.string({ unit: fc.constantFrom("a", "\n", "漢", "😀", "é"), maxLength: 300 });

it("pages are the text again, none is too long, none cuts a character or a line that it could have kept", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 60 }), (whole, length) => {
      const pages = pagesOf(whole, length);
      expect(pages.join("")).toBe(whole);
      for (const page of pages) {
        expect(page.length).toBeLessThanOrEqual(length);
        expect(page.isWellFormed()).toBe(true);
      }
      for (const page of pages.slice(0, -1)) {
        expect(page).not.toBe("");
        if (page.includes("\n")) expect(page.endsWith("\n")).toBe(true);
      }
    }),
  );
});

it("an empty text is one empty page", () => {
  expect(pagesOf("")).toEqual([""]);
});
