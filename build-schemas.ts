// The SDK makes every schema of a protocol revision with the first message of a session, some seven hundred, and a session
// uses a few. Here its source is rewritten so that each is made when it is first asked for.

/** What makes a revision's schemas, and what sorts those of 2025 by method. */
const TABLES = [/^function build(?:\$1)?\(\) \{\n[\s\S]+?^\}/gm, /^function registryMaps\(\) \{\n[\s\S]+?^\}/gm];

const MADE_LATER = `
const madeLater = (make) => { let made; return () => (made ??= make()); };
const madeByName = (makers) => new Proxy(makers, { get: (all, name) => Object.hasOwn(all, name) ? all[name]() : undefined });
`;

/** The source of one of the SDK's files; unchanged where it has no such tables. */
export function withSchemasWhenAsked(source: string): string {
  let found = 0;
  const rewrite = (table: string) => {
    found++;
    return byName(withLaterConstants(table));
  };
  const written = TABLES.reduce((text, table) => text.replaceAll(table, rewrite), source);
  if (found !== 0 && found !== 3) throw new Error("the SDK makes its schemas in another way by now");
  return found === 0 ? source : `${written}${MADE_LATER}`;
}

/** Each constant of a function's body becomes what makes it, and each use of one a call. */
function withLaterConstants(table: string): string {
  const constant = /^\tconst (\w[\w$]*) = (?!\()([\s\S]+?);(?=\n(?:\t(?:const |function |return |\/\*)|\}))/gm;
  const names = [...table.matchAll(constant)]
    .map(([, name]) => name)
    .filter((name): name is string => name !== undefined && name !== "s");
  if (names.length === 0) return table;
  const use = new RegExp(
    String.raw`(?<![\w$"']|(?<!\.\.)\.|\bconst )(?:${names.map(escaped).join("|")})(?![\w$]|:)`,
    "g",
  );
  return table
    .replaceAll(use, (name) => `${name}()`)
    .replaceAll(constant, (_, name, value) => `\tconst ${name} = madeLater(() => (${value}));`);
}

/** Each member of a table becomes what makes it. */
function byName(table: string): string {
  const isSorted = table.startsWith("function registryMaps");
  const indent = isSorted ? "\t\t\t" : "\t\t";
  const member = new RegExp(
    String.raw`^${indent}("[^"]+"|\w+): ([\s\S]+?)(,?)(?=\n(?:${indent}["\w]|(?![\s\S])))`,
    "gm",
  );
  const object = isSorted
    ? /^\t\t(\w+): \{$([\s\S]+?)^\t\t\}/gm
    : /^(\treturn |\tconst \w+Schemas\w* = madeLater\(\(\) => \()\{$([\s\S]+?)^\t\}/gm;
  return table.replaceAll(object, (_, head, members) => {
    const makers = members
      .replaceAll(member, `${indent}$1: madeLater(() => ($2))$3`)
      .replaceAll(/^(\t\t\w+)\(\)(,?)$/gm, "$1$2");
    return isSorted ? `\t\t${head}: madeByName({${makers}\t\t})` : `${head}madeByName({${makers}\t})`;
  });
}

const escaped = (name: string): string => name.replaceAll("$", String.raw`\$`);
