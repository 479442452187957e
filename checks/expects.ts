// A test whose every expect stands in a condition can pass without having looked at anything; and one that says that
// nothing is sent must look before the next act. Run: node checks/expects.ts
// (part of `npm run lint`). What is reached only sometimes is counted: `Reached` in test/support, or `expect.assertions`.
import { readdirSync, readFileSync } from "node:fs";
import { type ParserPlugin, parse } from "@babel/parser";

interface Node {
  type: string;
  loc: { start: { line: number } };
  start: number;
  end: number;
  [field: string]: unknown;
}

const PLUGINS: ParserPlugin[] = ["typescript", "jsx"];
const ASIDE = ["loc", "leadingComments", "trailingComments", "innerComments"];
/** What makes sure that the expects of a test were reached. */
const COUNTS = ["atLeast", "assertions", "hasAssertions"];

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === "string";
const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value : [value]).filter(isNode);
const childrenOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([field, value]) => (ASIDE.includes(field) ? [] : nodesIn(value)));

/** `if (…) return;`: what follows stands in a condition as well. */
const isGuard = ({ type, alternate, consequent }: Node): boolean =>
  type === "IfStatement" && !alternate && nodesIn(consequent).every((one) => /^(?:Return|Continue)/.test(one.type));

/** Each node below, and whether anything decides if it is come to. */
function* walked(node: Node, isConditional = false): Generator<[Node, boolean]> {
  yield [node, isConditional];
  let isLater = isConditional;
  for (const child of childrenOf(node)) {
    const isBranch =
      (node.type === "IfStatement" && child === node.consequent && !node.alternate) ||
      (node.type === "LogicalExpression" && child === node.right);
    yield* walked(child, isLater || isBranch);
    if (node.type === "BlockStatement" && isGuard(child)) isLater = true;
  }
}

const nameOf = (node: Node): unknown => (node.type === "Identifier" ? node.name : undefined);

/** `it(…)`, `it.each(…)(…)`, `test.skipIf(…)(…)`. */
function isTest({ type, callee }: Node): boolean {
  let at: unknown = type === "CallExpression" ? callee : undefined;
  while (isNode(at) && nameOf(at) === undefined) at = at.callee ?? at.object ?? at.tag;
  return isNode(at) && ["it", "test"].includes(String(nameOf(at)));
}

function isEmpty(test: Node): boolean {
  const body = nodesIn(test.arguments).find(({ type }) => /Function/.test(type));
  if (body === undefined) return false;
  const all = [...walked(body)];
  if (all.some(([node]) => COUNTS.includes(String(nameOf(node))))) return false;
  const expects = all.filter(([{ type, callee }]) => type === "CallExpression" && nameOf(callee as Node) === "expect");
  return expects.length > 0 && expects.every(([, isConditional]) => isConditional);
}

/** What a title says that must be seen before anything else is done. */
const NOTHING =
  /\b(?:nothing (?:is |was )?(?:sent|written|asked)|sends? nothing|(?:not|never) (?:sent|asked|answered)|alone)\b/;
/** Tests in which a person's keys and clicks are pressed. */
const BY_KEYS = /in-browser|^e2e/;
/** What a person does in a page or a terminal. */
const ACTS = ["press", "click", "tap", "dispatchEvent", "insertText"];

const titleOf = (test: Node): string => {
  const [title] = nodesIn(test.arguments);
  return title?.type === "StringLiteral" ? String(title.value) : "";
};

/**
 * The same act twice with no expectation between: of a test that says that the first one sends nothing, what the second
 * one sends would hide that it did. The line of the second.
 */
function hidden(test: Node, text: string): number | undefined {
  if (!NOTHING.test(titleOf(test))) return undefined;
  let last: string | undefined;
  for (const [node] of walked(test)) {
    if (node.type !== "CallExpression") continue;
    const callee = node.callee as Node;
    if (nameOf(callee) === "expect" || nameOf((callee.object ?? {}) as Node) === "expect") last = undefined;
    if (!ACTS.includes(String(nameOf((callee.property ?? {}) as Node)))) continue;
    const act = text.slice(node.start, node.end);
    if (act === last) return node.loc.start.line;
    last = act;
  }
  return undefined;
}

const files = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".test.ts"));
const problems = files.flatMap((file) => {
  const text = readFileSync(`test/${file}`, "utf8");
  const { program } = parse(text, { sourceType: "module", plugins: PLUGINS });
  const tests = [...walked(program as unknown as Node)].map(([node]) => node).filter(isTest);
  return tests.flatMap((test) => {
    const line = BY_KEYS.test(file) ? hidden(test, text) : undefined;
    return [
      ...(isEmpty(test) ? [`test/${file}:${test.loc.start.line}: each expect of this test stands in a condition`] : []),
      ...(line
        ? [`test/${file}:${line}: what this act sends hides what the same act sent before; expect between them`]
        : []),
    ];
  });
});
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
