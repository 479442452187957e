import { addresses } from "./addresses.ts";
import { approvalPage } from "./approval-page.ts";
import { backendBodies } from "./backend-bodies.ts";
import { clientFiles } from "./client-files.ts";
import { commandLine } from "./command-line.ts";
import { configFile } from "./config-file.ts";
import { environment } from "./environment.ts";
import { historyFiles } from "./history-files.ts";
import { httpEndpoint } from "./http-endpoint.ts";
import { mockBackend } from "./mock-backend.ts";
import { requestState } from "./request-state.ts";
import { sanitiser } from "./sanitiser.ts";
import { stdio } from "./stdio.ts";
import type { FuzzTarget } from "./target.ts";
import { toolArguments } from "./tools.ts";

/** Everything that reads what others wrote. */
export const TARGETS: readonly FuzzTarget<unknown>[] = [
  stdio,
  httpEndpoint,
  toolArguments,
  requestState,
  addresses,
  configFile,
  historyFiles,
  clientFiles,
  environment,
  commandLine,
  approvalPage,
  backendBodies,
  mockBackend,
  sanitiser,
];
