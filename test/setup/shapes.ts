// Client files as people have them, with what setup changes in one between « and »:
//   «|what setup puts there», which goes again with --remove
//   «what stands there and stays, but for the version», which goes with --remove
//   «before|after setup|after --remove»
// § is the version whose copy an entry names.

export type Shape = readonly [client: string, what: string, file: string];

const COPY = "/home/me/.towow/app/§/dist/cli.js";
const LAUNCH = { command: "/bin/node", args: [COPY] };
const LOCAL = { type: "local", command: ["/bin/node", COPY], enabled: true };

/** An entry as JSON, indented by so many steps. */
const json = (entry: object = LAUNCH, depth = 2, step = "  "): string =>
  JSON.stringify(entry, null, step).replaceAll("\n", `\n${step.repeat(depth)}`);
/** The whole list of servers that setup makes in an empty object. */
const list = (key = "mcpServers", step = "  "): string =>
  `\n${step}"${key}": {\n${step}${step}"towow": ${json(LAUNCH, 2, step)}\n${step}}\n`;
const ARGS = `[ "${COPY}" ]`;
const TABLE = `[mcp_servers.towow]\ncommand = "/bin/node"\nargs = ${ARGS}\n`;
const INLINE = `{ command = "/bin/node", args = ${ARGS} }`;
const crlf = (text: string): string => text.replaceAll("\n", "\r\n");

export const SHAPES: readonly Shape[] = [
  ["cursor", "an empty file", `«|{${list()}}\n»`],
  ["cursor", "an empty line", `\n«|{${list()}}\n»`],
  ["cursor", "an empty object", `{«|${list()}»}`],
  ["cursor", "a BOM and an empty object", `\uFEFF{«|${list()}»}\n`],
  ["cursor", "a BOM and nothing", `\uFEFF«|{${list()}}\n»`],
  ["cursor", "a comment and nothing else", `// nothing yet\n«|{${list()}}\n»`],
  ["cursor", "a comment without an end of line", `/* later */«|\n{${list()}}\n»`],
  ["cursor", "comments, CRLF", crlf(`// a\n/* b */\n«|{${list()}}\n»`)],
  [
    "cursor",
    "tabs, another server",
    `{\n\t"mcpServers": {\n\t\t"other": { "command": "x" }«|,\n\t\t"towow": ${json(LAUNCH, 2, "\t")}»\n\t}\n}\n`,
  ],
  [
    "cursor",
    "four spaces, CRLF, no end of line at the end",
    crlf(
      `{\n    "a" : 1,\n    "mcpServers" : {\n        "other" : {}«|,\n        "towow": ${json(LAUNCH, 2, "    ")}»\n    }\n}`,
    ),
  ],
  ["cursor", "one line", `{"mcpServers":{"other":{"command":"x"}«|, "towow": ${JSON.stringify(LAUNCH)}»}}`],
  [
    "cursor",
    "trailing commas",
    `{\n  "mcpServers": {\n    "other": {\n      "args": ["a",],\n    },«|\n    "towow": ${json()},»\n  },\n}\n`,
  ],
  [
    "cursor",
    "a comment behind the last server, and one below",
    `{\n  "mcpServers": {\n    "other": {}«|,» // mine, not "towow": {}«|\n    "towow": ${json()}»\n    // below\n  }\n}\n`,
  ],
  [
    "cursor",
    "its names in strings",
    `{\n  "note": "\\"mcpServers\\": { \\"towow\\": {} } // }",\n  "mcpServers": {\n    "towow-old": { "args": ["towow"] }«|,\n    "towow": ${json()}»\n  }\n}\n`,
  ],
  [
    "cursor",
    "an older entry between others, with comments",
    `{\n  "mcpServers": {\n    "a": {},« // first\n    "towow": ${JSON.stringify(LAUNCH)}, // ours| // first\n    "towow": ${json()}, // ours| // first\n // ours»\n    "z": {}\n  }\n}\n`,
  ],
  [
    "cursor",
    "an older entry alone, on one line",
    `{"mcpServers":{«"towow":${JSON.stringify(LAUNCH)}|"towow":${json(LAUNCH, 0)}|»},"z":[1,  2]}\n`,
  ],
  [
    "cursor",
    "an older entry, switched off, with a variable of the person's own",
    `{\n\t"mcpServers": {\n\t\t"a": {}«,\n\t\t"towow": ${json({ ...LAUNCH, disabled: true, env: { K: "v" } }, 2, "\t")}»\n\t}\n}\n`,
  ],
  [
    "vscode",
    "inputs with a secret, trailing commas, a comment at the end",
    `{\n  "inputs": [{ "id": "key", "password": true }],\n  "servers": {\n    "git": { "type": "http" },«|\n    "towow": ${json({ type: "stdio", ...LAUNCH })},»\n  },\n}\n// end`,
  ],
  [
    "vscode",
    "another client's list, and none of its own",
    `{\n    // copied\n    "mcpServers": { "towow": { "command": "x" } }«|,\n    "servers": {\n        "towow": ${json({ type: "stdio", ...LAUNCH }, 2, "    ")}\n    }»\n}\n`,
  ],
  [
    "gemini",
    "many settings, and servers that are left out",
    `{\n  "ui": { "theme": "GitHub" },\n  "mcp": { "excluded": ["towow", "a"] },\n  "mcpServers": {\n    "a": { "httpUrl": "https://x.example" }«|,\n    "towow": ${json()}»\n  },\n  "security": { "auth": { "selectedType": "oauth" } }\n}\n`,
  ],
  [
    "gemini",
    "an older entry first, a comment before the next",
    `{\n  "mcpServers": {«\n    "towow": ${json()},»\n    // the next\n    "a": { "trust": false }\n  }\n}\n`,
  ],
  [
    "opencode",
    "a schema, comments, another server switched off",
    `{\n  "$schema": "https://opencode.ai/config.json", // for the editor\n  "mcp": {\n    "a": { "type": "local", "command": ["a"], "enabled": false }«|,» /* off */«|\n    "towow": ${json(LOCAL)}»\n  }\n}\n`,
  ],
  [
    "opencode",
    "an older entry that is switched off",
    `{\n  "mcp": {«\n    "towow": ${json({ ...LOCAL, enabled: false })},»\n    "b": {}\n  }\n}\n`,
  ],
  [
    "claude-desktop",
    "an empty list, no end of line at the end",
    `{\n  "globalShortcut": "Alt+Space",\n  "mcpServers": {«|\n    "towow": ${json()}\n  »}\n}`,
  ],
  [
    "claude-desktop",
    "settings on one line",
    `{"scale":0,"locale":"zh-CN"«|, "mcpServers": ${JSON.stringify({ towow: LAUNCH })}»}\n`,
  ],
  [
    "claude-code",
    "what Claude Code writes, projects behind the servers",
    `{\n  "numStartups": 7,\n  "mcpServers": {\n    "a": {\n      "type": "http"\n    }«|,\n    "towow": ${json({ type: "stdio", ...LAUNCH })}»\n  },\n  "projects": {\n    "/work": {\n      "disabledMcpServers": [\n        "towow"\n      ],\n      "mcpServers": {}\n    }\n  }\n}\n`,
  ],
  [
    "claude-code",
    "an older entry as Claude Code writes it, with what says nothing",
    `{\n  "mcpServers": {\n    "x": {}«,\n    "towow": ${json({ type: "stdio", ...LAUNCH, env: {} })}»\n  },\n  "z": {}\n}`,
  ],
  ["codex", "an empty file", `«|${TABLE}»`],
  ["codex", "a comment without an end of line", `# mine«|\n\n${TABLE}»`],
  ["codex", "settings and another server", `model = "o3" # fast\n\n[mcp_servers.a]\ncommand = "x"\n«|\n${TABLE}»`],
  ["codex", "CRLF", crlf(`model = "o3"\n\n[mcp_servers.a]\ncommand = "x"\n«|\n${TABLE}»`)],
  ["codex", "a BOM", `\uFEFFmodel = "o3"\n«|\n${TABLE}»`],
  ["codex", "its table's name in a text", `notes = """\n[mcp_servers.towow]\n"""\n«|\n${TABLE}»`],
  [
    "codex",
    "the same in literal texts, with quotes and backslashes",
    `a = '''\n[mcp_servers.towow]\n''''\nb = """\\"""\n[mcp_servers.towow]\n"""\n«|\n${TABLE}»`,
  ],
  [
    "codex",
    "the same in a comment and in lists",
    `# [mcp_servers.towow]\na = [\n  "[mcp_servers.towow]", # ]\n  [ '[mcp_servers.towow]' ],\n]\n«|\n${TABLE}»`,
  ],
  ["codex", "another server in dotted keys", `[mcp_servers]\na.command = "x"\na.args = ["y"]\n«|\n${TABLE}»`],
  ["codex", "the same from the top", `mcp_servers.a.command = "x"\nmodel = "o3"\n«|\n${TABLE}»`],
  ["codex", "all servers inline", `mcp_servers = { a = { command = "x" }«|, towow = ${INLINE}» } # all\n`],
  ["codex", "no server, inline", `mcp_servers = «{}|{ towow = ${INLINE} }»\n`],
  [
    "codex",
    "dates, big numbers, lists of tables",
    `d = 1979-05-27 07:32:00Z # then\nn = 9223372036854775807\n[[p]]\na = 1\n«|\n${TABLE}»`,
  ],
  ["codex", "an older entry, last", `# mine\n[a]\nb = 1\n«\n${TABLE}»`],
  [
    "codex",
    "an older entry first, over several lines",
    `«[mcp_servers.towow]\ncommand = "/bin/node" # Node\nargs = [\n  "${COPY}", # the copy\n]|[mcp_servers.towow]\ncommand = "/bin/node" # Node\nargs = ${ARGS}|»«\n»\n[a]\nb = 1\n`,
  ],
  [
    "codex",
    "comments in its table, between it and its sub-table, and behind",
    `a = 1\n«\n[mcp_servers.towow] # ours\ncommand = "/bin/node" # Node\n# the way in\nargs = ${ARGS}\n»\n# variables\n«[mcp_servers.towow.env]\nK = "v"\n»\n# about tools\n[tools]\nx = 1\n`,
  ],
  [
    "codex",
    "a quoted name, and white space in the header",
    `a = 1\n«\n[ mcp_servers . "towow" ]\n  command = "/bin/node"\n  args = ${ARGS} # ours\n»\n[b]\n`,
  ],
  [
    "codex",
    "an older entry that is switched off, between others",
    `[mcp_servers.a]\ncommand = "x"\n«\n[mcp_servers.towow]\nenabled = false\ncommand = "/bin/node"\nargs = ${ARGS}\n»\n[mcp_servers.z]\ncommand = "y"\n`,
  ],
  [
    "codex",
    "an older entry in dotted keys among others'",
    `[mcp_servers]\na.command = "x"\n«towow.command = "/bin/node"\ntowow.args = ${ARGS}\n»z.command = "y"\n`,
  ],
  [
    "codex",
    "an older entry inline in the table of servers",
    `[mcp_servers]\na = { command = "x" }\n«towow = ${INLINE}\n»z = { command = "y" }\n`,
  ],
  [
    "codex",
    "an older entry in servers that are all inline",
    `mcp_servers = { a = { command = "x" }«, towow = ${INLINE}», z = { command = "y" } }\n`,
  ],
  ["codex", "the same, first", `mcp_servers = { «towow = ${INLINE}, »z = { command = "y" } }\n`],
  ["codex", "an older entry beside its name in a text", `t = """\n[mcp_servers.towow]\nargs = []\n"""\n«\n${TABLE}»`],
  ["codex", "an older entry, CRLF, a BOM, no end of line at the end", crlf(`\uFEFFa = 1\n«\n${TABLE.trimEnd()}»`)],
];
