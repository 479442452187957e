import { expect, it } from "vitest";
import { pasteInto, typeInto } from "../support/keys.ts";
import { openedRoom, windowOn } from "../support/open-room.ts";
import { inChromium, picture } from "../support/room-browser.ts";

const GO = ".act .go";

inChromium("texts that a field does not take", (browser) => {
  it("a file that is too large, or no text, is said to be, and nothing that was typed is lost", async () => {
    const { mock, address } = await openedRoom();
    const { page, context } = await windowOn(browser(), address);
    await page.locator(`button[value="next?sceneId=${mock.sceneId}"]`).click();
    const drop = (file: string) =>
      page.evaluate(`{
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(${file});
        const drop = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer });
        document.querySelector("#f-resume").dispatchEvent(drop);
      }`);
    const resume = () => page.locator("#f-resume").inputValue();
    await page.getByText("Copy from a résumé").click();
    await typeInto(page.locator("#f-display_name"), "Lin");
    await drop(`new File(["x".repeat(2_200_000)], "cv.txt")`);
    await page.getByText("That is too large").waitFor();
    await drop(`new File([new Uint8Array([37, 80, 68, 70, 0, 255])], "cv.pdf", { type: "application/pdf" })`);
    await page.getByText("is not a text file").waitFor();
    await drop(`new File([new Uint8Array([37, 80, 68, 70, 0, 255])], "cv")`);
    expect(await resume()).toBe("");
    await drop(`new File(["x".repeat(300_000)], "cv.txt", { type: "text/plain" })`);
    await page.getByText("100,000 characters too long").waitFor();
    await drop(`new File(["eight years of queues"], "cv.md")`);
    await page.locator(`${GO}:enabled`).waitFor();
    const second = await context.newPage(); // shows what the room has
    await second.goto(page.url());
    await expect.poll(() => second.locator("#f-resume").inputValue()).toBe("eight years of queues");
    expect(await second.locator("#f-display_name").inputValue()).toBe("Lin");
  });

  it("a file that is dropped beside its box is neither opened nor taken", async () => {
    const { mock, address } = await openedRoom();
    const { page } = await windowOn(browser(), address);
    const drop = (selector: string, type: string) =>
      page.evaluate(`{
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["eight years of queues"], "cv.txt"));
        const event = new DragEvent("${type}", { bubbles: true, cancelable: true, dataTransfer });
        document.querySelector("${selector}").dispatchEvent(event);
        event.defaultPrevented;
      }`);
    for (const type of ["dragover", "drop"]) expect(await drop("h1", type)).toBe(true);
    await page.locator(`button[value="next?sceneId=${mock.sceneId}"]`).click();
    await page.locator("#f-bio").waitFor();
    for (const type of ["dragover", "drop"]) expect(await drop("#f-bio", type)).toBe(true);
    expect(await page.locator("#f-bio").inputValue()).toBe("");
    expect(await page.locator("#f-resume").inputValue()).toBe("");
  });

  it("what the room refuses as a whole is not sent again for ever", async () => {
    const { mock, address } = await openedRoom();
    const { page } = await windowOn(browser(), address);
    await page.locator(`button[value="next?sceneId=${mock.sceneId}"]`).click();
    await page.getByText("Copy from a résumé").click();
    await page.route("**/act", (route) => {
      const isLarge = (route.request().postData()?.length ?? 0) > 1_000;
      return isLarge ? route.fulfill({ status: 413, body: "Payload Too Large" }) : route.continue();
    });
    await pasteInto(page.locator("#f-resume"), "x".repeat(2_000));
    await page.getByText("That is too large").waitFor();
    await typeInto(page.locator("#f-display_name"), "Lin");
    await page.locator(`${GO}:enabled`).waitFor();
    expect(await page.locator(".note.error").count()).toBe(0);
  });

  it("a demand that is too long stays whole where it was pasted, is said to be, and cannot be sent until it is shorter", async () => {
    const { mock, address } = await openedRoom();
    const { page } = await windowOn(browser(), address);
    await page.locator(`button[value="next?sceneId=${mock.sceneId}"]`).click();
    await typeInto(page.locator("#f-display_name"), "Lin");
    await page.locator(`${GO}:enabled`).click();
    await page.locator("#f-intent").focus();
    await page.keyboard.insertText("汉".repeat(20_005));
    await page.getByText("5 characters too long (limit 20,000).").waitFor();
    expect((await page.locator("#f-intent").inputValue()).length).toBe(20_005);
    await picture(page, "too-long");
    for (let i = 0; i < 5; i++) {
      expect(await page.locator(GO).isDisabled()).toBe(true);
      await page.keyboard.press("Backspace");
    }
    await page.locator(`${GO}:enabled`).waitFor();
    expect(await page.getByText("too long").count()).toBe(0);
    await page.reload();
    await expect.poll(async () => (await page.locator("#f-intent").inputValue()).length).toBe(20_000);
  });
});
