// The commands that look at and change what this machine keeps: whoami, config, mode, forget, doctor.
import type { Command } from "commander";

type Env = NodeJS.ProcessEnv;

export function declareHome(program: Command, { env, root }: { env: Env; root: URL }): void {
  program
    .command("doctor")
    .description("say what is wrong with this installation, and the command that fixes it; changes nothing")
    .option("--json", "as JSON")
    .action(async (options: { json?: boolean }) => {
      const [{ doctor }, { clientEntries }] = await Promise.all([
        import("./doctor.ts"),
        import("./doctor/client-entries.ts"),
      ]);
      await doctor({ env, root, clientEntries, ...options });
    });

  program
    .command("whoami")
    .description("show who you are to the backend; never the token itself")
    .option("--json", "as JSON")
    .action(async (options: { json?: boolean }) => {
      const { whoami } = await import("./whoami.ts");
      whoami({ env, ...options });
    });

  program
    .command("mode")
    .argument("[mode]", "normal or developer; without it, the mode is shown")
    .description("show or set which tools are listed")
    .option("--json", "as JSON")
    .action(async (wanted: string | undefined, options: { json?: boolean }) => {
      const { mode } = await import("./mode.ts");
      await mode({ env, wanted, ...options });
    });

  program
    .command("forget")
    .description("erase what this machine remembers: the history too, unless it is to be kept; settings stay")
    .option("--history", "ids, times and decisions of your negotiations")
    .option("--identity", "your ids and tokens; the network keeps the old ones")
    .option("--logs", "the log files")
    .option("--all", "all three")
    .option("--yes", "do not ask; needed without a terminal")
    .option("--force", "also while a demand waits for your decision")
    .action(async (options) => {
      const { forget } = await import("./forget.ts");
      await forget({ env, ...options });
    });

  declareConfig(program, env);
}

/** `--json` belongs to `config` as well, which takes it wherever it stands. */
const asJson = (command: Command): boolean => command.optsWithGlobals().json === true;

function declareConfig(program: Command, env: Env): void {
  const config = program
    .command("config")
    .description("show every setting with its value and where it comes from")
    .option("--json", "as JSON")
    .action(async (options: { json?: boolean }) => {
      const { config } = await import("./config.ts");
      config({ env, ...options });
    });

  config
    .command("list")
    .description("the same as config alone")
    .option("--json", "as JSON")
    .action(async (_: unknown, command: Command) => {
      const { config } = await import("./config.ts");
      config({ env, json: asJson(command) });
    });

  config
    .command("get")
    .argument("<key>", "the setting")
    .description("print one value alone; a secret as ***. Exit status 1 if it has none")
    .option("--json", "as JSON")
    .action(async (key: string, _: unknown, command: Command) => {
      const { configGet } = await import("./config.ts");
      configGet({ env, key, json: asJson(command) });
    });

  config
    .command("set")
    .argument("<key>", "the setting")
    .argument("<value>", "its value; - reads it from stdin, which a secret needs")
    .description("write one value into config.json")
    .action(async (key: string, value: string) => {
      const { configSet } = await import("./config/write.ts");
      await configSet({ env, key, value });
    });

  config
    .command("unset")
    .argument("<key>", "the setting")
    .description("take one value out of config.json, so that its default holds")
    .action(async (key: string) => {
      const { configUnset } = await import("./config/write.ts");
      await configUnset({ env, key });
    });
}
