import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Fault } from "../../mock-backend/main.ts";
import { confirms } from "../support/backend.ts";
import { openedRoom, toSheet, windowOn } from "../support/open-room.ts";
import { inChromium, picture } from "../support/room-browser.ts";

const GONE: Fault = { route: "get", kind: "drop_before", times: 1_000 };
const note = (page: Page) => page.locator(".note.error");
const broadcast = (page: Page) => page.locator("button[value^=broadcast]:enabled");

inChromium("a room that is interrupted", { timeout: 60_000 }, (browser) => {
  it("the backend goes while agents answer: said, still said after a reload, and the plan comes by itself", async () => {
    const { mock, address } = await openedRoom();
    mock.engine.offerWith(() => "hang");
    const { page, complaints } = await windowOn(browser(), address);
    await toSheet(page, { sceneId: mock.sceneId });
    await broadcast(page).click();
    await page.locator(".neg .list li").first().waitFor();
    mock.faults.add(GONE);
    await note(page).waitFor({ timeout: 30_000 });
    await picture(page, "interrupted-backend-gone");
    await page.reload();
    expect(await note(page).textContent()).toContain("has not answered since");
    expect(await page.locator(".neg .list li").count()).toBeGreaterThan(0);
    await picture(page, "interrupted-reloaded");
    const [id] = mock.negotiations().map(({ negotiation_id }) => negotiation_id);
    mock.engine.patch(id ?? "", { state: "completed", plan_output: "## Plan\n\nA pilot." } as never);
    mock.faults.clear();
    await page.locator(".prose").waitFor({ timeout: 30_000 });
    expect(await note(page).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("the page is closed at the question and while agents answer: it opens where the demand is by then", async () => {
    const { mock, address } = await openedRoom();
    const { page, context } = await windowOn(browser(), address);
    await toSheet(page, { sceneId: mock.sceneId });
    await page.close();
    const second = await context.newPage();
    await second.goto(address);
    await broadcast(second).click();
    await second.locator(".neg, .prose").first().waitFor();
    await second.close();
    const third = await context.newPage();
    await third.goto(address);
    await third.locator(".plan .prose").waitFor({ timeout: 30_000 });
    expect(confirms(mock)).toHaveLength(1);
  });
});
