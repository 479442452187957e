import { describe, expect, it } from "vitest";
import { textsOf } from "../../src/text/index.ts";
import { terminalTexts } from "../../src/text/terminal.ts";
import { runningMock } from "../support/backend.ts";
import { CLI, cli, SCRIPT } from "../support/cli.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { atTerminal } from "../support/terminal.ts";

/** A demand that waits for its person, and what their terminals run with. */
async function asked() {
  const mock = await runningMock();
  const env = {
    PATH: process.env.PATH ?? "",
    TOWOW_HOME: await temporaryHome(),
    TOWOW_BACKEND_URL: mock.url,
    TOWOW_LANG: "en",
  };
  const session = await legacyClient({ env });
  await session.call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  return { mock, env };
}

describe.skipIf(SCRIPT === undefined)("a question that stands in two terminals", () => {
  it("ends by itself in one when it was accepted in the other, and says what stands", async () => {
    const { mock, env } = await asked();
    const [first, second] = [atTerminal([CLI, "confirm"], env), atTerminal([CLI, "confirm"], env)];
    await Promise.all([first.sees(/\[a\]ccept/), second.sees(/\[a\]ccept/)]);
    second.types("a");
    second.types(await second.sees(/Type (\d{4})/));
    await second.sees(/on its way/);
    await expect.poll(() => mock.negotiations()[0]?.state).toBe("completed");
    await first.exit;
    // Where it stands when this terminal looks: on its way, before its plan, or with it.
    expect(first.screen()).toMatch(/Confirmed|Encoding|resonat|offer|Center|The plan is ready/);
    expect(first.screen()).toMatch(/The plan is ready|Follow it live: towow-mcp watch/);
    expect(first.screen()).not.toContain(terminalTexts("en").open);
  });

  it("accepted on the network's own page, it ends by itself too", async () => {
    const { mock, env } = await asked();
    const user = atTerminal([CLI, "confirm"], env);
    await user.sees(/\[a\]ccept/);
    const here = `${new URL(mock.url).origin}/mock/negotiations/${mock.negotiations()[0]?.negotiation_id}`;
    const confirmed = await fetch(`${here}/confirm`, {
      method: "POST",
      body: JSON.stringify({ text: "Another text" }),
    });
    expect(confirmed.status).toBe(200);
    await user.exit;
    const said = user.screen().replace(/\s+/g, " ");
    expect(said).toContain(textsOf("en").note.auto_confirmed);
    expect(said).not.toContain(textsOf("en").note.decision_too_late); // they had decided nothing
  });

  it("withdrawn elsewhere while a code is awaited, it ends and says that", async () => {
    const { env } = await asked();
    const user = atTerminal([CLI, "confirm"], env);
    await user.sees(/\[a\]ccept/);
    user.types("a");
    await user.sees(/Type (\d{4})/);
    await cli(["cancel", "--yes"], { env });
    await user.exit;
    // On a busy machine the read before the withdrawal may be too old to show that nobody was asked.
    await user.sees(/was not broadcast|Nobody was asked|no agent was asked|may already have been\s+broadcast/i);
  });
});
