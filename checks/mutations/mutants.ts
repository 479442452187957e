import { type ParserOptions, parse } from "@babel/parser";
import fc from "fast-check";

/** One small change of one file: the text from `start` to `end` (UTF-16 units) becomes `after`. */
export interface Mutant {
  /** By what its line says, so that it is the same one when other lines move. */
  id: string;
  file: string;
  line: number;
  start: number;
  end: number;
  before: string;
  after: string;
  operator: string;
  /** What runs when the change matters: a probe stands before it. */
  probe: { start: number; end: number; statement: boolean };
}

type Change = Pick<Mutant, "start" | "end" | "after" | "operator" | "probe">;
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

const parsed = (file: string, source: string): Node => {
  const plugins: ParserOptions["plugins"] = file.endsWith(".tsx") ? ["typescript", "jsx"] : ["typescript"];
  return parse(source, { sourceType: "module", plugins, createParenthesizedExpressions: true })
    .program as unknown as Node;
};

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** What is in these runs when somebody calls, not when the file is loaded. */
const isCalled = ({ type, static: isStatic }: Node) =>
  /Function|^ObjectMethod$|^Class(?:Private)?Method$/.test(type) ||
  (/^Class.*Property$/.test(type) && isStatic !== true);

/** The values that run when somebody calls, parents first; types, imports and the names of properties are left out. */
function* values(node: Node, called = false): Generator<Node> {
  if (node.type.startsWith("TS") && !TYPED_VALUES.has(node.type)) return;
  if (node.type === "ImportDeclaration") return;
  if (called) yield node;
  for (const [property, value] of Object.entries(node)) {
    if (property === "key" && node.computed !== true) continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) yield* values(child, called || isCalled(node));
  }
}

function changesOf(node: Node, source: string): Change[] {
  const textOf = ({ start, end }: Node) => source.slice(start, end);
  const whole = (operator: string, after: string, of = node): Change => ({
    start: of.start,
    end: of.end,
    after,
    operator,
    probe: { start: of.start, end: of.end, statement: of.type.endsWith("Statement") },
  });
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression": {
      const [before, left, right] = [node.operator as string, node.left as Node, node.right as Node];
      const after = OPERATORS[before];
      if (after === undefined) return [];
      const start = left.end + source.slice(left.end, right.start).indexOf(before);
      return [
        { start, end: start + before.length, after, operator: `${before} → ${after}`, probe: whole("", "").probe },
      ];
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

const shortened = (text: string) => text.replaceAll(/\s+/g, " ").trim().slice(0, 80);

/** Every mutant of one file. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const program = parsed(file, source);
  const lines = source.split("\n");
  const alike = new Map<string, number>();
  return [...values(program)]
    .flatMap((node) => changesOf(node, source))
    .map((change) => {
      const line = source.slice(0, change.start).split("\n").length;
      const before = source.slice(change.start, change.end);
      const name = `${file}: ${lines[line - 1]?.trim()} | ${shortened(before)} → ${shortened(change.after)}`;
      const nth = (alike.get(name) ?? 0) + 1;
      alike.set(name, nth);
      return { id: `${name} #${nth}`, file, line, before, ...change };
    });
}

const isProgram = (file: string, source: string): boolean => {
  try {
    parsed(file, source);
    return true;
  } catch {
    return false; // `a ?? b || c`, for one
  }
};

/** As many of the mutants as asked for, in an order that the seed alone decides. */
export function sample(
  all: readonly Mutant[],
  size: number,
  seed: number,
  sourceOf: (file: string) => string,
): Mutant[] {
  const order = fc.shuffledSubarray([...all], { minLength: all.length, maxLength: all.length });
  const taken: Mutant[] = [];
  for (const mutant of fc.sample(order, { seed, numRuns: 1 })[0] ?? []) {
    if (taken.length === size) break;
    if (isProgram(mutant.file, mutated(sourceOf(mutant.file), mutant))) taken.push(mutant);
  }
  return taken;
}

/**
 * The file's text with the mutant in it.
 * @throws Error when the source is not the one that the mutant was made from
 */
export function mutated(source: string, { start, end, before, after, id }: Mutant): string {
  if (source.slice(start, end) !== before) throw new Error(`${id} is of another source`);
  return source.slice(0, start) + after + source.slice(end);
}

/** The file's text with a note before each of these mutants that its place was run. */
export function probed(source: string, mutants: readonly Mutant[], note: (mutant: Mutant) => string): string {
  const edits = mutants.flatMap((mutant) => {
    const { start, end, statement } = mutant.probe;
    const [open, close] = statement ? [`{${note(mutant)};`, "}"] : [`(${note(mutant)},`, ")"];
    // What ends here comes before what starts here; the outer opens first and closes last.
    return [
      { at: start, rank: 1, inner: -end, text: open },
      { at: end, rank: 0, inner: -start, text: close },
    ];
  });
  edits.sort((a, b) => a.at - b.at || a.rank - b.rank || a.inner - b.inner);
  let [text, from] = ["", 0];
  for (const { at, text: insert } of edits) {
    text += source.slice(from, at) + insert;
    from = at;
  }
  return text + source.slice(from);
}

/** `src/room` of `src/room/page/look.ts`, and `src` of what stands in it. */
export const folderOf = (file: string): string => /^src\/[^/]+(?=\/)/.exec(file)?.[0] ?? "src";
