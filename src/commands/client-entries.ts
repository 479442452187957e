import type { Finding } from "./doctor-finding.ts";

/** Where the known clients' config files are looked for. */
export interface ClientEntriesContext {
  env: NodeJS.ProcessEnv;
  lang: "zh" | "en";
}

/** What the known clients' config files say about this program; reads only. */
export type ClientEntries = (context: ClientEntriesContext) => Promise<Finding[]>;

/** No client is known to this version. */
export const clientEntries: ClientEntries = async () => [];
