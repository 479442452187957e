/** Titles that a client may show to a person; descriptions are for the model and stand in each tool's file. */
export const toolsEn = {
  towow_create_scene: "Create a scene",
  towow_register_agent: "Register an agent",
  towow_list_scenes: "List scenes",
  towow_list_agents: "List agents of a scene",
  towow_submit_demand: "Submit a demand",
  towow_confirm: "Confirm the formulated text",
  towow_get_negotiation: "Get a negotiation",
  towow_action: "Act on a negotiation",
  towow_join: "Join a scene",
  towow_demand: "Ask for something",
  towow_status: "See where a negotiation stands",
  towow_set_mode: "Switch the mode",
};
