import { expect, it } from "vitest";
import { createKeptSends } from "../../src/home/kept-sends.ts";
import { requests, runningMock } from "../support/backend.ts";
import { CLI, SCRIPT } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";
import { atTerminal } from "../support/terminal.ts";

const BIO = `${"Ten years of calm hospital software. ".repeat(120)}The last words of it.`;

it.skipIf(SCRIPT === undefined)(
  "a profile that was kept is shown whole by the person's command, and sent after their own code alone",
  async () => {
    const mock = await runningMock();
    const home = await temporaryHome();
    const env = { PATH: process.env.PATH ?? "", TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url, TOWOW_LANG: "en" };
    const profile_data = { skills: ["a", "b", "c"], bio: BIO };
    const args = { scene: mock.sceneId, display_name: "Lin", profile_data };
    await createKeptSends(platformWith(new ManualClock(Date.now())), home).put("0123abcd", {
      tool: "towow_join",
      args,
    });
    const sent = () => requests(mock, "POST", /\/agents$/);
    const answered = async (answer: (code: string) => string) => {
      const user = atTerminal([CLI, "call", "towow_join", "@0123abcd"], env);
      await user.sees(/Ten\s+years[\s\S]*The\s+last\s+words\s+of\s+it\.[\s\S]*Type \d{4} to send it/);
      expect(sent()).toHaveLength(0);
      user.types(answer(/Type (\d{4})/.exec(user.screen())?.[1] ?? ""));
      await user.exit;
    };
    await answered(() => "n");
    expect(sent()).toHaveLength(0);
    await answered((code) => code);
    expect(sent()).toHaveLength(1);
    expect(sent()[0]?.body).toMatchObject({ display_name: "Lin", profile_data: { bio: BIO } });
  },
);
