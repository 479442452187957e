// The settings of contract §3 that several commands take as options.
import { Option } from "commander";

export const modeOption = (meaning: string): Option =>
  new Option("--mode <mode>", meaning).choices(["normal", "developer"]);

export const langOption = (meaning = "language of what people read"): Option =>
  new Option("--lang <lang>", meaning).choices(["zh", "en"]);

export const profileOption = (): Option =>
  new Option("--profile <profile>", "what tools may do").choices(["live", "read_only", "dry_run", "offline"]);
