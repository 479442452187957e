import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { openRelay } from "../support/relay.ts";
import { openRoom } from "../support/room.ts";
import { createWorld } from "../support/world.ts";

const AGENT = fileURLToPath(new URL("../../examples/agent.mjs", import.meta.url));

it("the example agent fills in, proposes and comments; the person sends, decides and reads the plan", async () => {
  const world = await createWorld();
  const process_ = await world.process({ config: { last_scene_id: undefined } });
  const opened = await openRoom(world, process_);
  opened.room.pageOpened();
  const { url, events } = await openRelay(world, opened, process_);
  const agent = spawn(process.execPath, [AGENT, url(), "I need a product designer", "--edit", "Remote is fine."]);
  onTestFinished(() => void agent.kill("SIGKILL"));
  let said = "";
  for (const stream of [agent.stdout, agent.stderr]) stream.on("data", (chunk) => (said += chunk));
  const ended = new Promise((resolve) => agent.once("close", resolve));
  const { room } = opened;

  await expect.poll(opened.stage, { message: said }).toBe("profile");
  await opened.call("setField", { fieldId: "display_name", value: "Lin" });
  await opened.call("setField", { fieldId: "skills", value: "python" });
  await opened.press("next");
  await expect.poll(() => room.state.form.intent).toBe("I need a product designer");
  await opened.press("next");
  await opened.until(() => room.state.demand?.question !== undefined);
  await expect.poll(() => room.state.agent?.proposal?.text).toMatch(/Remote is fine\.$/);
  expect(world.mock.negotiations()[0]).toMatchObject({ confirmCount: 0 });
  await opened.press("useProposal");
  await opened.press("broadcast");
  await opened.until(() => opened.stage() === "done");
  expect(world.mock.negotiations()[0]?.confirmedText).toMatch(/Remote is fine\.$/);
  expect(await ended).toBe(0);
  expect(said).toContain("the session is over; its log is logs/study/");
  expect(events().filter(({ type }) => type === "agent.message").length).toBeGreaterThan(1);
});
