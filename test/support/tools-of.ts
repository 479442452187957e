import type { Mode } from "../../src/session/session.ts";
import type { Tool } from "../../src/tools/define.ts";
import { TOOLS } from "../../src/tools/index.ts";

/** The tools that belong to a mode, before any filter. */
export const toolsOf = (mode: Mode): readonly Tool[] => TOOLS.filter((tool) => tool.modes.includes(mode));
