// The settings of contract §3 that several commands take as options. Every declaration of commands uses these.

import { Option } from "commander";
import type { HelpTexts } from "../text/help.ts";
import type { LocalisedCommand } from "./help/localised-command.ts";

/** Adds commands to the program. A command's code is loaded when the command runs. */
export type Declare = (program: LocalisedCommand, texts: HelpTexts) => void;

/** The values that a person may give for these options. */
export interface Settings {
  mode?: string;
  backendUrl?: string;
  lang?: string;
  profile?: string;
}

export const modeOption = (meaning: string): Option =>
  new Option("--mode <mode>", meaning).choices(["normal", "developer"]);

export const langOption = (meaning: string): Option => new Option("--lang <lang>", meaning).choices(["zh", "en"]);

export const profileOption = (meaning: string): Option =>
  new Option("--profile <profile>", meaning).choices(["live", "read_only", "dry_run", "offline"]);
