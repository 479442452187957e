import { own } from "../own.ts";
import { RoomRefusal } from "./errors.ts";
import type { RoomState } from "./room-state.ts";
import { stageOf } from "./stages.ts";
import {
  buttonsOn,
  fieldIdsOf,
  fieldsOf,
  isForChat,
  itemIdsOf,
  PERSON_PARAMS,
  ROOM_TOOLS,
  type RoomToolName,
  STAGE_TOOLS,
} from "./tools.ts";
import type { RoomCall } from "./transitions.ts";
import type { ActionSpec, UiSpec } from "./ui-spec-schema.ts";

/** Tools that need no button on the screen: to choose, to fill in, to talk and to look. */
const FREE: readonly RoomToolName[] = ["select", "setField", "postMessage", "proposeText", "refresh"];

/** Parameters that say what the page showed. Whether that still holds is checked when the call is carried out. */
const CHECKED_LATER: Readonly<Partial<Record<RoomToolName, readonly string[]>>> = {
  broadcast: ["questionId", "textHash"],
  next: ["seen"],
};

/** The state of a room and the screen drawn from that state, by which a call is judged. */
export interface OnScreen {
  state: RoomState;
  spec: UiSpec;
}

/**
 * Checks that a call's tool is open to this caller at this stage, that its parameters are valid, and that its button,
 * field or item is on the screen. @throws RoomRefusal with UNKNOWN_TOOL or INVALID_PARAMS
 */
export function checkedCall(
  { state, spec }: OnScreen,
  by: "person" | "agent",
  toolName: string,
  params: unknown,
): RoomCall {
  const stage = stageOf(state);
  const allowed = STAGE_TOOLS[stage] as Readonly<Record<string, "anyone" | "person" | undefined>>;
  const isThere = state.chat === undefined || isForChat(stage, toolName);
  const who = isThere ? own(allowed, toolName) : undefined;
  const isIn = by === "person" || state.agent?.isWaiting === false;
  if (who === undefined || !isIn || (by === "agent" && who === "person"))
    throw new RoomRefusal("UNKNOWN_TOOL", `${toolName.slice(0, 80)} cannot be used in the stage ${stage}`);
  const name = toolName as RoomToolName;
  const parsed = (by === "person" ? PERSON_PARAMS : ROOM_TOOLS)[name].params.safeParse(params ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RoomRefusal("INVALID_PARAMS", `${name}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trim());
  }
  const call: RoomCall = { toolName: name, params: parsed.data, by };
  checkOnScreen(call, spec);
  return call;
}

/** Refuses an item, a field or a button that is not on the screen, and a value that is too long for its field. */
function checkOnScreen({ toolName, params, by }: RoomCall, spec: UiSpec): void {
  const refuse = (what: string) => {
    throw new RoomRefusal("INVALID_PARAMS", `${toolName}: ${what}`);
  };
  if (toolName === "select" && !itemIdsOf(spec).includes(params.itemId ?? ""))
    refuse("this item is not on the screen now");
  if (toolName === "setField") {
    const { fieldId = "", value = "" } = params;
    if (!fieldIdsOf(spec, by === "agent" ? "agent" : "person").includes(fieldId))
      refuse("this field is not on the screen now");
    const max = fieldsOf(spec).find(({ id }) => id === fieldId)?.maxLength ?? 0;
    if (value.length > max) refuse(`${fieldId} takes ${max} characters`);
  }
  if (FREE.includes(toolName)) return;
  const isPressed = (action: ActionSpec) =>
    action.toolName === toolName && action.enabled && isSame(action.params, params, CHECKED_LATER[toolName]);
  if (!buttonsOn(spec).some(isPressed)) refuse(`this ${by === "agent" ? "step" : "button"} is not on the screen now`);
}

const isSame = (button: RoomCall["params"], params: RoomCall["params"], except: readonly string[] = []): boolean =>
  Object.keys({ ...button, ...params }).every((name) => except.includes(name) || params[name] === button[name]);
