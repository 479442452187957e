/**
 * The titles of the tools, which a client may show to a person. The descriptions are for the model and stand in each
 * tool's file.
 */
export const toolsEn = {
  towow_create_scene: "Create a scene",
  towow_register_agent: "Register an agent",
  towow_list_scenes: "List scenes",
  towow_list_agents: "List agents of a scene",
  towow_submit_demand: "Submit a demand",
  towow_confirm: "Confirm the network's text",
  towow_get_negotiation: "Get a negotiation",
  towow_action: "Act on a negotiation",
  towow_docs_list: "What can be read",
  towow_docs_read: "Read an address",
  towow_join: "Join a scene",
  towow_demand: "Ask for something",
  towow_status: "See where a negotiation stands",
  towow_set_mode: "Switch the mode",
  towow_compare: "Compare offers and negotiations",
  towow_graph_merge: "Merge graphs",
  towow_brief_export: "Export a brief",
  towow_report: "Write a report",
  towow_plan_workflow: "Plan a workflow",
  towow_resolve_target: "Find what a name means",
  towow_page: "The page in the chat",
};
