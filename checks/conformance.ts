// The official conformance suite against the running endpoint, in both protocol eras, as a Markdown table: the program as
// it is, and a build of it for the suite alone, which adds the tools, prompts and resources that the suite calls by name
// to the same buildServer. Run: node checks/conformance.ts [--write]; --write puts the table into docs/http.md. It fails
// when a scenario fails that the fixtures should make pass.

import { readFileSync, writeFileSync } from "node:fs";
import { between } from "../docs/generate/markdown.ts";
import { byCodeUnits } from "../src/by-code-units.ts";
import { buildWithFixtures } from "./conformance/build.ts";
import { measured } from "./conformance/measured.ts";
import { ERAS, type Scenario, SUITE } from "./conformance/suite.ts";
import { build, CLI, counted, only, options } from "./harness.ts";

const PAGE = new URL("../docs/http.md", import.meta.url);

const NEEDS_FIXTURES = "calls what only the suite's own test server has";
/** By name, or by the beginning of it: what the program as it is cannot answer. */
const NEEDING_FIXTURES = [
  "completion-complete",
  "logging-set-level",
  "tools-call-",
  "json-schema-2020-12",
  "elicitation-",
  "server-sse-polling",
  "sse-polling",
  "server-stateless",
  "stateless",
  "input-required-result-",
  "resources-read-",
  "resources-templates-read",
  "resources-subscribe",
  "resources-unsubscribe",
  "prompts-get-",
  "tasks-",
  "http-custom-header-server-validation",
];
/** They pass with our answer about a tool that is not there, which says little. */
const PASSES_BY_ITSELF = [
  "tools-call-simple-text",
  "tools-call-error",
  "input-required-result-missing-input-response",
  "input-required-result-ignore-extra-params",
  "input-required-result-validate-input",
];

const passes = ({ failures, isSkipped }: Scenario): boolean => failures.length === 0 && !isSkipped;
const isListed = (list: readonly string[], name: string) =>
  list.some((known) => name === known || (known.endsWith("-") && name.startsWith(known)));

const resultOf = (scenario: Scenario | undefined): string => {
  if (scenario === undefined) return "–";
  const { passed, failures, isSkipped } = scenario;
  if (isSkipped) return "not checked";
  return failures.length === 0 ? `passes (${passed})` : `${passed} of ${passed + failures.length}`;
};

function row(name: string, plain: Scenario[], full: Scenario[]): string {
  const cells = [plain, full].flatMap((some) =>
    ERAS.map((era) => resultOf(some.find((one) => one.name === name && one.era === era))),
  );
  const failing = (some: Scenario[]) => some.some((one) => one.name === name && one.failures.length > 0);
  const why = failing(full)
    ? "**fails**"
    : failing(plain)
      ? isListed(NEEDING_FIXTURES, name)
        ? NEEDS_FIXTURES
        : "**fails**"
      : PASSES_BY_ITSELF.includes(name)
        ? "as it is, the tool is unknown, which says little"
        : full.every((one) => one.name !== name || one.isSkipped)
          ? "the suite does not check it yet"
          : "";
  return `| ${[name, ...cells, why].join(" | ")} |`;
}

build();
await only(async (args) => {
  const plain = await measured(CLI);
  const full = await measured(await buildWithFixtures());
  const count = (some: Scenario[]) => `${some.filter(passes).length} of ${some.length}`;
  const table = [
    `\`${SUITE}\`: as it is, ${count(plain)} scenarios pass; with the suite's fixtures around the same server, ${count(full)}. In brackets: checks.`,
    "",
    `| Scenario | ${ERAS.map((era) => `as it is, ${era}`).join(" | ")} | ${ERAS.map((era) => `with fixtures, ${era}`).join(" | ")} | Remark |`,
    "| --- | --- | --- | --- | --- | --- |",
    ...[...new Set(full.map(({ name }) => name))].sort(byCodeUnits).map((name) => row(name, plain, full)),
  ].join("\n");
  process.stdout.write(`${table}\n`);
  if (options(args, { write: false }).write)
    writeFileSync(PAGE, between(readFileSync(PAGE, "utf8"), "conformance", `\n${table}\n`));

  const failed = [
    ...plain.filter(({ name, failures }) => failures.length > 0 && !isListed(NEEDING_FIXTURES, name)),
    ...full.filter(({ failures }) => failures.length > 0),
  ];
  for (const { name, era, failures } of failed)
    for (const { id, errorMessage } of failures) process.stderr.write(`${era} ${name} ${id}: ${errorMessage}\n`);
  for (const { name, era, warnings } of full)
    for (const { id, errorMessage } of warnings)
      process.stderr.write(`warning: ${era} ${name} ${id}: ${errorMessage}\n`);
  return {
    ok: full.length > 0 && failed.length === 0,
    line: `${count(plain)} scenarios as it is, ${count(full)} with fixtures, ${counted(failed.length, "failure")}`,
  };
});
