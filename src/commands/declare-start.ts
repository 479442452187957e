// With these commands a person sets the program up, tries it and checks it.
import { Option } from "commander";
import { wholeNumber } from "./arguments.ts";
import { type Declare, langOption, modeOption } from "./declare-settings.ts";

/** The sandbox ends after this long without a request. */
const SANDBOX_IDLE_S = 900;
const CLIENTS = "claude-code, claude-desktop, codex, cursor, vscode, gemini, opencode";

export const declareStart: Declare = (program, texts) => {
  const { setup, network, sandbox, demo, doctor, setting, json } = texts;
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
    .addOption(new Option("--sandbox", setup.sandbox).conflicts("backendUrl"))
    .addOption(new Option("--endpoint <url>", setup.endpoint).conflicts(["backendUrl", "sandbox", "mode", "lang"]))
    .addOption(modeOption(setup.mode))
    .addOption(langOption(setup.lang))
    .note(setup.clientNames(CLIENTS))
    .examples(setup.examples)
    .runs(async () => (await import("./setup.ts")).setup);

  program
    .command("network")
    .argument("[address]", network.address)
    .description(network.about)
    .examples(network.examples)
    .runs(async () => (await import("./network.ts")).network);

  program
    .command("sandbox")
    .description(sandbox.about)
    .addOption(new Option("--stop", sandbox.stop).conflicts("reset"))
    .option("--reset", sandbox.reset)
    .option("--json", json)
    .addOption(new Option("--run").hideHelp())
    .addOption(new Option("--idle <seconds>").hideHelp().argParser(wholeNumber(1, texts)).default(SANDBOX_IDLE_S))
    .examples(sandbox.examples)
    .runs(async ({ run: isProcess }: { run?: true }) =>
      isProcess ? (await import("./sandbox/process.ts")).run : (await import("./sandbox.ts")).sandbox,
    );

  program
    .command("demo")
    .description(demo.about)
    .option("--yes", demo.yes)
    .addOption(langOption(setting.lang))
    .examples(demo.examples)
    .runs(async () => (await import("./demo.ts")).demo);

  program
    .command("doctor")
    .description(doctor.about)
    .option("--json", json)
    .examples(doctor.examples)
    .runs(async () => (await import("./doctor.ts")).doctor);
};
