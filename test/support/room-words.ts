/** What stands in the rooms that tests draw: one negotiation, in both languages. */
export const WORDS = {
  en: {
    raw: "I am preparing a three-month pilot that predicts outpatient waiting times in a mid-sized hospital, and I am looking for a product designer and somebody who knows hospital IT systems to build it with me. Call me at 13800138000.",
    formulated:
      "I am preparing a three-month pilot that predicts outpatient waiting times in a mid-sized hospital in Hangzhou, and I am looking for a product designer with experience of older patients and somebody who knows hospital IT systems (HIS, appointments, calling) to build it with me. Call me at 13800138000. I can give about ten hours a week, and the budget is negotiable. Remote is fine.",
    theirs:
      "I am preparing a three-month pilot that predicts outpatient waiting times in a mid-sized hospital in Hangzhou. Needed: a designer who has worked with older patients, and an engineer who has connected a HIS before. Call me at 13800138000. Remote is fine.",
    rewritten:
      "For three months I want to try, in one hospital of middle size, whether waiting times of outpatients can be predicted. Who designs it with me, and who knows the systems of the house? I can give about ten hours a week. Call me at 13800138000.",
    scene: "Indie product studio",
    scenes: [
      ["Indie product studio", "Designers, front end, independent makers"],
      ["AI startup partners", "Founders, engineers, growth"],
      ["Digital health", "Hospital IT, HIS vendors"],
      ["Open-source work", "Maintainers, contributors"],
    ],
    me: "Lin Zhiyuan",
    skills: "waiting-time model\nback end\nPython",
    bio: "Full-stack engineer in Hangzhou, eight years; recommender systems and prediction products.",
    people: ["Priya Raman", "Inès Moreau", "Jonas Weber", "Mei Tanaka", "Tomás Vidal"],
    tags: [
      ["product design", "user research"],
      ["hospital IT", "HL7", "patient flow"],
      ["front end", "accessibility"],
    ],
    offer:
      "{n} years in hospital IT; knows registration, triage and queue systems. I would talk to three of your users to check the direction.",
    contacts: [" Write to priya@example.com.", " Call +33 1 99 00 12 07."],
    facts: { time: "About {n} hours a week", how: "From next Monday" },
    plan: "## Plan\n\n**Demand**: a pilot of three months\n\n### Team\n- **Priya Raman**: product design\n- **Inès Moreau**: hospital IT\n- **Jonas Weber**: front end\n\n### Steps\n1. Week 1: Priya Raman calls a kick-off with the submitter\n2. Week 2: Priya Raman delivers the first design\n3. Week 3: Inès Moreau connects a test system\n4. Week 4: Jonas Weber shows the patients’ page\n5. Week 5: everybody gives a demo, go or stop\n\n### Still open\n- Budget, and how it is paid\n- One fixed hour a week for everybody\n- Who approaches a hospital",
    planAlone:
      "## Plan\n\nNo offers were received.\n\n### Steps\n1. State the budget and the weekly hours\n2. Ask again for one person at a time",
    tasks: ["Product design", "Hospital IT integration", "A page for patients", "A hospital for the pilot"],
    agent: "research-helper",
    reason: "your profile says two days a week on site.",
    said: "Ask about the calling system’s vendor before you plan dates.",
  },
  zh: {
    raw: "我想在一家二级医院做三个月的门诊排队时间预测试点，寻找一位产品设计师和一位熟悉医院信息系统的合作者。电话 13800138000。",
    formulated:
      "我想在杭州的一家二级医院做三个月的门诊排队时间预测试点，寻找一位有适老化经验的产品设计师和一位熟悉医院信息系统（HIS、预约与叫号）的合作者。电话 13800138000。每周可投入约十小时，预算可以商量。可以远程。",
    theirs:
      "我想在杭州的一家二级医院做三个月的门诊排队时间预测试点。需要一位设计师，有适老化经验；以及一位对接过 HIS 的工程师。电话 13800138000。可以远程。",
    rewritten:
      "想在一家中等规模的医院试三个月，看门诊的等待时间能不能预测。谁来和我一起设计，谁熟悉院内系统？每周可投入约十小时。电话 13800138000。",
    scene: "AI 创业合伙人",
    scenes: [
      ["AI 创业合伙人", "为早期 AI 产品寻找技术、产品与增长合伙人"],
      ["独立产品工作室", "设计师、前端、独立开发者"],
      ["医疗数字化", "信息科、HIS 厂商、临床流程"],
      ["开源协作", "维护者与贡献者"],
    ],
    me: "林知远",
    skills: "等待时间模型\n后端\nPython",
    bio: "杭州的全栈工程师，八年经验，擅长推荐系统和预测类产品。",
    people: ["陈若溪", "高一宁", "赵可心", "周牧", "沈砚"],
    tags: [
      ["产品设计", "用户研究"],
      ["医院信息系统", "HL7", "门诊流程"],
      ["前端", "无障碍"],
    ],
    offer: "在三甲医院信息科做了 {n} 年，熟悉挂号、分诊与叫号系统的对接。我建议先做一个可点击的原型，再决定投入。",
    contacts: ["邮箱 ruoxi@example.com。", "微信 gaoyn-his。"],
    facts: { 时间: "本月 {n} 天左右，之后按需", 方式: "先谈接口，再定范围" },
    plan: "## 协商方案\n\n**需求**：三个月的试点\n\n### 团队\n- **陈若溪**：产品设计\n- **高一宁**：医院信息系统\n- **赵可心**：前端\n\n### 步骤\n1. 第 1 周，陈若溪：与发起人开线上启动会\n2. 第 2 周，陈若溪：产品设计初版\n3. 第 3 周，高一宁：系统对接初版\n4. 第 4 周，赵可心：患者端页面初版\n5. 第 5 周，所有人：演示，决定去留\n\n### 待确认\n- 预算与报酬方式\n- 每周固定沟通时间\n- 由谁去联系试点医院",
    planAlone: "## 协商方案\n\n没有收到任何 Offer。\n\n### 步骤\n1. 写明预算与每周投入\n2. 一次只找一位合作者",
    tasks: ["产品设计", "医院信息系统对接", "患者端页面", "愿意试点的医院"],
    agent: "research-helper",
    reason: "你的 Profile 写着每周到现场两天。",
    said: "定日期之前，先问清叫号系统的供应商。",
  },
} as const;

export type Lang = keyof typeof WORDS;
