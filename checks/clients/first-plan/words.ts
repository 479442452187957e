// What is said on the way to a first plan, in both languages.
import type { Step } from "../scripted-model.ts";

export type Lang = "en" | "zh";

export const LOCALES: Readonly<Record<Lang, string>> = { en: "en_US.UTF-8", zh: "zh_CN.UTF-8" };

interface Words {
  /** As somebody put it who had not seen the sandbox. */
  said: string;
  /** Of the sandbox's sample data. */
  scene: string;
  raw: string;
  name: string;
  profile: object;
  intent: string;
  background: string;
  plan: string;
}

export const WORDS: Readonly<Record<Lang, Words>> = {
  en: {
    said: "Join the scene “Around you” on Towow; I am a product manager who knows hospitals. Can someone walk my cat-hating greyhound at lunch, Monday to Thursday, in Brooklyn?",
    scene: "Around you",
    raw: "I am a product manager who knows hospitals.",
    name: "Ada",
    profile: { skills: ["product management", "hospital workflows"], bio: "Product manager who knows hospitals." },
    intent: "Can someone walk my cat-hating greyhound at lunch, Monday to Thursday, in Brooklyn?",
    background: "Your demand is being written out; you decide before anything is sent.",
    plan: "Here is your plan, with who does what.",
  },
  zh: {
    said: "在通爻加入场景“身边的人”；我是产品经理，熟悉医院。家里下水道又堵了，谁能今晚过来看看？",
    scene: "身边的人",
    raw: "我是产品经理，熟悉医院。",
    name: "小艾",
    profile: { skills: ["产品管理", "医院流程"], bio: "熟悉医院的产品经理。" },
    intent: "家里下水道又堵了，谁能今晚过来看看？",
    background: "需求正在整理，发出之前由你决定。",
    plan: "方案来了，谁做什么都写在里面。",
  },
};

/** What the model does with what the person has said; `asked` is the last that the client asked it. */
export function modelSteps(lang: Lang, asked: () => unknown): Step[] {
  const { scene, raw, name, profile, intent, background, plan } = WORDS[lang];
  return [
    { tool: "towow_join", input: { scene, raw_content: raw } },
    { tool: "towow_join", input: { scene, display_name: name, profile_data: profile } },
    { tool: "towow_demand", input: { intent } },
    { say: background },
    // Without a plan the walk ends with what the screen showed.
    () => {
      const came = planIn(asked());
      return { say: came === undefined ? background : `${came}\n\n${plan}` };
    },
  ];
}

/** The plan, in the result that woke the model: JSON within the text of a message. */
function planIn(asked: unknown): string | undefined {
  const { messages } = asked as { messages: { content: string | { text?: string }[] }[] };
  const texts = messages.flatMap(({ content }) =>
    typeof content === "string" ? [content] : content.map(({ text = "" }) => text),
  );
  const [, quoted] = /"plan_output":\s*("(?:[^"\\]|\\.)+")/.exec(texts.join("\n")) ?? [];
  return quoted === undefined ? undefined : (JSON.parse(quoted) as string);
}
