import type { Person } from "../person.ts";

/** Those who make and sell what runs on screens and comes out of workshops. */
export const SOFTWARE: readonly Person[] = [
  {
    id: "stack_overby",
    name: "Stack Overby",
    bio: { en: "Builds websites and apps for people, not for awards", zh: "给普通人做网站和应用，不为得奖" },
    limit: { en: "No gambling, no tracking of people.", zh: "赌博的、跟踪人的不做。" },
    price: { en: "A small site from €600; I name a fixed price.", zh: "小网站 3000 元起，一口价。" },
    does: [
      {
        kind: "project",
        en: {
          skill: "websites and apps",
          things:
            "website, app, web shop, booking page, online form, homepage, landing page, browser extension, web app, mobile app, iphone app, android app, blog, plugin, database, wordpress site, booking system, portal, triage app, ordering app, chrome extension, dashboard page",
          words:
            "web developer, developer, software engineer, software developer, programmer, front end, frontend, back end, backend, full-stack, full stack, wordpress, react, typescript, javascript, bug, api, coder, technical co-founder, cto, open source, software, ios, android, python developer, mvp, prototype",
          near: "site, build, online, code, users, page, product",
          says: "The {website} I would show you as something to click within a week, before you decide on the rest.",
          asks: "Who will use it, and what is the one thing it must do?",
        },
        zh: {
          skill: "网站和应用开发",
          things:
            "网站, 网页, 小程序, 应用, App, 官网, 分诊应用, 预约页面, 预订页面, 表单, 插件, 数据库, 公众号开发, 后台, 管理系统, 商城, 预约系统, 订单系统, 软件",
          words:
            "开发者, 程序员, 软件工程师, 前端, 后端, 全栈, 软件开发, 写代码, 开发, 技术合伙人, 接口, 爬虫, 脚本, 建站, 原型, 外包开发",
          near: "上线, 用户, 功能, 代码, 页面",
          says: "{网站}一周内先给您一个能点的版本，再决定后面怎么做。",
          asks: "谁来用？它必须做到的一件事是什么？",
        },
      },
    ],
  },
  {
    id: "wire_framer",
    name: "Wire Framer",
    bio: { en: "Product designer who sits in waiting rooms to watch", zh: "产品设计师，会去候诊室坐着看人怎么用" },
    price: { en: "€300 a day.", zh: "每天 1200 元。" },
    does: [
      {
        kind: "project",
        en: {
          skill: "product design and talks with users",
          things:
            "prototype, interface, user interviews, onboarding, wireframes, user flow, app design, usability test",
          words:
            "product designer, product design, ux, ui, ux designer, ui designer, user research, user researcher, figma, interaction design, usability, accessibility, product manager, product management, service design, user testing",
          near: "design, designer, users, product, interviews, app, pilot",
          says: "I would watch five people first and draw the {prototype} after that.",
          asks: "Who uses it on a bad day, and may I sit beside them?",
        },
        zh: {
          skill: "产品设计和用户访谈",
          things: "原型, 交互稿, 界面, 用户访谈, 可用性测试, 产品原型",
          words:
            "产品设计师, 产品设计, 交互设计, 用户研究, 体验设计, UX, UI, 产品经理, 界面设计, 用户体验, 服务设计, 可用性",
          near: "设计, 设计师, 用户, 产品, 试点",
          says: "我先看五个人怎么用，再画{原型}。",
          asks: "谁会在最忙乱的时候用它？我能坐在旁边看吗？",
        },
      },
    ],
  },
  {
    id: "hl_seven",
    name: "诊小通",
    bio: {
      en: "Seven years in a hospital's IT: registration, triage, queues",
      zh: "在医院信息科做了七年：挂号、分诊、叫号",
    },
    limit: { en: "Patients' data does not leave the house.", zh: "患者数据不出院。" },
    does: [
      {
        kind: "project",
        en: {
          skill: "hospital IT and how patients move through it",
          words:
            "hospital it, hospital systems, hospital information, hl7, triage, patient flow, outpatient, electronic health record, medical software, health tech, healthtech, medical device, telemedicine, clinic software, queue system, waiting times",
          near: "hospital, clinic, patients, health, doctors, pilot, medical, app",
          says: "I know how the IT department of a hospital says yes, and which interface you need for it.",
          asks: "Which department is it, and who there wants it?",
        },
        zh: {
          skill: "医院信息系统和就诊流程",
          words:
            "医院信息系统, 医院信息化, HL7, 分诊, 叫号, 门诊流程, 电子病历, 医疗软件, 互联网医疗, 远程医疗, 排队系统, 智慧医疗, 门诊排队, 医疗产品",
          near: "医院, 门诊, 患者, 医疗, 试点",
          says: "医院信息科怎么才会点头、要走哪个接口，我都清楚。",
          asks: "哪个科室？那边谁想要它？",
        },
      },
    ],
  },
  {
    id: "tensor_learnwell",
    name: "Tensor Learnwell",
    bio: { en: "Machine learning engineer; asks whether you need it", zh: "机器学习工程师，先问用不用得上" },
    price: { en: "€400 a day.", zh: "每天 1500 元。" },
    does: [
      {
        kind: "project",
        en: {
          skill: "machine learning and assistants",
          things:
            "chatbot, recommender, language model, forecast, ai assistant, image recognition, speech recognition, ai agent, classifier, prediction model",
          words:
            "machine learning, ai, artificial intelligence, llm, deep learning, data scientist, ml engineer, neural network, computer vision, nlp, gpt, automate, automation, recommendation, prompt, rag, pytorch",
          near: "model, data, python, predict, engineer, product",
          says: "Before a {model} I would try the simplest rule on your own data; it wins more often than you think.",
          asks: "What data is there, and what would be different if it worked?",
        },
        zh: {
          skill: "机器学习和智能助手",
          things: "聊天机器人, 推荐系统, 大模型, 预测模型, 智能助手, 图像识别, 语音识别, 智能体, 知识库",
          words:
            "机器学习, 人工智能, AI, 深度学习, 算法, 算法工程师, 神经网络, 自动化, 大语言模型, 模型训练, 提示词, 数据科学",
          near: "模型, 数据, Python, 预测",
          says: "上{模型}之前我先用最简单的规则在您的数据上试，常常就够了。",
          asks: "手上有什么数据？做成了会有什么不同？",
        },
      },
    ],
  },
  {
    id: "biao_xiaoge",
    name: "表小格",
    bio: { en: "Data analyst; turns a pile of tables into one page", zh: "数据分析师，把一堆表变成一页纸" },
    price: { en: "€40 an hour.", zh: "每小时 150 元。" },
    does: [
      {
        kind: "project",
        en: {
          skill: "spreadsheets, charts and data",
          things:
            "spreadsheet, excel sheet, dashboard, chart, survey results, sales figures, inventory list, google sheet, data pipeline, pivot table, sales report",
          words:
            "excel, data analyst, data analysis, analyse data, analyze data, sql, power bi, tableau, data cleaning, data visualisation, data visualization, vlookup, macro, google sheets, data engineer, data entry",
          near: "data, numbers, sales, figures, formula",
          says: "For the {spreadsheet} I would ask what you want to decide with it, and throw the rest out.",
          asks: "How many rows, where from, and how often does it change?",
        },
        zh: {
          skill: "表格、图表和数据分析",
          things: "Excel, 表格, 报表, 看板, 图表, 库存表, 销售数据, 数据表, 透视表",
          words:
            "数据分析, 数据分析师, SQL, 数据可视化, 数据清洗, 公式, 宏, Power BI, 数据整理, 统计表, 录入, 函数公式, 做表",
          near: "数据, 销量, 汇总",
          says: "{表格}我先问您想用它决定什么，其余的删掉。",
          asks: "多少行？从哪里来？多久变一次？",
        },
      },
    ],
  },
  {
    id: "wei_xiaoan",
    name: "卫小安",
    bio: { en: "Security engineer, suspicious by training", zh: "安全工程师，疑心是职业病" },
    limit: { en: "I test only what belongs to you.", zh: "只测您自己的东西。" },
    does: [
      {
        kind: "advice",
        en: {
          skill: "passwords, backups and hacked accounts",
          words:
            "computer security, cybersecurity, hacked, account hacked, password, passwords, backup, backups, encryption, privacy online, phishing, penetration test, pentest, stolen account, malware, ransomware, two-factor, security audit, spyware, locked out of my account, data protection",
          near: "account, email, online, computer, safe, instagram, server",
          says: "We lock the doors in the right order: mail first, then bank, then the rest.",
          asks: "What did you notice first, and from which device do you write now?",
        },
        zh: {
          skill: "密码、备份和被盗账号",
          words:
            "网络安全, 被盗号, 账号被盗, 密码, 备份, 加密, 隐私保护, 钓鱼, 渗透测试, 勒索, 木马, 信息泄露, 安全检查, 漏洞, 数据安全, 盗号, 被黑, 找回账号, 被盗, 服务器, 诈骗短信",
          near: "账号, 电脑, 邮箱, 服务器",
          says: "先锁邮箱，再锁银行，其他的往后排。",
          asks: "最先发现什么不对？现在用哪台设备？",
        },
      },
    ],
  },
  {
    id: "circuit_solderby",
    name: "Circuit Solderby",
    bio: { en: "Runs the makerspace; has taken everything apart once", zh: "管创客空间，什么都拆开看过" },
    price: { en: "Material only; come to the open evening.", zh: "只收材料费，开放日来就行。" },
    does: [
      {
        kind: "project",
        en: {
          skill: "3D printing, electronics and robots",
          things:
            "3d print, 3d printed part, robot, drone, sensor, circuit board, arduino, raspberry pi, synthesizer, synth, model train, led sign, spare part, weather station, amplifier, guitar pedal, prototype device, laser cutter, telescope mount",
          words:
            "3d printing, 3d printer, electronics, solder, soldering, microcontroller, maker, makerspace, cnc, laser cut, hardware, pcb, firmware, robotics, cad, embedded, rc car, hardware engineer, inventor",
          near: "build, part, plastic, device, kids, broken, circuit",
          says: "The {part} we draw together and print the same evening; the second one fits.",
          asks: "What does it have to hold or do, and do you have the old one?",
        },
        zh: {
          skill: "3D 打印、电子和机器人",
          things: "3D打印, 机器人, 无人机, 传感器, 电路板, 单片机, 树莓派, 零件, 模型, 合成器, 激光切割",
          words:
            "3d打印, 3D 打印, 电子制作, 焊电路, 创客, 硬件, 嵌入式, 建模, 固件, 机器人课, Arduino, 打印一个, CAD, 硬件工程师",
          near: "做一个, 塑料, 配件, 孩子",
          says: "{零件}一起画图，当晚就能打出来，第二个一般就合适了。",
          asks: "它要承受什么？旧的还在吗？",
        },
      },
    ],
  },
  {
    id: "growth_trumpet",
    name: "Growth Trumpet",
    bio: { en: "Brought three small shops and a choir their first public", zh: "给三家小店和一个合唱团拉来第一批客人" },
    price: { en: "€250 for a month with a plan.", zh: "每月 1000 元，含方案。" },
    does: [
      {
        kind: "project",
        en: {
          skill: "social media and first customers",
          handles:
            "instagram account, launch, campaign, youtube channel, tiktok, facebook page, podcast audience, ad campaign",
          words:
            "newsletter, instagram, tiktok, youtube channel, marketing, marketer, social media, growth, promote, promotion, advertise, advertising, seo, influencer, followers, first customers, pr, press, content creator, community manager, google ads, crowdfunding campaign, public relations, publicity",
          near: "shop, audience, posts, sell, customers, online, more",
          says: "For the {shop} I would speak with ten people who came already, and do more of what brought them.",
          asks: "Who are your last ten customers, and how did they hear of you?",
        },
        zh: {
          skill: "新媒体和第一批客人",
          handles: "小红书, 抖音, 公众号, 视频号, 新品, 账号, 微博, 朋友圈",
          words:
            "小红书, 抖音, 公众号, 视频号, 营销, 推广, 运营, 新媒体, 增长, 涨粉, 引流, 宣传, 投放, 获客, 冷启动, 社群, 市场营销, 拉新, 私域, 博主",
          near: "店, 粉丝, 客人, 内容",
          says: "{账号}先找十位老客人聊，再把引他们来的事多做几遍。",
          asks: "最近十位客人是谁？怎么知道您的？",
        },
      },
    ],
  },
  {
    id: "tan_xiaopu",
    name: "摊小铺",
    bio: { en: "Sells at the market and online, buys what is left over", zh: "摆摊也开网店，别人剩下的也收" },
    does: [
      {
        kind: "project",
        en: {
          skill: "selling online, at markets and second-hand",
          handles:
            "old furniture, clothes, books, market stall, records, camera, bike for sale, handmade jewellery, toys, stamps collection, crafts, vinyl, household goods",
          words:
            "sell, selling, sell my, online shop, etsy, ebay, second-hand, secondhand, flea market stall, e-commerce, ecommerce, amazon, shopify, car boot, thrift, yard sale, garage sale, auction, export, resell, sell handmade",
          near: "market, shop, price, customers, online, buyers",
          says: "For the {goods} I say what people here really pay, and take a table for you at the next market.",
          asks: "How many pieces, in what condition, and what is your lowest price?",
        },
        zh: {
          skill: "网店、摆摊和二手",
          handles: "旧家具, 旧衣服, 旧书, 二手书, 手工首饰, 相机, 玩具, 黑胶, 闲置",
          words:
            "卖, 出售, 网店, 淘宝, 闲鱼, 摆摊, 电商, 直播带货, 二手交易, 跨境电商, 拼多多, 回收, 转卖, 开网店, 市集",
          near: "价格, 客人, 货",
          says: "{东西}这里真正能卖多少我直说，下次市集给您留张桌子。",
          asks: "几件？什么成色？最低多少钱肯卖？",
        },
      },
      {
        kind: "project",
        en: {
          skill: "factories, samples and small batches",
          handles: "sample, small batch, prototype run, t-shirts, mugs, packaging boxes, spare parts, tote bags",
          words:
            "small batch, sample, samples, factory, manufacturer, manufacturing, supplier, suppliers, sourcing, wholesale, oem, customs, import, freight, produce my, minimum order, mass production, shipping from china, print t-shirts, bulk",
          near: "pieces, order, material, production, price, china",
          says: "I know two workshops that take on small numbers; for the {sample} one week.",
          asks: "How many pieces, of what material, and do you have a drawing?",
        },
        zh: {
          skill: "找工厂、打样和小批量",
          handles: "样品, 小批量, 文化衫, 包装盒, 帆布袋, 配件, 周边",
          words:
            "样品, 小批量, 工厂, 打样, 代工, 供应商, 货源, 批发, 外贸, 起订量, 生产, 报关, 物流, 厂家, 加工, 采购, 开模, 进货",
          near: "件, 材料, 定制, 批量",
          says: "我认识两家肯接小单的作坊，{样品}一周出。",
          asks: "多少件？什么材料？有图纸吗？",
        },
      },
    ],
  },
];
