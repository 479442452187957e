// With these commands a person looks at negotiations, decides on them and stops them.
import { Option } from "commander";
import { wholeNumber } from "./arguments.ts";
import { type Declare, langOption } from "./declare-settings.ts";

export const declareNegotiations: Declare = (program, texts) => {
  const { list, scenes, watch, open, confirm, reviews, cancel, setting, json } = texts;
  program
    .command("list")
    .description(list.about)
    .addOption(new Option("-n, --lines <count>", list.lines).argParser(wholeNumber(1, texts)).default(10))
    .option("--json", json)
    .examples(list.examples)
    .runs(async () => (await import("./list.ts")).list);

  program
    .command("scenes")
    .description(scenes.about)
    .option("--status <status>", scenes.status)
    .option("--json", json)
    .examples(scenes.examples)
    .runs(async () => (await import("./scenes.ts")).scenes);

  program
    .command("watch")
    .argument("[id]", watch.id)
    .description(watch.about)
    .option("--plain", watch.plain)
    .addOption(new Option("--json", watch.json).conflicts("plain"))
    .addOption(langOption(setting.lang))
    .examples(watch.examples)
    .runs(async () => (await import("./watch.ts")).watch);

  program
    .command("open")
    .argument("[id]", open.id)
    .description(open.about)
    .option("--port <port>", open.port, "0")
    .option("--no-open", open.noOpen)
    .option("--agent", open.agent)
    .option("--study", open.study)
    .option("--backend-url <url>", setting.backendUrl)
    .addOption(langOption(setting.lang))
    .examples(open.examples)
    .runs(async () => (await import("./open.ts")).open);

  program
    .command("confirm")
    .argument("[id]", confirm.id)
    .description(confirm.about)
    .examples(confirm.examples)
    .runs(async () => (await import("./confirm.ts")).confirm);

  program
    .command("reviews")
    .argument("[id]", reviews.id)
    .description(reviews.about)
    .option("--json", reviews.json)
    .examples(reviews.examples)
    .runs(async () => (await import("./reviews.ts")).reviews);

  program
    .command("cancel")
    .argument("[id]", cancel.id)
    .description(cancel.about)
    .option("-y, --yes", cancel.yes)
    .examples(cancel.examples)
    .runs(async () => (await import("./cancel.ts")).cancel);
};
