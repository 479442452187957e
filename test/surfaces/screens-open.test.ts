import { describe, expect, it } from "vitest";
import { textsOf } from "../../src/text/index.ts";
import { expectScreens, LANGS } from "../support/screens.ts";
import { homeWithBackend } from "./home.ts";
import { drawn } from "./surfaces.ts";

/** What is open, on every surface: a difference between two of them is a line in one file. */

describe.each(LANGS)("one negotiation on every surface: %s", (lang) => {
  it("formulating", async () => expectScreens("formulating", lang, await drawn("formulating", lang)));
  it("asking", async () => expectScreens("asking", lang, await drawn("asking", lang)));
  it("tainted", async () => expectScreens("tainted", lang, await drawn("tainted", lang)));
  it("edited by hand", async () => expectScreens("edited-by-hand", lang, await drawn("edited by hand", lang)));
  it("an edit lost with its program", async () =>
    expectScreens("an-edit-lost", lang, await drawn("an edit lost with its program", lang)));
  it("a yes that hangs", async () => expectScreens("a-yes-that-hangs", lang, await drawn("a yes that hangs", lang)));
  it("away after a yes", async () => expectScreens("away-after-a-yes", lang, await drawn("away after a yes", lang)));
  it("left to the backend, others' text read", async () =>
    expectScreens("left-others-read", lang, await drawn("left to the backend, others' text read", lang)));
  it("a no that another program carries out", async () =>
    expectScreens("a-no-carried-out", lang, await drawn("a no that another program carries out", lang)));
  it("a no that hangs", async () => expectScreens("a-no-that-hangs", lang, await drawn("a no that hangs", lang)));
  it("another program's", async () => expectScreens("another-program", lang, await drawn("another program's", lang)));
  it("another person's", async () => expectScreens("another-person", lang, await drawn("another person's", lang)));
});

it.each(LANGS)(
  "a command that ends says that nobody goes on trying, where its program is all that runs: %s",
  async (lang) => {
    const home = await homeWithBackend(lang, {}, { TOWOW_ON_UNCONFIRMED: "leave" });
    await home.piped("call towow_demand intent=Designer");
    const [{ negotiation_id: id } = { negotiation_id: "" }] = home.mock.negotiations();
    for (const route of ["get", "action"] as const)
      home.mock.faults.add({ route, kind: "drop_before", times: Number.POSITIVE_INFINITY });
    const owner = { instance: "killed", pid: 999_999 };
    const decided = { at: home.clock.now(), kind: "accept", by: "page", text_hash: "x", owner };
    await home.facts.create({ origin: home.mock.url, id }, "decided.1", decided);
    const said = await home.piped(`call towow_status negotiation_id=${id}`);
    const { unshown } = textsOf(lang);
    expect(said).toContain(unshown.going(false));
    expect(said).not.toContain(unshown.going(true));
  },
);
