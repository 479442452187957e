import type { Io } from "../../app/io.ts";
import type { SetupRequest } from "../../setup/change-plan.ts";
import type { Scope } from "../../setup/clients.ts";
import type { Machine } from "../../setup/machine.ts";
import type { SetupRecord } from "../../setup/record.ts";
import type { SetupTexts } from "../../text/setup.ts";
import type { Home } from "../home.ts";
import type { Printer } from "../printer.ts";
import type { Prompts } from "../prompts.ts";
import type { Copies } from "./copies.ts";

export interface SetupArguments {
  io: Io;
  root: URL;
  clients: string[];
  scope: Scope;
  remove?: boolean;
  print?: boolean;
  yes?: boolean;
  force?: boolean;
  /** Stands for `backendUrl: "sandbox"`. */
  sandbox?: boolean;
  backendUrl?: string;
  /** The address of an endpoint that the clients call themselves. No server starts on this machine then. */
  endpoint?: string;
  mode?: string;
  lang?: string;
}

/** The state of one run of setup. */
export interface SetupRun {
  machine: Machine;
  home: Home;
  texts: SetupTexts;
  printer: Printer;
  record: SetupRecord;
  copies: Copies;
  request: SetupRequest;
  options: SetupArguments;
  /** Undefined if nobody can be asked. */
  prompts: Prompts | undefined;
}
