// What every declaration of commands gets, and the settings of contract §3 that several commands take as options.

import { Option } from "commander";
import type { HelpTexts } from "../text/help.ts";
import type { LocalisedCommand } from "./help/localised-command.ts";

/** Adds commands to the program; what a command does is loaded when it is run. */
export type Declare = (program: LocalisedCommand, texts: HelpTexts) => void;

/** What those options give. */
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
