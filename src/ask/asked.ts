import type { Reach } from "../negotiation/stage.ts";

/** A scene by its id, and by what its owner calls it where that can be shown. */
export interface AskedScene {
  id: string;
  name: string | undefined;
}

/** What a page asks about, without words of a language: all of what would be sent, or of what would be stopped. */
export type Asked = AskedProfile | AskedNewScene | AskedStop;

export interface AskedProfile {
  about: "profile";
  scene: AskedScene;
  /** Each field by its key, a list already as one text. */
  fields: Fields;
  /** Under which id it is sent, where that is not the person's own. `isNew`: nobody has it yet. */
  as?: { id: string; isNew: boolean } | undefined;
  /** A scene that the person is in, whose profile is replaced too. */
  elsewhere?: AskedScene | undefined;
}

interface AskedNewScene {
  about: "scene";
  fields: Fields;
}

export interface AskedStop {
  about: "stop";
  negotiationId: string;
  /** The person's own demand: as it was submitted, and as the network has it now. */
  demand?: { submitted: string; text: string } | undefined;
  reach: Reach;
  /** Nobody has decided on its text yet. */
  isUndecided: boolean;
  /** So many of the agents have answered with an offer. */
  offers: { received: number; total: number };
  /** What an action carries, as a person reads it. */
  payload?: string | undefined;
}

type Fields = readonly (readonly [key: string, value: string])[];
