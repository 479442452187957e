import { placesZh } from "../places.ts";
import { byReader, command, say } from "../reader.ts";
import type { ErrorText } from "./error-text.ts";
import type { inputEn } from "./input.en.ts";

export const inputZh: Record<keyof typeof inputEn, ErrorText> = {
  "tool.input.invalid.arguments": {
    message: "参数 {field} 不正确：{problem}。",
    recovery: "改正后再调用。",
  },
  "tool.input.invalid.line": {
    message: "第 {line} 行：{problem}。",
    recovery: "请改正这一行；其余各行照常应答。",
  },
  "tool.input.invalid.argument_missing": {
    message: "缺少必填参数：{fields}。",
    recovery: "补上后再调用。",
  },
  "tool.input.invalid.unknown_argument": {
    message: "这个工具没有参数 {field}。",
    recovery: "去掉它；可用参数：{known}。",
  },
  "tool.input.invalid.unknown_tool": {
    message: "没有名为 {tool} 的工具。",
    recovery: byReader({
      model: "请使用列表中的工具：{known}。",
      person: say`现有工具：{known}。用法见 ${command("call", "--help")}`,
    }),
  },
  "tool.input.invalid.intent_empty": {
    message: "需求内容是空的。",
    recovery: byReader({
      model: "请询问当事人需要什么，用其原话提交。",
      person: say`请写出你的需求，例如：${command("call", "towow_demand", "intent='想找一位设计师'")}`,
      room: "请写出你的需求。",
    }),
  },
  "tool.input.invalid.intent_too_long": {
    message: "需求超过 20,000 字。",
    recovery: "用几句话说明需求本身；背景写进资料。",
  },
  "tool.input.invalid.text_too_long": {
    message: "{field} 的文本过长。",
    recovery: "缩短后再调用。",
  },
  "tool.input.invalid.ill_formed": {
    message: "{field} 的文本里有半个字符（多半是半个表情符号），无法发送。",
    recovery: "去掉这个残缺的字符，或换成完整的，再调用。",
  },
  "tool.input.invalid.skills_not_a_list": {
    message: "skills 必须是短文本列表，否则 Agent 无法被匹配到。",
    recovery: '改为 ["…", "…"] 的形式，每项一段纯文本。',
  },
  "tool.input.invalid.id_malformed": {
    message: "{field} 中的 ID 含有不允许的字符。",
    recovery: "请原样使用之前结果中的 ID。",
  },
  "tool.input.invalid.address": {
    message: "{uri} 没有可读的内容。",
    recovery: byReader({ model: "请使用 towow_docs_list 给出的地址，以及它接受的参数。", room: placesZh.nowhere.room }),
  },
  "tool.input.invalid.cursor": {
    message: "这个 cursor 已损坏，或属于另一个列表或筛选条件。",
    recovery: "请原样使用上一页给出的 next_cursor，并保持筛选条件不变；或者不带 cursor 从头开始。",
  },
  "tool.input.invalid.join_incomplete": {
    message: "加入场景需要先提供 raw_content，或同时提供 profile_data 和 display_name。",
    recovery: "发送 raw_content 获取引导提示词，或发送 profile_data 与 display_name 加入。",
  },
  "tool.input.not_found.missing_inputs": {
    message: "以下引用没有对应的内容：{inputs}。",
    recovery: "什么都没有执行。请重新运行产生它的那一步，或直接传入值；会话给出的结果保留两小时。",
  },
  "tool.input.invalid.demand_incomplete": {
    message: "新需求需要 intent；做决定需要 negotiation_id。",
    recovery: byReader({
      model: "提交新需求请给 intent；做决定请给 negotiation_id 和当事人的决定。",
      person: say`提交新需求请给 intent。对等待中的需求做决定：${command("confirm")}`,
      room: "请写出你的需求。",
    }),
  },
  "tool.input.invalid.yes_missing": {
    message: "没有终端时需要 --yes。",
    recovery: say`请加上 --yes；或在终端中运行 ${command("{command}")}，会先询问。`,
  },
  "tool.input.invalid.rejected_by_backend": {
    message: "后端拒绝了字段 {field}。",
    recovery: "改正后再调用。",
  },
  "tool.scene.not_found.unknown_scene": {
    message: "找不到场景 {scene_id}。",
    recovery: byReader({
      model: say`请检查 ID，或列出场景：${command("scenes")}`,
      room: "请检查它的 ID，或从列出的场景中选择。",
      endpoint: "请检查 ID，或查找场景：towow_join",
    }),
  },
  "tool.scene.not_found.no_match": {
    message: byReader({
      model: "没有名为 {scene} 的场景。现有的场景见 detail。",
      person: "没有名为 {scene} 的场景。现有的场景列在下面。",
    }),
    recovery: byReader({ model: "请向当事人确认指的是哪一个。", person: "请改用其中一个，最好用它的 ID。" }),
  },
  "tool.scene.conflict.ambiguous": {
    message: byReader({
      model: "有多个场景与 {scene} 匹配，见 detail。",
      person: "有多个场景与 {scene} 匹配，列在下面。",
    }),
    recovery: byReader({ model: "请向当事人确认选哪个，并使用其 scene_id。", person: "请用 ID 指定其中一个。" }),
  },
  "tool.scene.not_found.none_joined": {
    message: "没有指定场景，也还没有加入过场景。",
    recovery: byReader({
      model: "先加入场景，或指定 scene_id。",
      person: say`先看有哪些场景：${command("scenes")}，再在这条命令后面加上 scene_id= 和它的 ID。`,
      room: "请先选择一个场景。",
    }),
  },
  "tool.scene.unavailable.cannot_list": {
    message: "这个后端不能列出场景，无法按名称查找。",
    recovery: byReader({
      model: "请向当事人要场景 ID（scene_ 加 12 位字符）。",
      person: "请使用场景 ID（scene_ 加 12 位字符），可向场景的组织者索取。",
    }),
  },
  "tool.agent.conflict.already_registered": {
    message: "Agent {agent_id} 已在场景 {scene_id} 中，资料没有改变。",
    recovery: "直接提需求即可。",
  },
  "tool.agent.conflict.registration_unclear": {
    message: "Agent {agent_id} 已在场景 {scene_id} 中；存的是应答丢失的那份资料，还是更早的一份，后端没有说明。",
    recovery: "直接提需求即可。",
  },
};
