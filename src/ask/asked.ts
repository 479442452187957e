import type { Reach } from "../negotiation/stage.ts";

/** A scene has an id, and its owner's name for it where that can be shown. */
export interface AskedScene {
  id: string;
  name: string | undefined;
}

/** The page shows all of what would be sent or stopped. This holds it without words of any language. */
export type Asked = AskedProfile | AskedNewScene | AskedStop;

export interface AskedProfile {
  about: "profile";
  scene: AskedScene;
  /** Each field stands under its key; a list is one text already. */
  fields: Fields;
  /** The profile is sent under this id when it is not the person's own. `isNew`: nobody has it yet. */
  as?: { id: string; isNew: boolean } | undefined;
  /** The person is in this scene too, so its profile is replaced as well. */
  elsewhere?: AskedScene | undefined;
}

interface AskedNewScene {
  about: "scene";
  fields: Fields;
}

export interface AskedStop {
  about: "stop";
  negotiationId: string;
  /** This is the person's own demand, as it was submitted and as the network has it now. */
  demand?: { submitted: string; text: string } | undefined;
  reach: Reach;
  /** Nobody has decided on its text yet. */
  isUndecided: boolean;
  /** Counts the agents that have answered with an offer. */
  offers: { received: number; total: number };
  /** This is what an action carries, as a person reads it. */
  payload?: string | undefined;
}

type Fields = readonly (readonly [key: string, value: string])[];
