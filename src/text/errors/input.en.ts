import { placesEn } from "../places.ts";
import { byReader, command, say } from "../reader.ts";
import type { ErrorText } from "./error-text.ts";

/** What is wrong with a call: its arguments, a scene, an agent. */
export const inputEn = {
  "tool.input.invalid.arguments": {
    message: "The argument {field} is invalid: {problem}.",
    recovery: "Correct that argument and call again.",
  },
  "tool.input.invalid.line": {
    message: "Line {line}: {problem}.",
    recovery: "Correct that line; the other lines get their answers.",
  },
  "tool.input.invalid.argument_missing": {
    message: "Missing required arguments: {fields}.",
    recovery: "Add what is missing and call again.",
  },
  "tool.input.invalid.unknown_argument": {
    message: "This tool has no argument {field}.",
    recovery: "Leave it out; the arguments it takes are: {known}.",
  },
  "tool.input.invalid.unknown_tool": {
    message: "There is no tool {tool}.",
    recovery: byReader({
      model: "Use one of the tools that are listed: {known}.",
      person: say`The tools are: {known}. How to call one: ${command("call", "--help")}`,
    }),
  },
  "tool.input.invalid.intent_empty": {
    message: "The intent is empty.",
    recovery: byReader({
      model: "Ask the person what they need and send that in their words.",
      person: say`Say what you need, for example: ${command("call", "towow_demand", "intent='I need a designer'")}`,
      room: "Say what you need.",
    }),
  },
  "tool.input.invalid.intent_too_long": {
    message: "The intent is longer than 20,000 characters.",
    recovery: "Send the need itself in a few sentences; background belongs in the profile.",
  },
  "tool.input.invalid.text_too_long": {
    message: "The text in {field} is too long.",
    recovery: "Shorten it and call again.",
  },
  "tool.input.invalid.ill_formed": {
    message: "The text in {field} holds half a character, often half an emoji, which nothing can send.",
    recovery: "Take the broken character out, or send it whole, and call again.",
  },
  "tool.input.invalid.skills_not_a_list": {
    message: "skills must be a list of short texts; anything else makes the agent invisible to matching.",
    recovery: 'Send skills as ["…", "…"], one plain text each.',
  },
  "tool.input.invalid.id_malformed": {
    message: "The id in {field} contains characters ids never have.",
    recovery: "Use the id exactly as an earlier result gave it.",
  },
  "tool.input.invalid.address": {
    message: "There is nothing to read at {uri}.",
    recovery: byReader({
      model: "Use an address from towow_docs_list, with a query it takes.",
      room: placesEn.nowhere.room,
    }),
  },
  "tool.input.invalid.cursor": {
    message: "This cursor is damaged, or belongs to another list or filter.",
    recovery:
      "Use next_cursor exactly as the previous page gave it, with the same filter, or start again without a cursor.",
  },
  "tool.input.invalid.join_incomplete": {
    message: "Joining needs raw_content first, or profile_data with display_name.",
    recovery: "Send raw_content to get the guiding prompt, or profile_data and display_name to join.",
  },
  "tool.input.not_found.missing_inputs": {
    message: "References that lead to nothing: {inputs}.",
    recovery:
      "Nothing was done. Run the step that produces it again, or pass the value itself; results of a session are kept for two hours.",
  },
  "tool.input.invalid.demand_incomplete": {
    message: "A new demand needs an intent; a decision needs the negotiation_id.",
    recovery: byReader({
      model: "Send intent for a new demand, or negotiation_id with the person's decision.",
      person: say`Give intent for a new demand. To decide on one that waits: ${command("confirm")}`,
      room: "Say what you need.",
    }),
  },
  "tool.input.invalid.yes_missing": {
    message: "Without a terminal, --yes is required.",
    recovery: say`Add --yes, or run ${command("{command}")} in a terminal, which asks.`,
  },
  "tool.input.invalid.rejected_by_backend": {
    message: "The backend refused the field {field}.",
    recovery: "Correct that field and call again.",
  },
  "tool.scene.not_found.unknown_scene": {
    message: "There is no scene {scene_id}.",
    recovery: byReader({
      model: say`Check the id, or list the scenes: ${command("scenes")}`,
      room: "Check its id, or choose one of the scenes that are listed.",
      endpoint: "Check the id, or look for the scene: towow_join",
    }),
  },
  "tool.scene.not_found.no_match": {
    message: byReader({
      model: "There is no scene called {scene}. The detail lists those that exist.",
      person: "There is no scene called {scene}. Those that exist are listed below.",
    }),
    recovery: byReader({
      model: "Ask the person which of these they mean.",
      person: "Name one of them, preferably by its id.",
    }),
  },
  "tool.scene.conflict.ambiguous": {
    message: "Several scenes match {scene}; the detail lists them.",
    recovery: byReader({
      model: "Ask the person which one, and use its scene_id.",
      person: "Name the one you mean by its id.",
    }),
  },
  "tool.scene.not_found.none_joined": {
    message: "No scene was named and none has been joined yet.",
    recovery: byReader({
      model: "Join a scene first, or name the scene_id.",
      person: say`See which there are: ${command("scenes")}. Then add scene_id= and its id to this command.`,
      room: "Choose a scene first.",
    }),
  },
  "tool.scene.unavailable.cannot_list": {
    message: "This backend cannot list scenes, so a name cannot be looked up.",
    recovery: byReader({
      model: "Ask the person for the scene's id (scene_ and 12 letters or digits).",
      person: "Use the scene's id (scene_ and 12 letters or digits); its organiser has it.",
    }),
  },
  "tool.agent.conflict.already_registered": {
    message: "The agent {agent_id} is already in scene {scene_id}; its profile was not changed.",
    recovery: "Go on with the demand.",
  },
  "tool.agent.conflict.registration_unclear": {
    message:
      "The agent {agent_id} is in scene {scene_id}. The stored profile is the one whose answer was lost or an earlier one; the backend does not say which.",
    recovery: "Go on with the demand.",
  },
} satisfies Record<string, ErrorText>;
