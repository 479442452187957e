import { type ParserOptions, parse } from "@babel/parser";
import fc from "fast-check";

/** One small change of one file: the text from `start` to `end` (UTF-16 units) becomes `after`. */
export interface Mutant {
  id: string;
  file: string;
  line: number;
  start: number;
  end: number;
  before: string;
  after: string;
  operator: string;
}

type Change = Pick<Mutant, "start" | "end" | "after" | "operator">;
type Node = { type: string; start: number; end: number; [property: string]: unknown };

const OPERATORS: Record<string, string> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "&&": "||",
  "||": "&&",
  "??": "||",
};
/** What stands around a value and says only its type. */
const TYPED_VALUES = new Set(["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"]);
const PARSER: ParserOptions = { sourceType: "module", plugins: ["typescript"], createParenthesizedExpressions: true };

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** The values of a tree, parents first; types, imports and the names of properties are left out. */
function* values(node: Node): Generator<Node> {
  if (node.type.startsWith("TS") && !TYPED_VALUES.has(node.type)) return;
  if (node.type === "ImportDeclaration") return;
  yield node;
  for (const [property, value] of Object.entries(node)) {
    if (property === "key" && node.computed !== true) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* values(child);
  }
}

function changesOf(node: Node, source: string): Change[] {
  const textOf = ({ start, end }: Node) => source.slice(start, end);
  const whole = (operator: string, after: string, of = node): Change => ({
    start: of.start,
    end: of.end,
    after,
    operator,
  });
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression": {
      const [before, left, right] = [node.operator as string, node.left as Node, node.right as Node];
      const after = OPERATORS[before];
      if (after === undefined) return [];
      const start = left.end + source.slice(left.end, right.start).indexOf(before);
      return [{ start, end: start + before.length, after, operator: `${before} → ${after}` }];
    }
    case "BooleanLiteral":
      return [whole("true ↔ false", String(!node.value))];
    case "NumericLiteral": {
      const value = node.value as number;
      return [...new Set([value + 1, value - 1, value === 0 ? 1 : value * 2])].map((n) => whole("number", `(${n})`));
    }
    case "IfStatement":
    case "ConditionalExpression":
      return [whole("condition negated", `!(${textOf(node.test as Node)})`, node.test as Node)];
    case "UnaryExpression":
      return node.operator === "!" ? [whole("! dropped", `(${textOf(node.argument as Node)})`)] : [];
    case "ReturnStatement":
      return [whole("return dropped", ";")];
    case "ThrowStatement":
      return [whole("throw dropped", ";")];
    case "ExpressionStatement":
      return (node.expression as Node).type === "StringLiteral" ? [] : [whole("statement dropped", ";")];
    case "AwaitExpression":
      return [whole("await dropped", `(${textOf(node.argument as Node)})`)];
    default:
      return [];
  }
}

/** Every mutant of one file. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const program = parse(source, PARSER).program as unknown as Node;
  return [...values(program)]
    .flatMap((node) => changesOf(node, source))
    .map((change) => ({
      id: `${file}:${change.start}-${change.end}:${change.after}`,
      file,
      line: source.slice(0, change.start).split("\n").length,
      before: source.slice(change.start, change.end),
      ...change,
    }));
}

/** As many of the mutants as asked for, in an order that the seed alone decides. */
export function sample(all: readonly Mutant[], size: number, seed: number): Mutant[] {
  const length = Math.min(size, all.length);
  const some = fc.shuffledSubarray([...all], { minLength: length, maxLength: length });
  return fc.sample(some, { seed, numRuns: 1 })[0] ?? [];
}

/**
 * The file's text with the mutant in it.
 * @throws Error when the source is not the one that the mutant was made from
 */
export function mutated(source: string, { start, end, before, after, id }: Mutant): string {
  if (source.slice(start, end) !== before) throw new Error(`${id} is of another source`);
  return source.slice(0, start) + after + source.slice(end);
}
