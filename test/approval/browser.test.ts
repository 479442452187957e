import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { pagesOf } from "../support/pages.ts";
import { createWorld } from "../support/world.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
const TEXT = `${"我们需要一位懂医院信息系统的产品设计师，负责排队预测试点的挂号、分诊与叫号流程。\n".repeat(18)}先做四周试点，再谈长期合作。`;

/** Where to keep pictures for a person to look at; nothing is written without it. */
const PICTURES = process.env.TOWOW_TEST_PICTURES;

describe.skipIf(CHROMIUM === undefined)("the approval page in a real browser (Chromium)", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM as string,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"],
    });
  });
  afterAll(() => browser?.close());

  async function open(lang: "zh" | "en" = "zh", width = 900) {
    const world = await createWorld();
    world.mock.engine.formulateWith(() => TEXT);
    const process = await world.process();
    const demand = await process.call("towow_demand", { intent: "找一位产品设计师" });
    const pages = pagesOf(world, process);
    onTestFinished(() => pages.close());
    const { negotiation_id: negotiationId } = demand.result.data;
    const context = await browser.newContext({ viewport: { width, height: 900 }, javaScriptEnabled: false });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(await pages.open({ negotiationId, host: "towow.example", lang }));
    return { world, page };
  }
  const picture = async (page: { screenshot(o: object): Promise<unknown> }, name: string) => {
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
  };

  it("accept, without JavaScript", async () => {
    const { world, page } = await open();
    expect(await page.locator("#formulated").textContent()).toBe(TEXT);
    await picture(page, "question-zh");
    await page.getByRole("button", { name: "接受" }).click();
    await page.locator("#message").waitFor();
    await picture(page, "done-zh");
    expect(world.mock.negotiations()[0]?.confirmedText).toBe(TEXT);
  });

  it("edit: the editor holds the text, the difference is shown, then it is sent", async () => {
    const { world, page } = await open("en");
    const editor = page.getByRole("textbox");
    expect(await editor.inputValue()).toBe(TEXT);
    const edited = TEXT.replace("四周", "两周");
    await editor.fill(edited);
    await page.getByRole("button", { name: "Compare" }).click();
    expect(await page.locator("#diff del").allTextContents()).toEqual(["四"]);
    expect(await page.locator("#diff ins").allTextContents()).toEqual(["两"]);
    await picture(page, "preview-en");
    await page.getByRole("button", { name: "Send my text" }).click();
    await page.locator("#message").waitFor();
    expect(world.mock.negotiations()[0]?.confirmedText).toBe(edited);
  });

  it("reject, on a phone", async () => {
    const { world, page } = await open("zh", 390);
    await picture(page, "question-phone");
    await page.getByRole("button", { name: "拒绝" }).click();
    await page.locator("#message").waitFor();
    expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
  });
});
