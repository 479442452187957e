/**
 * The reasons why a plan has no participants, as every surface gives them. Each is part of a sentence, so it has no
 * full stop.
 */
const en = {
  no_resonance: "nobody resonated",
  not_compared: "nobody could be compared with the demand",
  empty_scene: "nobody else is in the scene",
  no_participants: "no agent took part",
};

const zh: typeof en = {
  no_resonance: "没有 Agent 产生共振",
  not_compared: "后端没能比较 Agent 与需求",
  empty_scene: "场景里没有别人",
  no_participants: "没有 Agent 参与",
};

type Alone = typeof en;

const mapped = (texts: Alone, change: (text: string) => string): Alone => ({
  no_resonance: change(texts.no_resonance),
  not_compared: change(texts.not_compared),
  empty_scene: change(texts.empty_scene),
  no_participants: change(texts.no_participants),
});

const heading = mapped(en, (text) => text.charAt(0).toUpperCase() + text.slice(1));

/** The reasons in English: inside a sentence, as a heading, and as a sentence of their own. */
export const aloneEn = { within: en, heading, sentence: mapped(heading, (text) => `${text}.`) };
export const aloneZh: typeof aloneEn = { within: zh, heading: zh, sentence: mapped(zh, (text) => `${text}。`) };
