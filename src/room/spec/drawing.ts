import type { Texts } from "../../text/index.ts";
import type { RoomTexts } from "../../text/room.ts";
import type { RoomStage, RoomState } from "../room-state.ts";
import { type RoomToolName, STAGE_TOOLS } from "../tools.ts";
import type { ActionSpec } from "../ui-spec-schema.ts";

/** Everything from which a screen is drawn, so that drawing needs no clock and no access to the machine. */
export interface Drawing {
  state: RoomState;
  stage: RoomStage;
  say: RoomTexts;
  texts: Texts;
  /** The moment for which the screen is drawn, in ms since the epoch. */
  now: number;
  /** Formats a moment (ms since the epoch) as the person reads it. */
  timeOfDay: (atMs: number) => string;
  /** Formats the day and the time of a moment (ms since the epoch). */
  dayAndTime: (atMs: number) => string;
}

interface ButtonOptions {
  about?: string | undefined;
  params?: Record<string, string>;
  tone?: ActionSpec["tone"];
  enabled?: boolean;
  why?: string | undefined;
  asks?: ActionSpec["asks"];
  id?: string;
}

/** Reports a defect: a button was drawn for a tool that `STAGE_TOOLS` does not list at this stage. */
class NotInThisStage extends Error {
  constructor(toolName: string, stage: RoomStage) {
    super(`${toolName} is no tool of the stage ${stage}`);
  }
}

/** Makes a button for a tool of this stage. `STAGE_TOOLS` decides who may press the button. @throws NotInThisStage */
export function button(
  { stage, state }: Drawing,
  toolName: RoomToolName,
  label: string,
  { about, params = {}, tone = "plain", enabled = true, why, asks, id }: ButtonOptions = {},
): ActionSpec {
  const by = STAGE_TOOLS[stage][toolName];
  if (by === undefined) throw new NotInThisStage(toolName, stage);
  const isEnabled = enabled && why === undefined && state.busy === undefined;
  return {
    id: id ?? [toolName, ...Object.values(params)].join(":").slice(0, 120),
    label,
    ...(about !== undefined && { about }),
    toolName,
    params,
    by,
    tone,
    enabled: isEnabled,
    ...(why !== undefined && { why }),
    ...(asks && isEnabled && { asks }), // A button that cannot be pressed asks nothing.
  };
}

/** Returns the parameters of a button that sends something, so that a click meant for another stage or scene has no effect. */
export const sendsFrom = ({ state, stage }: Drawing): Record<string, string> => ({
  from: stage,
  sceneId: state.form.sceneId,
  ...seenNow(state),
});

/** Returns how many changes by an outside agent the page shows, so that a click agrees to no later change. */
export const seenNow = ({ agentChanges }: RoomState): { seen?: string } =>
  agentChanges === undefined ? {} : { seen: String(agentChanges) };
