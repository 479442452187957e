import { describe, expect, it } from "vitest";
import { admit, type Came, type Visitor, Visits } from "../../src/ask/page/visitor.ts";
import { BROWSER_PROOFS } from "../../src/question/who.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";

const CAME: Came[] = ["window", "client", "result"];
const BOTH = [false, true];
/** Every visitor there can be: only one who opened a page has a cookie that proves something there. */
const VISITORS: Visitor[] = CAME.flatMap((came) =>
  BOTH.flatMap((hasWindow) =>
    BOTH.flatMap((opens) =>
      BOTH.flatMap((isKnown) =>
        BOTH.flatMap((mustSignIn) =>
          BOTH.flatMap((isAnother) =>
            [undefined, ...BROWSER_PROOFS].flatMap((proved) =>
              (proved === undefined ? BOTH : [true]).map((isOpened) => ({
                ...{ came, hasWindow, opens, isKnown, mustSignIn, isAnother, proved, isOpened },
              })),
            ),
          ),
        ),
      ),
    ),
  ),
);

/** What must be, written once more by hand. */
function expected(visitor: Visitor, isStrict: boolean): string {
  const { came, hasWindow, opens, isKnown, mustSignIn, isAnother, proved, isOpened } = visitor;
  if (isKnown) return "admitted known";
  if (mustSignIn) return isAnother ? "others" : "unproven";
  if (proved !== undefined) return proved === "elicited" && isStrict ? "unproven" : `admitted ${proved}`;
  if (isOpened) return "elsewhere";
  if (!opens) return "unproven";
  if (came === "window") return "admitted own_window";
  return came === "client" && !hasWindow && !isStrict ? "admitted elicited" : "unproven";
}

it.each(BOTH)("who is admitted to a page, strict: %s", (isStrict) => {
  for (const visitor of VISITORS) {
    const admission = admit(visitor, isStrict);
    const { kind } = admission;
    const said = kind === "admitted" ? `${kind} ${admission.proof}` : kind;
    expect(said, JSON.stringify(visitor)).toBe(expected(visitor, isStrict));
    const opensNow = kind === "admitted" && !visitor.isKnown && visitor.proved === undefined;
    expect(kind === "admitted" && admission.isFirst, JSON.stringify(visitor)).toBe(opensNow);
  }
});

describe("a visit", () => {
  function opened() {
    const clock = new ManualClock();
    let ids = 0;
    const visits = new Visits<{ name: string }>(platformWith(clock, { newId: () => `id${ids++}` }));
    const place = { name: "a page" };
    return { clock, visits, place, cookie: visits.open(place, "own_window") };
  }

  it("is of one browser and one place: nobody opens that again, and no other cookie leads there", () => {
    const { visits, place, cookie } = opened();
    expect(visits.of(cookie)).toMatchObject({ place, proof: "own_window" });
    expect(visits.isOpened(place)).toBe(true);
    expect(() => visits.open(place, "elicited")).toThrow();
    expect([undefined, "", "id0", `${cookie}x`].map((guess) => visits.of(guess))).toEqual(Array(4).fill(undefined));
    const other = { name: "another" };
    expect(visits.isOpened(other)).toBe(false);
    expect(visits.of(visits.open(other, "elicited"))?.place).toBe(other);
  });

  it("ends after a week without its browser, and with its place, which stays opened", async () => {
    const { clock, visits, place, cookie } = opened();
    const week = 7 * 24 * 3_600_000;
    await clock.advance(week);
    expect(visits.of(cookie)).toBeDefined();
    await clock.advance(week + 1);
    expect(visits.of(cookie)).toBeUndefined();
    const other = { name: "another" };
    const second = visits.open(other, "own_window");
    visits.close(other);
    expect(visits.of(second)).toBeUndefined();
    expect([place, other].map((it) => visits.isOpened(it))).toEqual([true, true]);
  });
});
