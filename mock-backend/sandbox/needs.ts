/**
 * What people come with, by the words they say it in: English as the beginnings of words, Chinese as they stand. A sandbox
 * reads no better than this, and need not.
 */
export const NEEDS = {
  software:
    "software app apps website web server nas site code coding programm developer engineer backend frontend full-stack api database bug script plugin chrome react python typescript swift 软件 网站 网页 小程序 程序 代码 编程 开发 前端 后端 全栈 数据库 脚本 插件 爬虫 公众号 App",
  ai: "ai machine-learning model llm chatbot agent recommend neural prompt automat 人工智能 机器学习 大模型 模型 推荐 算法 智能体 自动化 机器人 提示词 语音识别",
  data: "data analy dashboard spreadsheet excel chart statistic survey metrics visuali 数据 分析 表格 报表 统计 图表 问卷 可视化",
  design:
    "design logo brand poster illustrat ui ux figma packaging flyer icon typograph 设计 标志 海报 名片 插画 包装 排版 界面 视觉 画册 封面 品牌",
  product:
    "product startup start-up cofounder co-founder founder prototype mvp pilot idea venture entrepreneur user interview 产品 创业 合伙 创始 原型 试点 用户研究 用户访谈 点子 项目",
  marketing:
    "market growth launch promot advert newsletter seo social-media follower audience campaign pr instagram tiktok 增长 营销 推广 市场 运营 宣传 涨粉 粉丝 投放 小红书 抖音 冷启动 流量 直播",
  writing:
    "writ copy essay edit proofread blog article speech script resume cv cover-letter novel book ghostwrit poem story grant 写 文案 论文 简历 演讲 稿 小说 文章 故事 诗 润色 校对 编辑 出书 自传",
  languages:
    "translat interpret english french spanish german japanese chinese korean mandarin italian portuguese language subtit pronunciation accent 翻译 口译 笔译 英语 日语 法语 韩语 德语 西班牙语 口语 外语 雅思 托福 字幕 普通话 粤语",
  events:
    "event party wedding conference meetup workshop birthday ceremony festival hackathon venue host organis organiz anniversary reunion dinner 活动 婚礼 生日 聚会 年会 派对 场地 主持 策划 团建 大会 沙龙 节 仪式 晚会",
  photo:
    "photo video film camera edit footage podcast record livestream portrait documentary vlog drone 拍 摄影 照片 视频 剪辑 录音 播客 纪录片 短片 航拍 跟拍",
  music:
    "music guitar piano harp tune instrument saxophone cello ukulele flute band sing song choir dj violin drum perform dance theatre theater concert composer quartet string brass accordion bagpip playlist sound ringtone 音乐 吉他 钢琴 乐队 唱 歌 跳舞 舞蹈 小提琴 鼓 演出 作曲 古筝 合唱 话剧 吹 弹 二胡 口琴 琴 曲 音",
  art: "art paint draw mural exhibition gallery comic animation sculpt calligraph tattoo sketch watercolo screenprint museum curator frame 艺术 画 壁画 展览 漫画 动画 雕塑 书法 国画 策展 素描 油画 水彩 版画 头像 裱",
  crafts:
    "pottery ceramic sew knit tailor leather jewel woodwork handmade craft embroider dress costume cos engrav restor upcycl quilt crochet knife forge candle soap glass watch clock shoe 陶艺 缝 裁缝 旗袍 手工 首饰 皮具 编织 木工 刺绣 衣服 裙子 雕 刻 修复 手表 钟 鞋 毛衣 打铁 蜡烛 篆",
  teaching:
    "teach tutor lesson course learn math physics chemistry exam homework class train student mentor coach study school university kids-coding 老师 家教 辅导 补课 学习 数学 物理 化学 考试 作业 教 考研 高考 培训 课程 入门 学生 导师 带我 学",
  children:
    "child kid baby babysit nanny daughter son toddler kindergarten playdate family parent summer-camp teen adopt pregnan maternity school-run stroller 孩子 小孩 宝宝 带娃 儿童 女儿 儿子 幼儿园 亲子 夏令营 接送 月嫂 保姆 家长 青春期 叛逆 作业辅导 中考 高中 小学 初中 育儿 二胎",
  elders:
    "elder grandmother grandfather grandma grandpa senior caregiv parents mother father mum mom dad retire accompan 老人 奶奶 爷爷 外婆 外公 父母 妈妈 爸爸 母亲 父亲 护工 陪诊 陪护 养老 退休 照顾",
  pets: "dog cat pet puppy kitten vet walk-my groom hamster 狗 猫 宠物 遛 寄养 喂 兽医 铲屎",
  health:
    "health doctor nurse hospital clinic therap medical physio mental sleep anxiety diet nutrition weight rehab patient dentist surger cancer recover allerg pregnan diabet disab wheelchair blood pain 健康 医生 护士 医院 门诊 心理 失眠 睡眠 焦虑 营养 减肥 减脂 康复 体检 中医 挂号 牙 病 癌 手术 药 护 医 怀孕 过敏 血压 血糖 痛 疼",
  fitness:
    "fitness gym yoga run running marathon workout personal-trainer swim climb hik cycl tennis football soccer basketball badminton ski surf sport team-mate pilates dance-partner martial karate boxing archery skate golf horse ride-partner 健身 瑜伽 跑步 马拉松 跑 私教 游泳 攀岩 徒步 爬山 骑行 网球 足球 篮球 羽毛球 乒乓 滑雪 冲浪 运动 球 武 拳 太极 滑板 高尔夫 骑马 射箭 飞盘 减重",
  food: "cook chef bak cake cater restaurant meal recipe coffee wine food kitchen lunch breakfast vegan barbecue 做饭 厨师 烘焙 蛋糕 餐厅 咖啡 菜 吃 火锅 饭 甜品 私厨 食谱 奶茶 餐饮 茶",
  repair:
    "repair fix plumb leak electric handyman boiler roof tap broken washing-machine air-condition lock door window assembl furniture shelf wall tile renovat refurbish bathroom sofa inspect mold mould damp crack heating fence gutter paint-my 修 堵 下水道 漏水 水管 电工 装修 家具 空调 洗衣机 门锁 墙 翻新 安装 马桶 灯 热水器 卫生间 厨房 打柜 检测 甲醛 裂 渗 漏 换 拆 焊 防水 暖气",
  garden:
    "garden plant lawn tree farm vegetable flower grow compost balcony bee orchard soil hedge beekeep bees prune weed mushroom chicken goat pond 花园 种 植物 花 草坪 树 农 菜园 阳台 果园 堆肥 养蜂 绿植 蜂 鸡 鱼塘 蘑菇 盆栽",
  moving:
    "move moving van truck driv lift carry deliver transport pick-up airport ride courier storage carpool car 搬家 搬 货车 司机 开车 运 送货 拼车 顺风车 接机 快递 车 代驾 仓储",
  travel:
    "travel trip tour itinerary guide camp visa hotel flight vacation holiday weekend roadtrip abroad backpack sail boat kayak van-life camper pilgrim passport island beach mountain 旅行 旅游 出游 攻略 导游 露营 签证 酒店 自驾 出国 假期 周末 路线 向导 民宿 船 岛 海边 山 徒 护照 房车 露宿",
  legal:
    "legal law lawyer contract patent trademark tenan landlord dispute gdpr privacy-policy immigra divorce notary license 律师 法律 合同 专利 商标 纠纷 劳动仲裁 诉讼 法务 公证 移民 离婚 维权 执照 注册公司",
  finance:
    "tax account bookkeep invoic invest loan mortgage fund fundrais financ insurance pension crypto pitch-deck 报税 税 会计 财务 记账 发票 理财 投资 贷款 房贷 融资 保险 基金 商业计划书",
  housing:
    "apartment flat flatmate roommate rent house room sublet office coworking co-working desk accommodation property landlord 租房 室友 合租 房子 房源 转租 办公室 工位 住 公寓 买房 看房 店面",
  hardware:
    "hardware electronic arduino raspberry 3d-print robot sensor circuit pcb bike bicycle laptop computer phone printer wifi network solder 硬件 电子 单片机 3D打印 传感器 电路 自行车 电脑 手机 打印机 网络 路由器 无人机 焊接 嵌入式",
  career:
    "job career interview hire hiring recruit intern salary employ freelanc linkedin headhunt workplace part-time 求职 工作 面试 招聘 招 实习 职业 转行 兼职 薪 猎头 内推 跳槽 人事",
  research:
    "research paper experiment lab thesis science scientific biolog academic literature phd participants citation genealog archive history museum map survey translate-old identify antique stamp 研究 科研 实验 论文 学术 文献 调研 访谈 博士 课题 生物 开题 家谱 族谱 档案 历史 文物 鉴定 古 老照片 博物",
  play: "game chess board-game d&d dungeon puzzle poker go-player mahjong esports quiz magic card lego model-train collect cosplay escape-room juggl 游戏 桌游 剧本杀 围棋 象棋 棋 麻将 电竞 密室 狼人杀 开黑 收藏 乐高 模型 魔方 集邮 手办",
  company:
    "friend companion talk conversation partner date dating buddy lonely hang-out penpal listen someone-to pen-pal together meet divorced widow accountability practise-with grief 朋友 聊天 搭子 相亲 对象 倾诉 陪我 脱单 同伴 认识 一起 笔友 孤独 独居 失恋 丧 陪 约 组队 结伴 监督",
  community:
    "volunteer charity donat nonprofit non-profit ngo community neighbour neighbor neighborhood clean-up refugee cause library lost missing search-for neighb protest petition memorial witness find-out 志愿 公益 社区 邻居 捐 义工 慈善 环保 募捐 图书馆 乡村 失联 寻人 走失 找回 互助 病友 同乡 老乡 校友",
  supply:
    "supplier factory manufactur sourc import export warehouse logistic shipping wholesale distributor oem bulk batch machin mill prototype-run sample 工厂 供应商 代工 生产 外贸 物流 仓库 跨境 进口 出口 批发 渠道 打样 货源 厂 加工 批量 打版 铸 铝 定制 订做",
  selling:
    "sell shop store ecommerce e-commerce customer sales b2b amazon shopify etsy client retail lead 电商 淘宝 卖 开店 店 客户 销售 闲鱼 拼多多 零售 网店 摆摊 代购",
  lending:
    "borrow lend second-hand secondhand used buy swap share tool rental give-away ladder drill 借 二手 转让 置换 租借 共享 闲置 买",
  space:
    "architect interior floor-plan build construct layout decorat furniture-design landscape 建筑 室内 户型 布局 软装 施工 图纸 空间 盖房",
  household:
    "clean tidy declutter laundry iron errand queue house-sit housekeep housesit wash sort-out organis-my carry-up assemble-my keys knives sharpen 打扫 保洁 整理 收纳 跑腿 排队 家政 洗衣 代取 清洗 擦 钟点工",
  advice:
    "advice advis consult expert strateg negotiat plan review mentor feedback second-opinion guidance brainstorm decide raise sustainab carbon 顾问 专家 建议 咨询 规划 评估 师傅 教练 出主意 把关 参谋 谈判 碳 指点 请教",
  voice:
    "voice actor actress narrat dub audiobook presenter mc santa costume rehears role-play propos toast speech stand-up magic-show magician clown 配音 朗读 主播 演员 群演 排练 求婚 司仪 旁白 脱口秀 魔术师 小丑 广播剧",
  security:
    "security privacy encrypt pentest hack backup password audit vulnerab 安全 隐私 加密 备份 渗透 密码 漏洞 合规 审计",
} as const;

export type Need = keyof typeof NEEDS;

/** Nobody can do this, whatever else is in the sentence; what is stranger than these words a sandbox does not notice. */
const IMPOSSIBLE = [
  /\bunicorns?\b|\b(to|on|off|from) the (moon|sun)\b|\b(to|on|from) mars\b|parallel universes?/,
  /teleport|time[- ]?(travel|machine)|back to (life|1\d\d\d)|immortality|perpetual motion|faster than light|telepath/,
  /never been born|in no place|last digit of pi|biggest number|married bachelor/,
  /独角兽|火星|月球上|太阳(上|表面)|平行宇宙|时光机|回到过去|瞬移|长生不老|永生|永动机|心灵感应|比光(还|更)?快|从来?没(存在|出生)/,
];

interface Words {
  latin: readonly RegExp[];
  han: readonly string[];
}

const wordsOf = (list: string): Words => {
  const words = list.split(/\s+/);
  const isHan = (word: string) => /\p{Script=Han}/u.test(word);
  return {
    // Short words stand alone: "ai" is not in "air".
    latin: words
      .filter((word) => !isHan(word))
      .map((word) => {
        const text = word.toLowerCase().replaceAll("-", "[- ]?");
        return new RegExp(word.length <= 3 ? `\\b${text}s?\\b` : `\\b${text}`);
      }),
    han: words.filter(isHan).map((word) => word.toLowerCase()),
  };
};

const found = (text: string, { latin, han }: Words): number =>
  latin.filter((word) => word.test(text)).length + han.filter((word) => text.includes(word)).length;

const needs = Object.entries(NEEDS).map(([need, list]) => [need as Need, wordsOf(list)] as const);

/** A demand says what it wants within these. */
const MAX_CHARS = 2_000;

/** What a demand asks for, with how many words say so; empty for what nobody here could want. */
export function needsIn(demand: string): Map<Need, number> {
  const text = demand.slice(0, MAX_CHARS).toLowerCase();
  if (IMPOSSIBLE.some((one) => one.test(text))) return new Map();
  return new Map(needs.map(([need, words]) => [need, found(text, words)] as const).filter(([, count]) => count > 0));
}
