import type { toolsEn } from "./tools.en.ts";

export const toolsZh: Record<keyof typeof toolsEn, string> = {
  towow_create_scene: "创建场景",
  towow_register_agent: "注册 Agent",
  towow_list_scenes: "列出场景",
  towow_list_agents: "列出场景内的 Agent",
  towow_submit_demand: "提交需求",
  towow_confirm: "确认丰富化文本",
  towow_get_negotiation: "查看协商",
  towow_action: "对协商执行操作",
  towow_join: "加入场景",
  towow_demand: "提需求",
  towow_status: "查看进展",
  towow_set_mode: "切换模式",
};
