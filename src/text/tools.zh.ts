import type { toolsEn } from "./tools.en.ts";

export const toolsZh: Record<keyof typeof toolsEn, string> = {
  towow_create_scene: "创建场景",
  towow_register_agent: "注册 Agent",
  towow_list_scenes: "列出场景",
  towow_list_agents: "列出场景内的 Agent",
  towow_submit_demand: "提交需求",
  towow_confirm: "确认网络补充后的文本",
  towow_get_negotiation: "查看协商",
  towow_action: "对协商执行操作",
  towow_docs_list: "可读的内容",
  towow_docs_read: "读取一个地址",
  towow_join: "加入场景",
  towow_demand: "提需求",
  towow_status: "查看进展",
  towow_set_mode: "切换模式",
  towow_compare: "对比 Offer 与协商",
  towow_graph_merge: "合并关系图",
  towow_brief_export: "导出摘要",
  towow_report: "撰写报告",
  towow_plan_workflow: "规划流程",
  towow_resolve_target: "查找名称所指",
};
