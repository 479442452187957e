import { homeFactsIn } from "../../app/history-folder.ts";
import { isNegotiationId } from "../../backend/route.ts";
import { PRODUCTION } from "../../home/origin.ts";
import { CONFIG_KEYS, declarationOf } from "../../home/schema.ts";
import { isOpen, listRecords } from "../../negotiation/records.ts";
import { CLIENTS } from "../../setup/clients.ts";
import { localTime } from "../../terminal/local-time.ts";
import { textsOf } from "../../text/index.ts";
import { TOOLS } from "../../tools/index.ts";
import type { Home } from "../home.ts";
import type { Candidate, ValuesOf } from "./candidates.ts";

const IDS_AT_MOST = 20;

/** What each argument takes, by its name in the help. `ids`: of the negotiations that are remembered here. */
export const valuesOf =
  (ids: () => Promise<readonly Candidate[]>, lang: "zh" | "en"): ValuesOf =>
  (argument, before) => {
    const titles: Readonly<Record<string, string>> = textsOf(lang).tools;
    const values: Readonly<Record<string, () => Promise<readonly Candidate[]>>> = {
      id: ids,
      clients: async () => CLIENTS.map(({ id, title }) => ({ value: id, meaning: title })),
      tool: async () => TOOLS.map(({ name }) => ({ value: name, meaning: titles[name] ?? "" })),
      address: async () => ["sandbox", PRODUCTION].map((value) => ({ value, meaning: "" })),
      mode: async () => ["normal", "developer"].map((value) => ({ value, meaning: "" })),
      value: async () => settingValues(before).map((value) => ({ value, meaning: "" })),
      key: async () => CONFIG_KEYS.map((key) => ({ value: key, meaning: declarationOf(key)[lang] })),
    };
    return values[argument]?.();
  };

/** What a setting can be, where that is one of a few words. */
function settingValues(name: string | undefined): readonly string[] {
  const key = CONFIG_KEYS.find((one) => one === name);
  return key === undefined ? [] : wordsOf(declarationOf(key).expected);
}

const wordsOf = (expected: string): readonly string[] => (/^\w+(\|\w+)+$/.test(expected) ? expected.split("|") : []);

/** The newest negotiations, from the files of the home alone; those that are open first. */
export async function rememberedIds({ io, path }: Home): Promise<Candidate[]> {
  const facts = homeFactsIn(path);
  // A file may hold what is no id: a shell would insert it.
  const records = (await listRecords(facts)).filter(({ negotiation_id: id }) => isNegotiationId(id));
  const now = io.clock.now();
  const [open, over] = [true, false].map((wanted) => records.filter((one) => isOpen(one, now) === wanted));
  const newest = [...open!, ...over!].slice(0, IDS_AT_MOST);
  return newest.map((one) => ({ value: one.negotiation_id, meaning: localTime(one.submitted_at) }));
}
