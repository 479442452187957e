// What a person does with negotiations: look, decide, stop.
import { Option } from "commander";
import { wholeNumber } from "./arguments.ts";
import { type Declare, langOption } from "./declare-settings.ts";

export const declareNegotiations: Declare = (program, { io, root, texts }) => {
  const { list, scenes, watch, open, confirm, reviews, cancel, setting, json } = texts;
  program
    .command("list")
    .description(list.about)
    .addOption(new Option("-n, --lines <count>", list.lines).argParser(wholeNumber(1, texts)).default(10))
    .option("--json", json)
    .examples(list.examples)
    .action(async (options: { lines: number; json?: boolean }) => {
      const { list } = await import("./list.ts");
      await list({ io, root, ...options });
    });

  program
    .command("scenes")
    .description(scenes.about)
    .option("--status <status>", scenes.status)
    .option("--json", json)
    .examples(scenes.examples)
    .action(async (options: { status?: string; json?: boolean }) => {
      const { scenes } = await import("./scenes.ts");
      await scenes({ io, root, ...options });
    });

  program
    .command("watch")
    .argument("[id]", watch.id)
    .description(watch.about)
    .option("--plain", watch.plain)
    .addOption(new Option("--json", watch.json).conflicts("plain"))
    .addOption(langOption(setting.lang))
    .examples(watch.examples)
    .action(async (id: string | undefined, options: { plain?: boolean; json?: boolean; lang?: "zh" | "en" }) => {
      const { watch } = await import("./watch.ts");
      await watch({ io, root, id, ...options });
    });

  program
    .command("open")
    .argument("[id]", open.id)
    .description(open.about)
    .option("--port <port>", open.port, "0")
    .option("--no-open", open.noOpen)
    .option("--agent", open.agent)
    .option("--backend-url <url>", setting.backendUrl)
    .addOption(langOption(setting.lang))
    .examples(open.examples)
    .action(async (id: string | undefined, options) => {
      const { open } = await import("./open.ts");
      await open({ io, root, id, ...options });
    });

  program
    .command("confirm")
    .argument("[id]", confirm.id)
    .description(confirm.about)
    .examples(confirm.examples)
    .action(async (id?: string) => {
      const { confirm } = await import("./confirm.ts");
      await confirm({ io, root, id });
    });

  program
    .command("reviews")
    .argument("[id]", reviews.id)
    .description(reviews.about)
    .option("--json", reviews.json)
    .examples(reviews.examples)
    .action(async (id: string | undefined, options: { json?: boolean }) => {
      const { reviews } = await import("./reviews.ts");
      await reviews({ io, root, id, ...options });
    });

  program
    .command("cancel")
    .argument("[id]", cancel.id)
    .description(cancel.about)
    .option("-y, --yes", cancel.yes)
    .examples(cancel.examples)
    .action(async (id: string | undefined, options: { yes?: boolean }) => {
      const { cancel } = await import("./cancel.ts");
      await cancel({ io, root, id, ...options });
    });
};
