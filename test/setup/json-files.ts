import fc from "fast-check";

// Files as people write them: comments and white space anywhere, trailing commas, several indentations.
const gap = fc
  .array(fc.constantFrom("", " ", "\n", "\n  ", "\t", "\r\n", "/* c */", "// c\n", "\r", "// c\r", "/* a\nb */"), {
    maxLength: 3,
  })
  .map((parts) => parts.join(""));
const scalar = fc.oneof(
  fc.constantFrom("true", "null", "1.50", '"// no comment"', '"/*"', '"}"', '"\\""'),
  fc.string().map((s) => JSON.stringify(s)),
);
const name = fc.string({ maxLength: 6 }).filter((s) => !["towow", "mcpServers", "__proto__"].includes(s));
const objectOf = (value: fc.Arbitrary<string>, extra: fc.Arbitrary<string[]> = fc.constant<string[]>([])) =>
  fc
    .tuple(
      fc.uniqueArray(name, { maxLength: 3 }),
      fc.array(fc.tuple(gap, gap, gap, value), { minLength: 3, maxLength: 3 }),
      extra,
      gap,
      fc.boolean(),
    )
    .map(([names, parts, more, end, trailing]) => {
      const members = names.map((n, i) => {
        const [a, b, c, v] = parts[i]!;
        return `${a}${JSON.stringify(n)}${b}:${c}${v}`;
      });
      const all = [...members, ...more];
      return `{${all.join(",")}${all.length > 0 && trailing ? "," : ""}${end}}`;
    });
const inner = objectOf(scalar);
const servers = objectOf(fc.oneof(scalar, inner));
const root = objectOf(
  fc.oneof(scalar, inner),
  fc.oneof(
    fc.constant<string[]>([]),
    fc.tuple(gap, gap, servers).map(([a, b, s]) => [`${a}"mcpServers":${b}${s}`]),
  ),
);

/** A client's settings with comments, with or without `mcpServers`. */
export const jsonFile = fc.tuple(gap, root, gap).map((parts) => parts.join(""));
