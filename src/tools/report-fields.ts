import * as z from "zod";
import type { Coverage } from "../report/coverage.ts";

/** This file declares the fields that the tools of the toolset `reports` share. */

const MAX_NEEDS = 40;
const MAX_NEED_LENGTH = 200;

export const needsField = () =>
  z
    .array(z.string().trim().min(1).max(MAX_NEED_LENGTH))
    .max(MAX_NEEDS)
    .describe("What is needed, a few words each; default: the plan's tasks")
    .optional();

export const coverageField = () =>
  z.object({
    basis: z.enum(["given", "tasks", "capabilities"]),
    rows: z.array(
      z.object({
        need: z.string(),
        by: z.array(z.object({ negotiation_id: z.string(), agent_id: z.string(), claim: z.string() })),
        more_agents: z.number(),
      }),
    ),
    more: z.number().describe("Rows left out"),
  });

/** The maximum number of rows in a result. All rows are stored under the result's cache key. */
const MAX_ROWS = 20;
const MAX_BY = 5;

/** Shortens the coverage for a result, and adds what was left out to the counts. */
export const shortCoverage = ({ basis, rows, more }: Coverage): Coverage => ({
  basis,
  rows: rows.slice(0, MAX_ROWS).map(({ need, by, more_agents }) => ({
    need,
    by: by.slice(0, MAX_BY),
    more_agents: more_agents + Math.max(0, by.length - MAX_BY),
  })),
  more: more + Math.max(0, rows.length - MAX_ROWS),
});
