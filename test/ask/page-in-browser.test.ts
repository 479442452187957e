import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Redirects } from "../../src/app/redirect-files.ts";
import { textsOf } from "../../src/text/index.ts";
import { temporaryHome } from "../support/home.ts";
import { typeInto } from "../support/keys.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { pagesOf } from "../support/pages.ts";
import { inChromium, picture, sheetText } from "../support/room-browser.ts";
import { windowOf } from "../support/windows.ts";
import { createWorld } from "../support/world.ts";

const TEXT = `${"我们需要一位懂医院信息系统的产品设计师，负责排队预测试点的挂号、分诊与叫号流程。\n".repeat(18)}先做四周试点，再谈长期合作。`;

inChromium("the approval page in a real browser", {}, (browser) => {
  async function open(
    lang: "zh" | "en" = "zh",
    width = 900,
    {
      lead = async (url: string) => url,
      candidate,
      toChange,
      javaScriptEnabled = false,
    }: {
      lead?: (url: string) => Promise<string>;
      candidate?: string;
      toChange?: true;
      javaScriptEnabled?: boolean;
    } = {},
  ) {
    const world = await createWorld();
    world.mock.engine.formulateWith(() => TEXT);
    const process = await world.process();
    const demand = await process.call("towow_demand", { intent: "找一位产品设计师" });
    const pages = pagesOf(world, process);
    onTestFinished(() => pages.close());
    const { negotiation_id: negotiationId } = demand.result.data;
    const { page } = await windowOf(browser(), { viewport: { width, height: 900 }, javaScriptEnabled });
    const { forClient: url } = await pages.open({ negotiationId, candidate, toChange, lang });
    await page.goto(await lead(url));
    return { world, page, url };
  }

  it("edit: the editor holds the text, the difference is shown, then it is sent", async () => {
    const { world, page } = await open("en");
    await page.getByRole("button", { name: "Change" }).first().click();
    const editor = page.getByRole("textbox");
    expect(await editor.inputValue()).toBe(TEXT);
    const edited = TEXT.replace("四周", "两周");
    await typeInto(editor, edited);
    await page.getByRole("button", { name: "Done" }).first().click();
    expect(await page.locator(".gone-words:not(.left-out) del").allTextContents()).toEqual(["四"]);
    expect(await page.locator(".sheet ins.you").allTextContents()).toEqual(["your change: 两"]);
    await picture(page, "preview-en");
    await page.getByRole("button", { name: "Broadcast my version" }).click();
    await page.getByText("Looking for agents").waitFor();
    expect(world.mock.negotiations()[0]?.confirmedText).toBe(edited);
  });

  it("after “change it first” its editor is open, with a script", async () => {
    const { world, page } = await open("zh", 900, { toChange: true, javaScriptEnabled: true });
    const editor = page.getByRole("textbox");
    expect(await editor.inputValue()).toBe(TEXT);
    const edited = TEXT.replace("四周", "两周");
    await typeInto(editor, edited);
    await page.getByRole("button", { name: "完成" }).first().click();
    await page.getByRole("button", { name: "广播我的版本" }).click();
    await page.getByText("正在寻找 Agent").waitFor();
    expect(world.mock.negotiations()[0]?.confirmedText).toBe(edited);
  });

  it("by way of a redirect file, loaded again, and decided", async () => {
    const home = await temporaryHome();
    const { world, page, url } = await open("en", 900, {
      async lead(url) {
        const deps = { home, clock: new ManualClock(), newId: () => "some-id", texts: () => textsOf("en") };
        return `file://${new Redirects(deps).write(url)}`;
      },
    });
    await page.waitForURL(url);
    expect(await sheetText(page)).toBe(TEXT);
    await page.reload();
    expect(await sheetText(page)).toBe(TEXT);
    await page.getByRole("button", { name: "Broadcast this text" }).click();
    await page.getByText("Looking for agents").waitFor();
    expect(world.mock.negotiations()[0]?.confirmedText).toBe(TEXT);
  });

  it("another page cannot decide, not even in the browser that has it open", async () => {
    const { world, page, url } = await open("en");
    const yes = await page.locator("button[value^=broadcast]").getAttribute("value");
    const file = join(await temporaryHome(), "evil.html");
    await writeFile(
      file,
      `<form method=post action="${url}/act"><button name=do value="${yes}">x</button></form><iframe src="${url}"></iframe>`,
    );
    const evil = await page.context().newPage();
    await evil.goto(`file://${file}`);
    expect(await evil.frameLocator("iframe").locator(".sheet").count()).toBe(0);
    const [answer] = await Promise.all([evil.waitForResponse(`${url}/act`), evil.getByRole("button").click()]);
    expect(answer.status()).toBe(403);
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmCount: 0 });
  });

  it("a text by the AI: whole, with its difference, and sent to the last line break", async () => {
    const candidate = `\n${TEXT.replace("四周", "两周")}\n`;
    const { world, page } = await open("zh", 900, { candidate });
    expect(await sheetText(page)).toBe(candidate);
    expect((await page.locator(".sheet ins.ag").allTextContents()).join()).toContain("两");
    await picture(page, "candidate-zh");
    await page.getByRole("button", { name: "广播这个版本" }).click();
    await page.getByText("正在寻找 Agent").waitFor();
    expect(world.mock.negotiations()[0]?.confirmedText).toBe(candidate);
  });
});
