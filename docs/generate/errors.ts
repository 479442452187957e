import { readdirSync, readFileSync } from "node:fs";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { ERROR_CODES, type ErrorCode } from "../../src/result/tool-error.ts";
import { textsOf } from "../../src/text/index.ts";
import { code, NOTE, ROOT } from "./markdown.ts";

const ERRORS_INTRODUCTION = `Every failure of a tool carries one of these codes, \`tool.<scope>.<category>.<reason>\`. They are stable: a code keeps
its meaning. Each has a section with what happened and what to do, in English and in Chinese; a word in braces stands for a
value. *Leads to* names the tools to go on with; a result's \`next_steps\` has only those that the current mode lists. At a
terminal, in the room and at an endpoint some sentences differ, to name what can be done there. By symptom:
[troubleshooting.md](troubleshooting.md).

工具的每次失败都带有其中一个错误码，含义不会改变。每个错误码一节：先说发生了什么，再说怎么办，均为中英文；花括号里的词会换成实际的值。
按现象查找：[troubleshooting.zh.md](troubleshooting.zh.md)。`;
/** What a program calls arguments is to a reader the rest of a command. */
const readable = (sentence: string): string => sentence.replace("towow-mcp {args}", "towow-mcp {command}");

const RETRY = { no: "no", yes: "yes", if_idempotent: "only tools that read, or that may be repeated" } as const;

/** The test files in which a code stands; those of `test/agent` make their errors by hand and do not count. */
function testsOf(): Map<string, string[]> {
  const names = readdirSync(new URL("test/", ROOT), { recursive: true, encoding: "utf8" }).sort(byCodeUnits);
  const files = names.filter((name) => name.endsWith(".test.ts") && !name.startsWith("agent/"));
  const found = new Map<string, string[]>();
  for (const file of files) {
    const text = readFileSync(new URL(`test/${file}`, ROOT), "utf8");
    for (const [it] of text.matchAll(/tool(?:\.[a-z_]+){3}/g))
      if (!found.get(it)?.includes(file)) found.set(it, [...(found.get(it) ?? []), file]);
  }
  return found;
}

export function errorsPage(): string {
  const tests = testsOf();
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];
  const sections = codes.map((name) => {
    const { retry, next } = ERROR_CODES[name];
    const [en, zh] = [textsOf("en").errors[name], textsOf("zh").errors[name]];
    const files = tests.get(name) ?? [];
    return [
      `## ${code(name)}`,
      "",
      `- ${en.message}`,
      `- ${zh.message}`,
      `- What to do: ${readable(en.recovery)}`,
      `- 怎么办：${readable(zh.recovery)}`,
      ...(en.recoveryOfWrite === undefined ? [] : [`- After a call that may have written: ${en.recoveryOfWrite}`]),
      ...(zh.recoveryOfWrite === undefined ? [] : [`- 调用可能已写入时：${zh.recoveryOfWrite}`]),
      ...(en.recoveryOnPage === undefined ? [] : [`- With a page open: ${en.recoveryOnPage}`]),
      ...(zh.recoveryOnPage === undefined ? [] : [`- 页面已打开时：${zh.recoveryOnPage}`]),
      `- Trying again: ${RETRY[retry]}`,
      ...(next.length > 0 ? [`- Leads to: ${next.map(code).join(", ")}`] : []),
      `- Tested in: ${files.map((file) => code(`test/${file}`)).join(", ") || "nothing"}`,
    ].join("\n");
  });
  return `${["# Error codes", NOTE, ERRORS_INTRODUCTION, ...sections].join("\n\n")}\n`;
}
