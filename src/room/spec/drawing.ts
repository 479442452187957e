import type { Texts } from "../../text/index.ts";
import type { RoomTexts } from "../../text/room.ts";
import type { RoomStage, RoomState } from "../room-state.ts";
import { type RoomToolName, STAGE_TOOLS } from "../tools.ts";
import type { ActionSpec } from "../ui-spec-schema.ts";

/** The sections of a screen are made from this. Nothing here reads a clock or a machine. */
export interface Drawing {
  state: RoomState;
  stage: RoomStage;
  say: RoomTexts;
  texts: Texts;
  /** In ms since the epoch. */
  now: number;
  /** Formats a moment (ms since the epoch) as the person reads it. */
  timeOfDay: (atMs: number) => string;
  /** Does the same with the day. */
  dayAndTime: (atMs: number) => string;
  /** Texts are compared by this hash. */
  hash: (text: string) => string;
}

interface ButtonOptions {
  about?: string | undefined;
  params?: Record<string, string>;
  tone?: ActionSpec["tone"];
  enabled?: boolean;
  why?: string | undefined;
  id?: string;
}

/** Thrown for a tool that the table does not have in this stage, which is a defect. */
class NotInThisStage extends Error {
  constructor(toolName: string, stage: RoomStage) {
    super(`${toolName} is no tool of the stage ${stage}`);
  }
}

/** Makes a button for a tool of this stage. The table says who may use it. @throws NotInThisStage */
export function button(
  { stage, state }: Drawing,
  toolName: RoomToolName,
  label: string,
  { about, params = {}, tone = "plain", enabled = true, why, id }: ButtonOptions = {},
): ActionSpec {
  const by = STAGE_TOOLS[stage][toolName];
  if (by === undefined) throw new NotInThisStage(toolName, stage);
  return {
    id: id ?? [toolName, ...Object.values(params)].join(":").slice(0, 120),
    label,
    ...(about !== undefined && { about }),
    toolName,
    params,
    by,
    tone,
    enabled: enabled && why === undefined && state.busy === undefined,
    ...(why !== undefined && { why }),
  };
}

/** A button that sends carries this, so that a click meant for another stage or scene presses nothing here. */
export const sendsFrom = ({ state, stage }: Drawing): Record<string, string> => ({
  from: stage,
  sceneId: state.form.sceneId,
  ...seenNow(state),
});

/** A person's button carries this where an agent may change what it sends at the same moment. */
export const seenNow = ({ agentChanges }: RoomState): { seen?: string } =>
  agentChanges === undefined ? {} : { seen: String(agentChanges) };
