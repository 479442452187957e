import { remembering } from "../../remember.ts";

/*
 * This file finds text that speaks to a model instead of to a person (agent layer §4). Such text is never dropped,
 * but gets a warning. The warning is not the protection, because no list finds everything. The protection is that
 * text by others is marked as data and that a person decides. Every gap in a pattern is bounded, so that no text is
 * read more than a few dozen times.
 */

const ENGLISH = [
  /\b(?:ignore|disregard|forget|override|bypass|do not follow|don't follow|stop following)\b[^.;\n。；]{0,60}?\b(?:instructions?|prompts?|directives?|guidelines|guardrails|safety rules|system message)/,
  /\b(?:previous|prior|above|earlier) (?:instructions|prompts?) (?:are|is|were) (?:void|cancelled|revoked|wrong|obsolete)/,
  /\byou are now\b|\bfrom now on,? you\b|\bpretend (?:to be|you are)\b|\bdo anything now\b|\bdeveloper mode (?:on|enabled)\b/,
  /\bact as (?:an? |the )?(?:unrestricted |new )?(?:ai|assistant|system|admin|administrator|root|dan|language model)\b/,
  /\b(?:new|updated|real|actual|hidden|system) (?:instructions?|prompt|task|objective)(?: for (?:the )?(?:ai|assistant|model|agent))? ?:/,
  /\b(?:attention|important|note to|message (?:to|for))[ :]{1,3}(?:the |all |any )?(?:ai|llm|language|assistant|agent)s?(?: model| assistant| agent)?s?\b[ ,:!]/,
  /\b(?:call|invoke|execute|run|use) the (?:[\w-]{1,30} )?(?:tool|function|mcp)\b/,
  /\b(?:reveal|show|print|repeat|output|leak|send|tell)\b[^.\n]{0,40}?\b(?:system prompt|hidden prompt|your (?:instructions|prompt|api keys?|credentials|configuration|token))/,
  /\b(?:without|don't|do not|no need to|never) (?:ask|tell|notify|inform|consult|alert)(?:ing)?\b[^.\n]{0,20}?\b(?:user|person|human|owner)/,
  /\b(?:user|human|person|owner) (?:has |have )?already (?:approved|confirmed|agreed|consented|authori[sz]ed)/,
];

const CHINESE = [
  /(?:忽略|忽视|无视|無視|忘记|忘記|忘掉|不要理会|不要遵守|不用管|绕过|繞過|覆盖|抛弃|停止遵循)[^。\n]{0,20}?(?:指令|指示|提示词|提示詞|命令|系统提示|系统设定|规则|規則|安全限制)/,
  /[你您](?:现在|現在|从现在起|从此刻起)(?:是|将扮演|要扮演|必须)|(?:从现在(?:开始|起)|從現在(?:開始|起))[,， ]{0,2}[你您]/,
  /(?:扮演|假装(?:你)?是|伪装成)[^。\n]{0,8}?(?:管理员|系统|开发者|助手|ai|dan|模型)|以(?:管理员|系统|开发者|root)(?:的)?(?:身份|权限|模式)|开发者模式|越狱模式/,
  /^[ \t>#*"'[(（【]{0,8}(?:系统|系統)[\])）】]? ?[:：]|(?:系统|系統)(?:提示词?|提示詞|消息|指令|命令|通知|管理员) ?[:：]|新(?:的)?(?:指令|任务指令|系统提示) ?[:：]/m,
  /(?:调用|調用|执行|執行|运行)[^。\n]{0,12}?(?:工具|函数|函數|以下命令|下列命令|指令)/,
  /(?:泄露|洩露|输出|显示|告诉我|打印|复述|重复|发送)[^。\n]{0,15}?(?:系统提示|提示词|系统指令|密钥|令牌|api ?key)/,
  /(?:不要|无需|無需|不必|不用|别)(?:再)?(?:询问|詢問|告诉|告訴|通知|征求|告知|提醒|请示)[^。\n]{0,8}?(?:用户|用戶|主人|本人|人类)/,
  /[替代帮](?:用户|用戶|主人|他|她)(?:直接|立即|自动)?(?:确认|確認|批准|同意|接受)|(?:用户|用戶|主人)已经?(?:确认|同意|批准|授权)/,
  /(?:致|给|請|请)(?:所有)?(?:ai|人工智能|大?模型|智能体|语言模型)(?:助手)?(?:的)?(?:指令|注意|[:：,，])/,
];

/** Matches what only this server, a chat template or a tool call writes. */
const STRUCTURE = [
  /^[ \t>#*"'[{(-]{0,8}(?:system|assistant|developer|human)(?: (?:message|prompt|note|override|notice))?["'*\])]{0,3} ?[:：]/m,
  /[.!?。！？] {0,2}system ?:/,
  /(?<![a-z0-9])towow_[a-z]{3,}|(?<![a-z0-9])mcp__\w/, // In an id, an underscore may stand before the name.
  /\b(?:resume_with|next_steps|can_retry|confirmation_id|confirmed_text|recovery_suggestion|tainted_paths|decided_by)\b/,
  /"(?:tool_calls?|tool_use|tool_name|function_calls?|tool|function|recipient_name)" ?: ?["{[]|"jsonrpc" ?:|"tools\/call"|"tool_use"/,
  /<\/?(?:untrusted|foreign|system|user|assistant|instructions?|prompt|tool_(?:call|use|result)s?|function_(?:call|result)s?|invoke|thinking)\b/,
  /<\|\w{2,30}\|>|\[\/?inst\]|<<\/?sys>>|<(?:start|end)_of_turn>/,
  /^ {0,3}#{1,6} ?(?:system|new instructions?|instructions?(?: for| to)? (?:the )?(?:ai|assistant|model)|系统|新指令)\b/m,
  /(?:>>>|<<<) ?foreign\b|\b(?:end|begin|start) of (?:the )?(?:untrusted|foreign|user|system|external)\b|(?:不可信|外部)(?:内容|数据|文本)(?:到此)?结束/,
];

/**
 * Matches a letter that every English pattern needs. `HAN` matches a character that every Chinese pattern needs. Most
 * texts need only one of the two lists.
 */
const LATIN = /[a-z]/;
const HAN = /[\u4E00-\u9FFF]/;

const speaksToModels = (read: string): boolean =>
  (LATIN.test(read) && ENGLISH.some((pattern) => pattern.test(read))) ||
  (HAN.test(read) && CHINESE.some((pattern) => pattern.test(read))) ||
  STRUCTURE.some((pattern) => pattern.test(read));

/** Matches ligatures of whole sentences, each of which becomes eighteen letters when it is folded. */
const LONG_FOLDED = /[\uFDFA\uFDFB]/g;

/**
 * Matches what this program's tools do, in the words that people use. In an offer such words may be talk, but in a
 * name or a key they are an order.
 */
const VERB =
  "(?:(?<!cannot )\\b(?:confirm|accept|approve|agree|submit|cancel|withdraw|revoke|abort|terminate|stop|drop|end|broadcast|send|register|join|enrol|enter|sign(?=.{1,16}\\b(?:up|in)\\b)|create|open|make|start(?!-?ups?\\b)|set up|add|put|publish|upload|post|become)(?:l?ed|ing)?\\b|确认|確認|接受|同意|批准|通过|提交|取消|撤回|撤销|终止|中止|停止|停掉|结束|放弃|广播|廣播|注册|註冊|登记|报名|加入|入驻|进入|创建|創建|新建|新开|[建开](?:一?[个個])|发布|發布|上传|传上)";
const OBJECT =
  "(?:\\b(?:demands?|negotiations?|formulations?|texts?|decisions?|pauses?|questions?|pending|waiting|agents?|profiles?|r[eé]sum[eé]s?|scenes?|networks?|rooms?|users?|owner|now|it now|right away|immediately|at once)\\b|scene_|需求|协商|協商|文本|谈判|决定|待确认|场景|場景|档案|简历|资料|智能体|身份|用户|主人)";
const ACTIONS = [
  new RegExp(`${VERB}.{0,40}?${OBJECT}`),
  new RegExp(`${OBJECT}.{0,20}?${VERB}`),
  /\b(?:go ahead|say yes|press|answer|reply|click)\b.{0,20}?\b(?:accept|confirm|approve|agree|yes|to)\b/,
  /(?:请|請|立即|立刻|马上|馬上|务必|直接|回答|回复|默认|[替帮]|点).{0,6}?(?:确认|確認|接受|同意|批准|注册|加入|创建|取消|提交|accept|confirm)/,
];

/** The names of the tools that the engine gives its Center. Some of these names read like orders. */
const ENGINE_WORDS: ReadonlySet<string> = new Set([
  "output_plan",
  "ask_agent",
  "start_discovery",
  "create_sub_demand",
  "create_machine",
]);

/**
 * Returns whether a word is exactly the name of one of the engine's tools. Only such a word is excused, and nothing
 * beside it.
 */
export const isEngineWord = (word: string): boolean => ENGINE_WORDS.has(word);

/** Returns whether a name or a key gives orders to a model, or is an order about what this program does. */
export const isOrder = remembering(
  (name) =>
    // The name is also read with spaces in place of its signs, because the words of an id are joined by signs.
    [...new Set([name, name.replaceAll(/[_.:/-]+/g, " ")])].some((text) => {
      const read = folded(text);
      return speaksToModels(read) || ACTIONS.some((pattern) => pattern.test(read));
    }),
  500,
  200,
);

/** Returns whether a text looks like orders to a model, in Chinese or in English. */
export const looksLikeInstructions = remembering((text) => speaksToModels(folded(text)), 50, 4_000);

function folded(text: string): string {
  // Full-width and styled letters become plain letters, and the brackets that this program makes inert become real
  // ones again.
  return text
    .replace(LONG_FOLDED, " ")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/‹/g, "<")
    .replace(/›/g, ">")
    .replace(/’/g, "'")
    .replace(/[ \t\u00A0]+/g, " ");
}
