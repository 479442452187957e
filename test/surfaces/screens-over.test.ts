import { describe, it } from "vitest";
import { expectScreens, LANGS } from "../support/screens.ts";
import { drawn } from "./surfaces.ts";

/** What is over, on every surface: a difference between two of them is a line in one file. */

describe.each(LANGS)("one negotiation on every surface: %s", (lang) => {
  it("rejected", async () => expectScreens("rejected", lang, await drawn("rejected", lang)));
  it("withdrawn", async () => expectScreens("withdrawn", lang, await drawn("withdrawn", lang)));
  it("left alone", async () => expectScreens("left-alone", lang, await drawn("left alone", lang)));
  it("left to the backend", async () =>
    expectScreens("left-to-the-backend", lang, await drawn("left to the backend", lang)));
  it("a yes that its program took along", async () =>
    expectScreens("a-yes-taken-along", lang, await drawn("a yes that its program took along", lang)));
  it("nobody came", async () => expectScreens("nobody-came", lang, await drawn("nobody came", lang)));
  it("somebody left", async () => expectScreens("somebody-left", lang, await drawn("somebody left", lang)));
  it("own task and a gap", async () =>
    expectScreens("own-task-and-a-gap", lang, await drawn("own task and a gap", lang)));
});
