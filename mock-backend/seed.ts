import type { Agent, Store } from "./data.ts";
import type { Random } from "./random.ts";

type Sample = [id: string, name: string, skills: string[], bio: string, more?: Record<string, unknown>];

const SCENES: { name: string; description: string; expected_responders: number; agents: Sample[] }[] = [
  {
    name: "AI 创业合伙人",
    description: "为早期 AI 产品寻找技术、产品与增长合伙人",
    expected_responders: 4,
    agents: [
      [
        "agent_lin_xiaozhou",
        "林晓舟",
        ["机器学习", "Python", "推荐系统"],
        "做了六年推荐算法，最近在做大模型应用的原型",
        { experience: "前内容平台算法负责人" },
      ],
      [
        "agent_chen_ruoxi",
        "陈若溪",
        ["产品设计", "用户研究", "前端设计"],
        "独立产品设计师，擅长把模糊的想法变成可以试用的产品",
        { interests: ["教育", "效率工具"] },
      ],
      [
        "agent_wang_qiming",
        "王启明",
        ["全栈开发", "React", "TypeScript"],
        "全栈工程师，两次从零到一的创业经历",
        { constraints: "工作日只有晚上有空" },
      ],
      [
        "agent_zhao_kexin",
        "赵可心",
        ["增长", "社群运营", "内容营销"],
        "帮三个 AI 产品做过冷启动，熟悉小红书和即刻",
        { capabilities: ["用户访谈", "投放"] },
      ],
      [
        "agent_gao_yining",
        "高一宁",
        ["医院信息系统", "HL7", "门诊流程"],
        "在三甲医院信息科做了七年，熟悉挂号、分诊与叫号系统的对接",
        { constraints: "只接有伦理审批的试点" },
      ],
      ["agent_zhou_mu", "周牧", ["陶艺", "手作教学"], "在景德镇开了一间陶艺工作室"],
    ],
  },
  {
    name: "社区活动共创",
    description: "一起办线下活动：策划、场地、主持、摄影与翻译",
    expected_responders: 5,
    agents: [
      ["agent_sun_jiahe", "孙嘉禾", ["活动策划", "场地协调"], "每月在杭州组织一次开发者聚会，有三个合作场地"],
      ["agent_xu_an", "许安", ["摄影", "视频剪辑"], "纪实摄影师，拍过四十多场线下活动"],
      ["agent_he_miao", "何淼", ["中英翻译", "主持"], "会议同传译员，也主持过黑客松"],
      ["agent_deng_yu", "邓宇", ["平面设计", "海报", "文案写作"], "自由设计师，喜欢给社区做视觉"],
    ],
  },
  {
    name: "Indie product studio",
    description: "Small teams that take a product from idea to first users",
    expected_responders: 4,
    agents: [
      [
        "agent_maya_okafor",
        "Maya Okafor",
        ["machine learning", "python", "data pipelines"],
        "ML engineer who has shipped two recommendation products",
        { experience: "eight years, last three freelance" },
      ],
      [
        "agent_jonas_weber",
        "Jonas Weber",
        ["frontend", "react", "accessibility"],
        "Frontend engineer for small product teams",
      ],
      [
        "agent_priya_raman",
        "Priya Raman",
        ["product design", "user research"],
        "Designer who turns interviews into prototypes within a week",
        { constraints: "European mornings only" },
      ],
      [
        "agent_tom_alvarez",
        "Tom Alvarez",
        ["growth", "copywriting", "launch marketing"],
        "Took three indie tools to their first thousand users",
      ],
      [
        "agent_lucia_ferri",
        "Lucia Ferri",
        ["contracts", "company law"],
        "Lawyer for founders: contracts, equity, privacy",
      ],
      [
        "agent_ines_moreau",
        "Inès Moreau",
        ["hospital IT", "HL7", "patient flow"],
        "Seven years in hospital IT; knows registration, triage and queue systems",
      ],
      ["agent_ned_cole", "Ned Cole", ["pottery", "ceramics"], "Ceramic artist with a shared kiln"],
    ],
  },
  {
    name: "Translation and events",
    description: "Volunteers for bilingual community events: translation, hosting, filming",
    expected_responders: 6,
    agents: [
      [
        "agent_amelie_dupont",
        "Amélie Dupont",
        ["translation", "subtitling"],
        "French and English translator, subtitles talks for fun",
      ],
      [
        "agent_kenji_mori",
        "Kenji Mori",
        ["event planning", "stage management"],
        "Runs a yearly open-source conference for 300 people",
      ],
      [
        "agent_sara_lind",
        "Sara Lind",
        ["photography", "video editing"],
        "Photographer and video editor for community events",
      ],
    ],
  },
];

/** Puts the sample scenes and agents in: what `towow-mcp mock` and the demo start with. */
export function loadSamples(store: Store, random: Random): void {
  for (const { agents, ...scene } of SCENES) {
    const sceneId = `scene_${random.hex(12)}`;
    store.scenes.set(sceneId, {
      scene_id: sceneId,
      ...scene,
      organizer_id: "towow_samples",
      access_policy: "open",
      status: "active",
      agent_ids: agents.map(([id]) => id),
    });
    for (const [agent_id, display_name, skills, bio, more] of agents) {
      const agent: Agent = { agent_id, display_name, source: "template", profile_data: { skills, bio, ...more } };
      store.agents.set(agent_id, agent);
    }
  }
}
