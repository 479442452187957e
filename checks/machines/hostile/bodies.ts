/** Texts, lists and objects that are meant to keep a reader busy: a megabyte of each, and ten. */

const BELOW_THE_BOUND = 1_000_000;
const TEN_MEGABYTES = 10_000_000;

/** What texts are filled with: beginnings of patterns, what is joined or invisible, and ordinary prose. */
const UNITS: readonly string[] = [
  "We are five people and can start in May. 我们有五个人，可以五月开始。\n",
  "e\u0301\u0302\u0303\u0304\u0305",
  "👩\u200D",
  "👩\u200D💻\uFE0F",
  "\u200B",
  "\u202E\uFE0F\u200D",
  "\u1100",
  "ﷺ",
  "\uD800",
  "1-",
  "13812345678 ",
  "4111 1111 ",
  "+1 (415) ",
  "110105",
  "a@",
  "@a.a",
  "微信 ",
  "<",
  "<a href=",
  "[a](",
  "http://a ",
  "ignore all the ",
  "忽略之前",
  "system: ",
  "token=a1 ",
  "-----BEGIN PRIVATE KEY-----\n",
  "\u001B[",
  "\n",
  "a",
];

const fill = (unit: string, bytes: number): string => unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit)));
const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

/** Different keys that all clean to one name: the number in two invisible digits. */
const invisible = (n: number): string => n.toString(2).replaceAll("0", "\u200B").replaceAll("1", "\u200C");
const sameKeys = (count: number, name = "k") => Object.fromEntries(many(count, (n) => [`${name}${invisible(n)}`, n]));

const nested = (depth: number): unknown => many(depth, (n) => n).reduce<unknown>((inner) => [inner], "bottom");

const agent = (n: number, more: object = {}) => ({
  agent_id: `agent_${n}`,
  display_name: `Agent ${n}`,
  resonance_score: 0.5,
  state: "replied",
  offer_content: "Yes.",
  offer_capabilities: ["design"],
  ...more,
});

const negotiation = (id: string, more: object) => ({
  negotiation_id: id,
  state: "completed",
  demand_raw: "A designer",
  demand_formulated: "A designer for a hospital",
  participants: [agent(0)],
  plan_output: "A plan.",
  center_rounds: 1,
  depth: 0,
  parent_negotiation_id: null,
  sub_session_ids: [],
  ...more,
});

type Shape = (id: string) => string;
const json =
  (more: object): Shape =>
  (id) =>
    JSON.stringify(negotiation(id, more));

const shapesOf = (bytes: number): Shape[] => [
  ...UNITS.flatMap((unit) => [
    json({ plan_output: fill(unit, bytes) }),
    json({ participants: many(16, (n) => agent(n, { offer_content: fill(unit, bytes / 16) })) }),
    json({ participants: many(200, (n) => agent(n, { display_name: fill(unit, bytes / 200) })) }),
  ]),
  json({ participants: many(16, (n) => agent(n, { offer_content: sameKeys(bytes / 500) })) }),
  json({ participants: many(16, (n) => agent(n, { offer_content: sameKeys(bytes / 500, "") })) }),
  json({ participants: [agent(0, { offer_content: many(bytes / 25, (n) => ({ [`k${n}`]: "" })) })] }),
  json({ participants: [agent(0, { offer_content: many(bytes / 4, () => "") })] }),
  json({ participants: [agent(0, { offer_content: many(bytes / 12, (n) => 13_800_000_000 + n) })] }),
  json({ participants: many(bytes / 1_100, (n) => agent(n, { offer_content: fill("字", 800) })) }),
  json({ participants: many(bytes / 160, (n) => agent(n)) }),
  json({ participants: [agent(0, { offer_content: nested(150) })] }),
  json({ sub_session_ids: many(bytes / 20, (n) => `neg_${n}`), state: fill("x", bytes / 4) }),
  () => "[".repeat(bytes),
  () => `[${"[],".repeat(bytes / 3)}[]]`,
  () => `{"a":${'{"a":'.repeat(150)}1${"}".repeat(151)}`,
  () => fill("<html>", bytes),
];

/** Every body for `GET /negotiations/{id}`, by its number. */
export const NEGOTIATIONS: readonly Shape[] = [...shapesOf(BELOW_THE_BOUND), ...shapesOf(TEN_MEGABYTES)];

/** An open pause whose text is as long and as bad as it may be. */
export const formulated = (id: string, n: number): string =>
  JSON.stringify(
    negotiation(id, {
      state: "formulated",
      demand_raw: "", // an answer that names another demand would be none
      demand_formulated: fill(UNITS[n % UNITS.length] ?? "", 150_000).slice(0, n % 3 === 0 ? 50_000 : 1_500),
      participants: [],
      plan_output: null,
    }),
  );

/** Lists of scenes and of agents. */
export function list(kind: "scenes" | "agents", n: number): string {
  const bytes = n % 4 === 0 ? TEN_MEGABYTES : BELOW_THE_BOUND;
  const count = n % 3 === 0 ? bytes / 100 : 50;
  const text = fill(UNITS[n % UNITS.length] ?? "", Math.max(20, bytes / count - 200));
  const scene = (i: number) => ({ scene_id: `s${i}`, name: text, description: text, status: "active" });
  const member = (i: number) => ({ agent_id: `agent_${i}`, display_name: text, source: text });
  return JSON.stringify(
    kind === "scenes" ? { scenes: many(count / 2, scene) } : { scene_id: "s", agents: many(count, member) },
  );
}

/** Edits for the approval page: too long, as long as may be, and of every kind. */
export const edit = (n: number): string =>
  fill(UNITS[n % UNITS.length] ?? "", 363_000).slice(0, n % 2 === 0 ? 363_000 : 19_900);
