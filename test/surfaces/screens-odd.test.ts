import { describe, it } from "vitest";
import { expectScreens, LANGS } from "../support/screens.ts";
import { drawn } from "./surfaces.ts";

/** What no surface may fail on, or draw as something else. */

describe.each(LANGS)("one negotiation on every surface: %s", (lang) => {
  it("unknown id", async () => expectScreens("unknown-id", lang, await drawn("unknown id", lang)));
  it("another backend's", async () => expectScreens("another-backend", lang, await drawn("another backend's", lang)));
  it("an empty plan", async () => expectScreens("an-empty-plan", lang, await drawn("an empty plan", lang)));
  it("two thousand agents", async () =>
    expectScreens("two-thousand-agents", lang, await drawn("two thousand agents", lang)));
  it("offers that are no text", async () =>
    expectScreens("offers-that-are-no-text", lang, await drawn("offers that are no text", lang)));
});
