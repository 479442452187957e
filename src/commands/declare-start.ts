// `towow-mcp setup`, `demo` and `doctor`: what one begins with.
import { Option } from "commander";
import { type Declare, langOption, modeOption } from "./declare-settings.ts";

const CLIENTS = "claude-code, claude-desktop, codex, cursor, vscode, gemini, opencode";

export const declareStart: Declare = (program, { env, root, texts }) => {
  const { setup, demo, doctor, setting, json } = texts;
  program
    .command("setup")
    .argument("[clients...]", setup.clients)
    .description(setup.about)
    .addOption(new Option("--scope <scope>", setup.scope).choices(["user", "project"]).default("user"))
    .option("--remove", setup.remove)
    .option("--print", setup.print)
    .option("-y, --yes", setup.yes)
    .option("--force", setup.force)
    .option("--backend-url <url>", setup.backendUrl)
    .addOption(modeOption(setup.mode))
    .addOption(langOption(setup.lang))
    .note(setup.clientNames(CLIENTS))
    .examples(setup.examples)
    .action(async (clients: string[], options) => {
      const { setup } = await import("./setup.ts");
      await setup({ env, root, clients, ...options });
    });

  program
    .command("demo")
    .description(demo.about)
    .option("--yes", demo.yes)
    .addOption(langOption(setting.lang))
    .examples(demo.examples)
    .action(async (options) => {
      const { demo } = await import("./demo.ts");
      await demo({ env, root, ...options });
    });

  program
    .command("doctor")
    .description(doctor.about)
    .option("--json", json)
    .examples(doctor.examples)
    .action(async (options: { json?: boolean }) => {
      const [{ doctor }, { clientEntries }] = await Promise.all([
        import("./doctor.ts"),
        import("./doctor/client-entries.ts"),
      ]);
      await doctor({ env, root, clientEntries, ...options });
    });
};
