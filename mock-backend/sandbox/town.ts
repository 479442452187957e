import type { Language } from "../formulation.ts";
import { type Kind, kindsIn } from "./kinds.ts";
import { ADVICE } from "./people/advice.ts";
import { ARTS } from "./people/arts.ts";
import { CARE } from "./people/care.ts";
import { HOME } from "./people/home.ts";
import { LAND } from "./people/land.ts";
import { SOFTWARE } from "./people/software.ts";
import { SPORT } from "./people/sport.ts";
import { TABLE } from "./people/table.ts";
import { TEACHING } from "./people/teaching.ts";
import type { Person, Service } from "./person.ts";
import { Glossary } from "./words.ts";

/** Walks of life, and who goes them. */
export const WALKS: readonly { en: string; zh: string; people: readonly Person[] }[] = [
  { en: "repairs, building, cleaning, moving", zh: "修理、装修、保洁、搬家", people: HOME },
  { en: "care for children, older people, animals and sore backs", zh: "照顾孩子、老人、动物，看腰腿疼", people: CARE },
  { en: "lessons, languages, translation", zh: "家教、语言、翻译", people: TEACHING },
  { en: "pictures, music, writing, handicraft, dance", zh: "摄影、音乐、写作、手作、舞蹈", people: ARTS },
  { en: "sport, games, company", zh: "运动、下棋、作伴", people: SPORT },
  { en: "food, celebrations, travel, volunteers", zh: "吃的、办活动、旅行、志愿者", people: TABLE },
  { en: "law, money, work, papers, housing", zh: "法律、钱、工作、手续、房子", people: ADVICE },
  { en: "gardens, animals, farm work", zh: "花园、养殖、农活", people: LAND },
  { en: "websites, data, electronics, selling", zh: "网站、数据、电子、买卖", people: SOFTWARE },
];

/** Everybody in the sandbox. */
export const PEOPLE: readonly Person[] = WALKS.flatMap(({ people }) => people);

/** Nobody can do this, whatever else is in the sentence; what is stranger than these words a sandbox does not notice. */
const IMPOSSIBLE = [
  /\bunicorns?\b|\b(to|on|off|from) the (moon|sun)\b|\b(to|on|from) mars\b|parallel universes?/,
  /teleport|time[- ]?(travel|machine)|back to (life|1\d\d\d)|immortality|perpetual motion|faster than light|telepath/,
  /never been born|in no place|last digit of pi|biggest number|married bachelor/,
  /独角兽|火星|月球上|太阳(上|表面)|平行宇宙|时光机|回到过去|瞬移|长生不老|永生|永动机|心灵感应|比光(还|更)?快|从来?没(存在|出生)/,
];

/** What no town of this size has, however well some of its words fit somebody: work of states and large industry. */
const BEYOND_A_TOWN = [
  /\b(?:rockets?|spacecraft|spaceships?|satellites?|orbital|aerospace|aeronautic\w*|jet engines?|airliners?)\b/,
  /\b(?:nuclear|reactors?|uranium|plasma|colliders?|particle|quantum|semiconductors?|chip design|wafers?)\b/,
  /\b(?:submarines?|oil rigs?|offshore|deep[- ]sea|container ships?|refiner(?:y|ies)|blast furnaces?|dams?|missiles?)\b/,
  /\b(?:(?:neuro|heart |brain )surg\w+|gene editing|vaccine development|central bank\w*)\b/,
  /火箭|航天|航空发动机|飞船|卫星|轨道设计|客机|核电|核反应|反应堆|核聚变|核物理|量子|粒子|对撞机|芯片(?:设计|制造)|光刻|半导体/,
  /潜艇|潜水艇|深海|海上平台|炼油|高炉|水坝|导弹|航母|脑外科|心脏手术|开颅|基因编辑|疫苗研发/,
];

/** A word that asks for something, and one that only stands beside such words. */
interface Word {
  person: Person;
  service: Service;
  asks: boolean;
  /** As a thing's name can stand in what somebody says. */
  thing?: { language: Language; name: string };
}

const listed = (list = "") => list.split(",").map((one) => one.trim());
const services = PEOPLE.flatMap((person) => person.does.map((service) => ({ person, service })));
const words = new Glossary<Word>();
const alike = new Map(services.map(({ service }) => [service.en.skill, service]));
for (const { person, service } of services)
  for (const language of ["en", "zh"] as const) {
    const said = { ...alike.get(service.like ?? "")?.[language], ...service[language] };
    const plain = { person, service, asks: true };
    words.add(said.words ?? "", plain);
    words.add(said.near ?? "", { person, service, asks: false });
    for (const name of listed(said.things)) words.add(name, { ...plain, thing: { language, name } });
    for (const name of listed(said.handles)) words.add(name, { ...plain, asks: false, thing: { language, name } });
  }

/** Beside a word that many go by, one that few go by says more. */
const RARITY = 0.35;
const BESIDE = 0.3;
/** The right words for another kind of thing: a piano that is to be tuned, and lessons. */
const OF_THE_KIND = 1.4;
/** Somebody who does it beside other things. */
const LIKE_IT = 0.9;
/** Nothing tells two apart who differ by less than this. */
const EVEN = 0.95;
/** Somebody is close to the best answer with this part of its score. */
const CLOSE = 0.7;
/** So is somebody for another of the things asked for. */
const CLOSE_TO_THE_SECOND = 0.35;
const MOST = 4;

/** Somebody who comes, with what brings them. */
export interface Comer {
  person: Person;
  service: Service;
  score: number;
  /** Words of the demand that ask for what they do. */
  by: ReadonlySet<string>;
  /** Which of the things asked for. */
  requests: ReadonlySet<number>;
  things: ReadonlyMap<Language, string>;
  /** Who is of the same craft and comes before them. */
  standsInFor?: Person;
}

/** Who is close to a demand: the best first, at most four; nobody where nobody is. */
export function comersTo(demand: string): Comer[] {
  if ([...IMPOSSIBLE, ...BEYOND_A_TOWN].some((one) => one.test(demand.toLowerCase()))) return [];
  const kinds = kindsIn(demand);
  const byService = new Map<Service, Draft>();
  for (const { form, weight, request, of } of words.foundIn(demand)) {
    const known = new Set(
      of.filter(({ asks, service }) => asks && service.like === undefined).map((one) => one.service),
    );
    const rare = weight / Math.max(1, known.size) ** RARITY;
    for (const { person, service, asks, thing } of of) {
      const comer = byService.get(service) ?? { ...nobodyYet(), person, service };
      byService.set(service, comer);
      if (!asks) comer.beside += 1;
      else if (!comer.by.has(form)) {
        comer.by.add(form);
        comer.score += rare;
        if (request > 0) comer.requests.add(request);
      }
      if (thing !== undefined && (comer.things.get(thing.language)?.length ?? 0) < thing.name.length)
        comer.things.set(thing.language, thing.name);
    }
  }
  const asked = [...byService.values()].filter(({ by }) => by.size > 0);
  const scored = asked.map((comer) => ({
    ...comer,
    score:
      (comer.score + BESIDE * Math.min(3, comer.beside)) *
      (kinds.has(comer.service.kind) ? OF_THE_KIND : 1) *
      (comer.service.like === undefined ? 1 : LIKE_IT),
  }));
  const ranked = onePerPerson(
    scored.length > 0 ? scored : [...aroundIt(byService.values(), kinds), ...generalists(kinds)],
  );
  const needed: Comer[] = [];
  const standIns: Comer[] = [];
  for (const one of ranked) {
    const before = needed.find((other) => isSameCraft(one, other));
    if (before === undefined) {
      if (needed.every((other) => isWantedBeside(one, other))) needed.push(one);
    } else if (one.score >= CLOSE * before.score && standIns.every(({ standsInFor }) => standsInFor !== before.person))
      standIns.push({ ...one, standsInFor: before.person });
  }
  return [...needed, ...standIns].slice(0, MOST);
}

const isDisjoint = <T>(some: ReadonlySet<T>, others: ReadonlySet<T>): boolean =>
  [...some].every((one) => !others.has(one));

/** Either of them can do what is asked for: it is the same word that brings them to the same sort of thing. */
const isSameCraft = (one: Comer, other: Comer): boolean =>
  one.service.kind === other.service.kind && !isDisjoint(one.by, other.by);

/**
 * Whether both are needed: somebody for each of the things asked for, or for each half of one. So they are where one
 * word means two things, and nothing says which: a ride to the station, or on a horse.
 */
function isWantedBeside(one: Comer, other: Comer): boolean {
  if (one.by.size === 0 || !isDisjoint(one.by, other.by)) return one.score >= EVEN * other.score;
  const areAsked = one.requests.size > 0 && other.requests.size > 0;
  if (areAsked && isDisjoint(one.requests, other.requests)) return one.score >= CLOSE_TO_THE_SECOND * other.score;
  const isOfOneSort = one.service.kind === other.service.kind && one.requests.size === other.requests.size;
  return (areAsked || isOfOneSort) && one.score >= CLOSE * other.score;
}

interface Draft extends Comer {
  by: Set<string>;
  requests: Set<number>;
  things: Map<Language, string>;
  beside: number;
}

const nobodyYet = () => ({
  score: 0,
  by: new Set<string>(),
  requests: new Set<number>(),
  things: new Map<Language, string>(),
  beside: 0,
});

/** Where no word is known that anybody goes by, those beside whom several of its words often stand. */
const aroundIt = (drafts: Iterable<Draft>, kinds: ReadonlyMap<Kind, number>): Comer[] =>
  [...drafts]
    .map((draft) => ({ ...draft, score: draft.beside * (kinds.has(draft.service.kind) ? OF_THE_KIND : 1) }))
    .filter(({ score }) => score >= 2 * OF_THE_KIND);

/** And those who do most things of the kind. */
const generalists = (kinds: ReadonlyMap<Kind, number>): Comer[] =>
  services
    .filter(({ service }) => service.isGeneral && kinds.has(service.kind))
    .map((one) => ({ ...nobodyYet(), ...one, score: 0.5 }));

function onePerPerson(comers: readonly Comer[]): Comer[] {
  const seen = new Set<Person>();
  const first = ({ person }: Comer) => !seen.has(person) && seen.add(person) !== undefined;
  return comers.toSorted((a, b) => b.score - a.score).filter(first);
}
