import type { Texts } from "../../text/index.ts";
import type { RoomTexts } from "../../text/room.ts";
import type { RoomStage, RoomState } from "../room-state.ts";
import { type RoomToolName, STAGE_TOOLS } from "../tools.ts";
import type { ActionSpec } from "../ui-spec-schema.ts";

/** What the sections of a screen are made from. Nothing here reads a clock or a machine. */
export interface Drawing {
  state: RoomState;
  stage: RoomStage;
  say: RoomTexts;
  texts: Texts;
  /** Ms since the epoch. */
  now: number;
  /** A moment (ms since the epoch) as the person reads it. */
  timeOfDay: (atMs: number) => string;
  /** The same with its day. */
  dayAndTime: (atMs: number) => string;
  /** Hash by which texts are compared. */
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

/** A tool that the table does not have in this stage: a mistake of the program. */
class NotInThisStage extends Error {
  constructor(toolName: string, stage: RoomStage) {
    super(`${toolName} is no tool of the stage ${stage}`);
  }
}

/** A button for a tool of this stage; who may use it stands in the table. @throws NotInThisStage */
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

/** What a button carries that sends: a click that was meant for another stage, or another scene, presses nothing here. */
export const sendsFrom = ({ state, stage }: Drawing): Record<string, string> => ({
  from: stage,
  sceneId: state.form.sceneId,
  ...seenNow(state),
});

/** What a person's button carries, where an agent may change what it sends in the same moment. */
export const seenNow = ({ agentChanges }: RoomState): { seen?: string } =>
  agentChanges === undefined ? {} : { seen: String(agentChanges) };
