import type { Lang } from "../captures/words.ts";

/** Waits for something to show, keeps what shows, or types (tmux's names; `code`: the one on the screen). */
export type Act =
  | { see: Readonly<Record<Lang, RegExp>> }
  | { keep: string }
  | { type: (on: { code: string }) => string[] };

export interface Shown {
  title: string;
  /** A line for the shell; `$BACKEND` is a mock's address, `$MEMBER_SCENE` the scene that was joined. */
  command: string;
  acts?: readonly Act[];
  /** Others build on it. */
  isNeeded?: true;
}

/** What is asked for and said of oneself, in the person's language; variables of the shell. */
export const INTENTS: Readonly<Record<Lang, Readonly<Record<string, string>>>> = {
  en: {
    DESIGNER: "I need a product designer for clinic queues, reach me at ada@example.com",
    WRITER: "A writer",
    ENGINEER: "An engineer for a triage app",
    ADA: '{"skills":["design","user research"],"bio":"Designer of tools for nurses; ada@example.com"}',
  },
  zh: {
    DESIGNER: "想找懂产品设计和门诊流程的合伙人，一起做一个排队小产品，联系我：ada@example.com",
    WRITER: "找一位撰稿人",
    ENGINEER: "找一位工程师做分诊应用",
    ADA: '{"skills":["产品设计","用户研究"],"bio":"为护士设计工具；ada@example.com"}',
  },
};

const see = (en: RegExp, zh: RegExp = en): Act => ({ see: { en, zh } });
const keep = (what: string): Act => ({ keep: what });
const type = (...keys: string[]): Act => ({ type: () => keys });
const typeCode: Act = { type: ({ code }) => [code, "Enter"] };
const run = (command: string): Shown => ({ title: command, command });
const DECIDE = see(/\[a\]/);
const CODE = see(/Type \d{4}/, /输入 \d{4}/);
const SUBMIT = `TOWOW_ON_UNCONFIRMED=leave towow-mcp call towow_demand scene_id=$MEMBER_SCENE --json`;

/** Before "joined" the home is empty; from then on it is a member's of a scene. */
export const SCREENS: readonly (Shown | "joined")[] = [
  run("towow-mcp"),
  run("towow-mcp list"),
  run("towow-mcp scenes"),
  run("towow-mcp watch"),
  run("towow-mcp confirm"),
  run("towow-mcp report"),
  run("towow-mcp reviews"),
  run("towow-mcp cancel"),
  run("towow-mcp whoami"),
  run("towow-mcp doctor"),
  run("towow-mcp logs"),
  run("towow-mcp forget"),
  run("towow-mcp sandbox"),
  run("towow-mcp call towow_status"),
  run("towow-mcp network < /dev/null"),
  {
    title: "towow-mcp network",
    command: "towow-mcp network",
    acts: [see(/sandbox/, /沙盒/), keep("asks"), type("Down"), keep("chosen"), type("C-c")],
  },
  {
    title: "towow-mcp setup",
    command: "towow-mcp setup",
    acts: [
      see(/Which clients/, /要接入/),
      keep("which clients"),
      type("Enter"),
      see(/Which network/, /使用哪个网络/),
      type("Enter"),
      see(/Write th/, /写入以上/),
      keep("what it would write"),
      type("Enter"),
    ],
  },
  run("towow-mcp setup codex --yes"),
  run("towow-mcp setup nothing"),
  run("towow-mcp setup --print codex"),
  run("towow-mcp setup --remove --yes"),
  run("towow-mcp sandbox --reset"),
  {
    title: "towow-mcp call towow_join, in the sandbox",
    command: `towow-mcp network sandbox; towow-mcp call towow_join scene='Around you' display_name=Ada profile_data="$ADA"`,
    acts: [CODE, keep("asks"), typeCode],
  },
  run("towow-mcp call towow_list_agents 'scene_id=x' --mode developer"),
  run("towow-mcp"),
  "joined",
  run("towow-mcp"),
  run("towow-mcp scenes"),
  run("towow-mcp list"),
  run("towow-mcp whoami"),
  run("towow-mcp call towow_join scene=$MEMBER_SCENE raw_content=hello"),
  {
    title: "towow-mcp call towow_join",
    command: `towow-mcp call towow_join scene=$MEMBER_SCENE display_name=Ada profile_data="$ADA"`,
  },
  {
    title: "towow-mcp call towow_demand",
    command: `towow-mcp call towow_demand scene_id=$MEMBER_SCENE intent="$DESIGNER"`,
    acts: [DECIDE, keep("asks"), type("a", "Enter"), CODE, keep("the code"), typeCode],
    isNeeded: true,
  },
  // Before anything that others wrote has been read: after that nothing is left open.
  { title: "a demand to stop", command: `${SUBMIT} intent="$WRITER"`, isNeeded: true },
  { title: "towow-mcp cancel", command: "towow-mcp cancel", acts: [see(/\[y\/N\]/), keep("asks"), type("Enter")] },
  run("towow-mcp cancel --yes"),
  { title: "a demand that waits", command: `${SUBMIT} intent="$ENGINEER"`, isNeeded: true },
  run("towow-mcp"),
  run("towow-mcp list"),
  run("towow-mcp call towow_status"),
  {
    title: "towow-mcp confirm: left open",
    command: "towow-mcp confirm",
    acts: [DECIDE, keep("asks"), type("Enter")],
  },
  {
    title: "towow-mcp confirm: edited",
    command: `EDITOR="sed -i '1s/^/Now: /'" towow-mcp confirm`,
    acts: [DECIDE, type("e", "Enter"), CODE, keep("the edit"), type("x", "Enter")],
  },
  {
    title: "towow-mcp confirm: a wrong code",
    command: "towow-mcp confirm",
    acts: [DECIDE, type("a", "Enter"), CODE, type("1", "Enter")],
  },
  {
    title: "towow-mcp watch",
    command: "towow-mcp watch",
    acts: [
      see(/c (decide|决定)|^c /m),
      keep("it waits"),
      type("?"),
      keep("help"),
      type("?"),
      type("c"),
      DECIDE,
      type("a", "Enter"),
      CODE,
      typeCode,
    ],
    isNeeded: true,
  },
  run("towow-mcp watch"),
  run("towow-mcp list"),
  run("towow-mcp call towow_status"),
  run("towow-mcp watch neg_5b8cf8d6ab84"),
  run("towow-mcp call towow_status negotiation_id=neg_5b8cf8d6ab84"),
  run("towow-mcp report --format md"),
  run("cd; towow-mcp report --out r.html"),
  {
    title: "towow-mcp reviews: answered",
    command: "towow-mcp reviews",
    acts: [see(/\[f\]/), type("Enter")],
  },
  run("towow-mcp logs"),
  run("towow-mcp doctor"),
  run("towow-mcp config"),
  run("towow-mcp mode"),
  run("towow-mcp network sandbox"),
  run("towow-mcp sandbox"),
  run("towow-mcp network $BACKEND"),
  run("towow-mcp call towow_list_scenes --mode developer"),
  run("towow-mcp call towow_list_agents scene_id=$MEMBER_SCENE --mode developer"),
  {
    title: "towow-mcp open",
    command: "towow-mcp open --no-open",
    acts: [see(/http/), keep("open"), type("C-c")],
  },
  { title: "towow-mcp serve", command: "towow-mcp serve --port 0", acts: [see(/http/), keep("serves"), type("C-c")] },
  { title: "towow-mcp mock", command: "towow-mcp mock --port 0", acts: [see(/http/), keep("runs"), type("C-c")] },
  run("towow-mcp --help"),
  ...[
    ..."setup network sandbox demo doctor list scenes watch open confirm reviews cancel report".split(" "),
    ..."whoami mode config forget logs completion call serve mock".split(" "),
  ].map((name) => run(`towow-mcp ${name} --help`)),
  run("towow-mcp help watch"),
  // Bad input.
  run("towow-mcp lst"),
  run("towow-mcp list --jsn"),
  run("towow-mcp list --lines many"),
  run("towow-mcp list too many words"),
  run("towow-mcp watch neg_000000000000"),
  run("towow-mcp confirm neg_000000000000"),
  run("towow-mcp cancel neg_000000000000 --yes"),
  run("towow-mcp report neg_000000000000"),
  run("towow-mcp open neg_000000000000 --no-open --port x"),
  run("towow-mcp reviews 'C:\\Users\\me'"),
  run("towow-mcp call towow_statu"),
  run("towow-mcp call towow_demand"),
  run("towow-mcp call towow_demand nonsense"),
  run("towow-mcp call towow_status negotiation_id=neg_000000000000"),
  run("towow-mcp call towow_join scene=nowhere raw_content=x"),
  run("towow-mcp config get nonsense"),
  run("towow-mcp config set mode nonsense"),
  run("towow-mcp config set api_token abc"),
  run("towow-mcp config set home 'C:\\Users\\me'"),
  run("towow-mcp network 'C:\\Users\\me'"),
  run("towow-mcp network ftp://x"),
  run("towow-mcp mode nonsense"),
  run("towow-mcp completion fishy"),
  run("towow-mcp serve --port 99999999"),
  run("towow-mcp --lang fr"),
  // Errors with a code, as a person meets them.
  ...[
    "call towow_status nonsense=1",
    'call towow_demand intent=""',
    "call towow_demand intent=\"$(head -c 30000 /dev/zero | tr '\\0' a)\"",
    'call towow_join scene=$MEMBER_SCENE display_name=Ada profile_data=\'{"skills":"design"}\'',
    'call towow_status negotiation_id="neg 1"',
    "call towow_join scene=$MEMBER_SCENE",
    "call towow_demand scene_id=scene_000000000000 intent=x",
    "call towow_confirm negotiation_id=neg_5b8cf8d6ab84 --mode developer",
    "call towow_demand negotiation_id=neg_5b8cf8d6ab84 decision=accept",
    "call towow_confirm negotiation_id=neg_5b8cf8d6ab84",
    "call towow_set_mode mode=developer --mode normal",
    "call towow_demand intent=x --profile dry_run",
    "call towow_demand intent=x --profile read_only",
    "call towow_list_scenes cursor=nonsense --mode developer",
    "setup claude-desktop --scope project --yes",
    "network http://towow.example",
    "serve --public-url nonsense",
    "serve --store nonsense",
    "serve --port 0 --backend-url sandbox",
  ].map((words) => run(`towow-mcp ${words}`)),
  {
    title: "towow-mcp call towow_action: an action that does not exist",
    command: "towow-mcp call towow_action negotiation_id=neg_5b8cf8d6ab84 action=pause --mode developer",
    acts: [CODE, keep("asks"), typeCode],
  },
  run("TOWOW_HOME=here towow-mcp whoami"),
  run(
    "TOWOW_PROFILE=offline towow-mcp scenes --status active; TOWOW_PROFILE=offline TOWOW_BACKEND_URL=https://towow.example towow-mcp scenes",
  ),
  run("TOWOW_MODE=nonsense towow-mcp list"),
  run("TOWOW_EXCLUDE_TOOLS=towow_nothing towow-mcp call towow_status"),
  run("TOWOW_API_TOKEN=nonsense towow-mcp scenes"),
  run("TOWOW_BACKEND_URL=http://127.0.0.1:9 towow-mcp scenes"),
  run("TOWOW_BACKEND_URL=http://127.0.0.1:1999 towow-mcp scenes"),
  run("TOWOW_BACKEND_URL=http://127.0.0.1:1 towow-mcp scenes"),
  run("TOWOW_BACKEND_URL=http://127.0.0.1:1 towow-mcp list"),
  run("TOWOW_BACKEND_URL=http://127.0.0.1:1 towow-mcp doctor"),
  run("TOWOW_HOME=/proc/nowhere towow-mcp mode developer"),
  run("TOWOW_HOME=/proc/nowhere towow-mcp network sandbox"),
  run("TOWOW_HOME=/sys/nowhere towow-mcp whoami"),
  run("TOWOW_HOME=/sys/nowhere towow-mcp doctor"),
  run("TOWOW_HOME=/sys/nowhere towow-mcp mode developer"),
  run("TOWOW_HOME=/sys/nowhere towow-mcp call towow_status"),
  run("LANG=C towow-mcp"),
  run("LANG=C towow-mcp list"),
  run("NO_COLOR=1 towow-mcp list"),
  run("TERM=dumb towow-mcp list"),
  run("towow-mcp list | cat"),
  run("towow-mcp doctor | cat"),
  run("towow-mcp scenes | cat"),
  run("towow-mcp whoami | cat"),
  run("towow-mcp confirm < /dev/null"),
  run("towow-mcp cancel < /dev/null"),
  run("towow-mcp setup < /dev/null"),
  run("towow-mcp forget < /dev/null"),
  {
    title: "towow-mcp forget",
    command: "towow-mcp forget",
    acts: [see(/yes/), keep("asks"), type("no", "Enter")],
  },
  run("towow-mcp forget --all --yes --force"),
];
