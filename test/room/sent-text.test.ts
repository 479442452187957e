import { expect, it } from "vitest";
import { toSheet } from "./world.ts";

it("a changed text is never shown as broadcast in the network's words, from the yes to the plan", async () => {
  const { room: opened } = await toSheet();
  const text = `${opened.room.state.demand?.negotiation?.demand_formulated} Mornings only.`;
  await opened.call("edit");
  await opened.call("setField", { fieldId: "text", value: text });
  const before = opened.updates.length;
  await opened.press("broadcast");
  await opened.until(() => opened.stage() === "done");
  const sent = opened.updates
    .slice(before)
    .flatMap(({ uiSpec }) => uiSpec.sections)
    .filter((section) => section.kind === "quote")
    .filter(({ id }) => id === "sent");
  expect(sent.length).toBeGreaterThan(0);
  for (const section of sent) {
    expect(section.heading).toBe("The text you broadcast");
    expect(section.passages.map((passage) => passage.text).join("")).toBe(text);
  }
});
