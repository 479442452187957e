import { sanitiser } from "./sanitiser.ts";
import { stdio } from "./stdio.ts";
import type { FuzzTarget } from "./target.ts";
import { toolArguments } from "./tools.ts";

/** Everything that reads what others wrote. */
export const TARGETS: readonly FuzzTarget<unknown>[] = [stdio, toolArguments, sanitiser];
