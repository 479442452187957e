import type { Person } from "../person.ts";

/** Those who teach, translate and explain. */
export const TEACHING: readonly Person[] = [
  {
    id: "shu_xiaoyou",
    name: "数小优",
    bio: { en: "Maths teacher who was bad at maths as a child", zh: "数学老师，自己小时候数学不好" },
    limit: { en: "I do not do the homework, I explain it.", zh: "作业不代写，只讲明白。" },
    price: { en: "€22 an hour.", zh: "每小时 100 元。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "maths and physics for school",
          words:
            "maths, math, mathematics, physics, algebra, geometry, calculus, fractions, trigonometry, equations, times tables, arithmetic, maths tutor, olympiad, gcse, a-level, mechanics homework, statistics exam",
          near: "tutor, exam, school, grade, weak, homework, year, daughter, son, marks",
          says: "I find the page where it stopped making sense, and we go on from there.",
          asks: "Which topic is in class now, and when is the next test?",
        },
        zh: {
          skill: "数学和物理家教",
          words: "数学, 物理, 奥数, 几何, 代数, 方程, 函数, 微积分, 应用题, 高数, 线性代数, 数理化",
          near: "家教, 辅导, 初一, 初二, 初三, 高一, 高二, 高三, 中考, 高考, 补课, 基础, 成绩, 孩子",
          says: "我先找到从哪一页开始听不懂的，再从那里往后讲。",
          asks: "现在学到哪一章？下次考试是什么时候？",
        },
      },
      {
        kind: "lessons",
        en: {
          skill: "chemistry and biology",
          words:
            "chemistry, biology, science tutor, genetics, organic chemistry, lab report, anatomy, science lessons, science experiments, science fair",
          near: "tutor, exam, school, science, homework",
          says: "We do the experiment in the kitchen where that is possible, and the formula afterwards.",
          asks: "Which book do you use, and what comes in the exam?",
        },
        zh: {
          skill: "化学和生物",
          words: "化学, 生物, 有机化学, 遗传, 实验报告, 科学实验, 科学课",
          near: "家教, 辅导, 高考, 高二, 高三, 补课",
          says: "能在厨房做的实验就先做，再讲式子。",
          asks: "用哪一版教材？考试考哪些？",
        },
      },
    ],
  },
  {
    id: "wen_xiaodou",
    name: "文小豆",
    bio: { en: "Primary school teacher with patience to spare", zh: "小学老师，耐心有富余" },
    price: { en: "€18 an hour.", zh: "每小时 80 元。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "homework, reading and writing for children",
          words:
            "homework help, reading lessons, learn to read, spelling, handwriting, primary school, elementary school, school essay, study habits, concentration, homework, after-school, literacy, grade school, read aloud, reading aloud",
          near: "child, children, tutor, daughter, son, read, reading, grade, school",
          says: "I sit beside the child, not opposite, and we stop while it is still fun.",
          asks: "Which class is it, and at what does the child give up?",
        },
        zh: {
          skill: "小学作业、阅读和作文",
          words:
            "作业辅导, 写作业, 语文, 作文, 阅读, 拼音, 识字, 小学, 幼小衔接, 学习习惯, 注意力, 陪读, 陪写作业, 练字儿童, 古诗",
          near: "孩子, 家教, 一年级, 二年级, 三年级, 四年级, 五年级, 磨蹭, 辅导",
          says: "我坐在孩子旁边，不坐对面；还有兴趣的时候就停。",
          asks: "几年级？到哪一步最容易放弃？",
        },
      },
      {
        kind: "lessons",
        en: {
          skill: "maths up to the ninth class",
          words:
            "maths, math, mathematics, geometry, algebra, fractions, arithmetic, times tables, equations, maths tutor, math tutor, word problems",
          near: "tutor, exam, school, grade, weak, homework, daughter, son, marks",
          says: "With me maths begins with paper, scissors and money; the book comes afterwards.",
          asks: "What marks are they now, and since when?",
        },
        zh: {
          skill: "初中及以下的数学",
          words: "数学, 几何, 代数, 方程, 应用题, 口算, 奥数",
          near: "家教, 辅导, 初一, 初二, 初三, 中考, 补课, 基础, 成绩, 孩子",
          says: "我从折纸、剪刀和零钱讲起，书放在后面。",
          asks: "现在多少分？从什么时候开始掉的？",
        },
      },
    ],
  },
  {
    id: "letta_grammar",
    name: "Letta Grammar",
    bio: { en: "English teacher from the ferry town; corrects kindly", zh: "英语老师，纠错很温和" },
    price: { en: "€20 an hour, the first one free.", zh: "每小时 100 元，第一次免费。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "English, spoken and for exams",
          words:
            "english teacher, english lessons, learn english, improve my english, english tutor, spoken english, ielts, toefl, english conversation, pronunciation, accent, grammar, business english, practise english, practice english, english class, cambridge exam, essay, check my english, english essay, cambridge",
          near: "english, speak, language, exam, conversation",
          says: "We speak from the first minute, and I write your mistakes down for the end.",
          asks: "What will you need your English for first?",
        },
        zh: {
          skill: "英语口语和考试",
          words: "英语, 口语, 雅思, 托福, 四六级, 四级, 六级, 英文, 音标, 语法, 外教, 商务英语, 英语角, 单词, 练口语",
          near: "家教, 老师, 发音, 考试, 陪练",
          says: "从第一分钟就开口说，错的我记下来最后再讲。",
          asks: "最先要用英语做什么？",
        },
      },
    ],
  },
  {
    id: "babel_tonguewell",
    name: "Babel Tonguewell",
    bio: {
      en: "Grew up with four languages and teaches them at the kitchen table",
      zh: "从小说四种语言，在厨房桌边教",
    },
    price: { en: "€20 an hour, or an exchange.", zh: "每小时 90 元，也可以互相教。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "French, Spanish, German and Italian",
          words:
            "french, spanish, german, italian, portuguese, language exchange, tandem partner, language partner, learn a language, delf, conversation partner, language lessons",
          near: "language, speak, lessons, practise, practice, conversation, learn, beginner",
          says: "We cook or walk while we speak; grammar comes when you ask for it.",
          asks: "What can you say already, and where do you want to go with it?",
        },
        zh: {
          skill: "法语、西班牙语、德语和意大利语",
          words: "法语, 西班牙语, 德语, 意大利语, 葡萄牙语, 小语种, 语言交换, 语伴, 外语, 西语",
          near: "学, 口语, 零基础, 练习",
          says: "边做饭、边散步边说，语法等您问了再讲。",
          asks: "现在会说到什么程度？想用在哪里？",
        },
      },
      {
        kind: "lessons",
        en: {
          skill: "Chinese, Japanese and Korean for beginners",
          words:
            "chinese lessons, mandarin, learn chinese, cantonese, japanese, korean, hsk, chinese teacher, chinese characters, pinyin, practise chinese, practice chinese, jlpt",
          near: "language, speak, chinese, lessons, tones",
          says: "Tones first, with songs; the characters come by themselves.",
          asks: "How much time a day do you honestly have?",
        },
        zh: {
          skill: "日语、韩语和对外汉语",
          words: "日语, 韩语, 对外汉语, 学中文, 中文老师, 粤语, 普通话, 汉语水平, 日语口语, 五十音, 学日语",
          near: "口语, 零基础, 考级, 老师",
          says: "先练发音，用歌来学，字慢慢自己就认得了。",
          asks: "每天实际能拿出多少时间？",
        },
      },
      {
        kind: "lessons",
        like: "English, spoken and for exams",
        en: {
          skill: "English while we cook",
          says: "We speak English over a pan; who burns something has to explain it.",
          asks: "What do you like to talk about?",
        },
        zh: {
          skill: "边做饭边说英语",
          says: "锅边说英语，谁烧糊了谁用英语解释。",
          asks: "您喜欢聊什么？",
        },
      },
    ],
  },
  {
    id: "yi_xiaoqiao",
    name: "译小桥",
    bio: { en: "Interpreter and translator, sworn in at the town court", zh: "口译兼笔译，有法院认证" },
    price: { en: "€30 a page, €45 an hour for interpreting.", zh: "每页 100 元，口译每小时 200 元。" },
    does: [
      {
        kind: "project",
        en: {
          skill: "translating papers and letters",
          handles:
            "birth certificate, contract, letter, manual, website, diploma, medical report, menu, subtitles, rental contract, lease, love letters, marriage certificate, article, thesis, recipe, book, documents",
          words:
            "birth certificate, marriage certificate, translate, letter from the, official letter, authorities, authority, immigration office, letter in, answer a letter, translator, translation, sworn translator, certified translation, subtitle, subtitling, into english, into chinese, into french, into german, from chinese, from german",
          near: "language, english, chinese, french, german, japanese, spanish, pages",
          says: "The {text} I translate, let it lie for a night and read it again.",
          asks: "From which language into which, how long, and what is it for?",
        },
        zh: {
          skill: "文件和书信翻译",
          handles: "出生证明, 合同, 说明书, 信件, 网站, 毕业证, 病历, 菜单, 字幕, 论文, 结婚证, 绘本, 文件",
          words:
            "出生证明, 德文信, 英文信, 法文信, 外文信, 公函, 官方来信, 外管局, 移民局, 看不懂, 回信, 翻译, 笔译, 译员, 公证翻译, 翻译成, 译成, 中译英, 英译中",
          near: "英文, 日语, 德语, 法语",
          says: "{材料}译完我放一晚再通读一遍。",
          asks: "从哪种语言译成哪种？多长？做什么用？",
        },
      },
      {
        kind: "errand",
        en: {
          skill: "interpreting at appointments and visits",
          words:
            "interpret, interpreter, interpreting, translator, bilingual, translate at, translate for me at, translator for a meeting, speak for me",
          near: "language, english, chinese, french, german, japanese, spanish, meeting, doctor, office, visit, visitor, delegation, guests",
          says: "I sit beside you and say everything that is said, also what is said quietly.",
          asks: "Which languages, what is it about, and how long will it take?",
        },
        zh: {
          skill: "陪同口译",
          words:
            "口译, 同传, 交传, 随行翻译, 陪同翻译, 现场翻译, 翻译陪同, 陪同口译, 日语翻译, 英语翻译, 德语翻译, 韩语翻译, 法语翻译, 同声传译, 会议口译, 交替传译",
          near: "陪同, 接待, 客人, 会议, 展会, 工厂, 医院, 英文",
          says: "我坐在您旁边，说了什么我都译，小声说的也译。",
          asks: "哪两种语言？谈什么事？大约多久？",
        },
      },
    ],
  },
  {
    id: "ma_xiaoman",
    name: "码小满",
    bio: { en: "Teaches programming to children and to their parents", zh: "教编程，孩子和家长都教" },
    price: { en: "€20 an hour.", zh: "每小时 100 元。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "programming for beginners",
          words:
            "learn to code, coding lessons, coding class, coding for, teach coding, teach my son to code, teach my daughter to code, learn programming, programming lessons, scratch, python tutor, python lessons, learn python, coding club, computer science tutor, learn javascript, coding tutor",
          near: "python, code, coding, programming, tutor, kids, beginner, teenager",
          says: "You build a small game of your own in the first month; theory comes in between.",
          asks: "What should it be able to do that you would show to a friend?",
        },
        zh: {
          skill: "编程入门课",
          words:
            "学编程, 少儿编程, 编程课, 编程老师, 编程入门, 学Python, 信奥, 信息学, 编程辅导, 教编程, Scratch, 编程家教, 零基础编程",
          near: "编程, 代码, 孩子, 入门, Python",
          says: "第一个月就做出一个自己的小游戏，原理穿插着讲。",
          asks: "最想做出什么拿给朋友看？",
        },
      },
      {
        kind: "project",
        like: "websites and apps",
        en: {
          skill: "small websites that you can change yourself",
          says: "I build the {website} so that you change the words yourself afterwards; for larger things take Stack Overby.",
          asks: "Who will look after it in a year?",
        },
        zh: {
          skill: "您自己能改的小网站",
          says: "{网站}我做成您自己能改文字的；大项目请找 Stack Overby。",
          asks: "一年以后谁来维护？",
        },
      },
    ],
  },
  {
    id: "silver_patience",
    name: "Silver Patience",
    bio: { en: "Explains phones to older people, as often as it takes", zh: "教长辈用手机，教几遍都行" },
    price: { en: "Free, tea is enough.", zh: "不收钱，有杯茶就行。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "phones and computers for older people",
          words:
            "smartphone lessons, use a smartphone, use her phone, use his phone, use a tablet, use the phone, whatsapp, video call, video calls, online banking, computer lessons, teach my grandmother to use, teach my mother to use, teach my father to use, teach my grandfather to use, teach my dad to use, teach my mum to use, teach my mom to use, digital skills, use the internet, use email, zoom, use a computer, send photos, remote control, new device",
          near: "grandmother, grandfather, parents, senior, elderly, phone, smartphone, tablet, patient, older, mother, father, computer",
          says: "We write each step down in large letters, and do it three times before we go on.",
          asks: "What would the person like to do with it most?",
        },
        zh: {
          skill: "教长辈用手机和电脑",
          words:
            "教老人用手机, 智能手机, 用手机, 学微信, 微信视频, 视频通话, 用微信, 网上挂号, 学电脑, 防诈骗, 健康码, 手机支付, 学手机, 用电脑, 教爸妈, 手机操作, 老人手机",
          near: "奶奶, 爷爷, 外婆, 外公, 妈妈, 爸爸, 老人, 耐心, 微信, 手机, 长辈",
          says: "每一步我用大字写下来，练三遍再往下走。",
          asks: "老人最想用手机做什么？",
        },
      },
    ],
  },
  {
    id: "lun_xiaowen",
    name: "论小文",
    bio: { en: "Sociologist; surveys, theses and stubborn footnotes", zh: "社会学博士，做问卷、带论文、较真脚注" },
    limit: { en: "I do not write it for you.", zh: "不代写。" },
    price: { en: "€30 an hour.", zh: "每小时 120 元。" },
    does: [
      {
        kind: "project",
        en: {
          skill: "theses, surveys and statistics",
          things:
            "thesis, dissertation, survey, questionnaire, literature review, research proposal, master's thesis, term paper, research paper, interview study",
          words:
            "statistics, spss, regression, research method, my research, academic writing, citation, phd, supervisor, stats, interview study, data for my thesis, participants",
          near: "university, methodology, chapter, data, analysis, references",
          says: "For a {thesis} I would read the question first; most trouble begins there.",
          asks: "What do you want to show, and what data is there already?",
        },
        zh: {
          skill: "论文、问卷和统计",
          things: "毕业论文, 论文, 问卷, 开题报告, 文献综述, 课题, 硕士论文, 调研报告",
          words: "统计, SPSS, 回归分析, 研究方法, 学术写作, 参考文献, 查重, 社会调查, 调研, 田野, 受访者",
          near: "大学, 导师, 数据, 硕士, 博士",
          says: "{论文}我先看研究问题，大多数麻烦都从那里开始。",
          asks: "想说明什么？手头有什么数据？",
        },
      },
      {
        kind: "advice",
        en: {
          skill: "choosing and applying to universities",
          words:
            "university application, college application, study abroad, personal statement, scholarship, admission, which university, choose a degree, erasmus, apply to university, statement of purpose, apply to college, college essay",
          near: "university, apply, master, degree, essay",
          says: "We make a list of six places, two of them daring, and work backwards from the deadlines.",
          asks: "What do you want to study, and what must it not cost?",
        },
        zh: {
          skill: "升学和留学申请",
          words:
            "留学, 申请大学, 文书, 志愿填报, 高考志愿, 填志愿, 奖学金, 选专业, 考研, 选校, 出国读书, 保研, 复试, 升学, 教师资格证, 考证, 公务员, 考公",
          near: "大学, 申请, 硕士, 学校",
          says: "先列六所学校，两所冲一冲，再按截止日期倒排。",
          asks: "想读什么？预算底线是多少？",
        },
      },
      {
        kind: "project",
        like: "editing novels, memoirs and stories",
        en: {
          skill: "reading as a first stranger",
          says: "I read the {manuscript} as somebody who does not know you, and mark where I would have stopped.",
          asks: "May I be honest about the first page?",
        },
        zh: {
          skill: "做第一个陌生读者",
          says: "我当一个不认识您的读者看{书稿}，在想放下的地方做记号。",
          asks: "第一页我能说实话吗？",
        },
      },
    ],
  },
  {
    id: "folio_dusty",
    name: "Folio Dusty",
    bio: { en: "Keeper of the town archive, smells of old paper", zh: "镇档案室管理员，一身旧纸味" },
    does: [
      {
        kind: "project",
        en: {
          skill: "family history, old papers and photographs",
          things:
            "family tree, old photos, old letters, diary, old book, stamps, coins, antique, photo albums, vase, painting of unknown origin, medals, slides, old documents, heirloom",
          words:
            "genealogy, ancestors, ancestry, genealogist, archive, local history, historian, restore photos, photo restoration, appraisal, appraise, bookbinding, rebind, bookbinder, old handwriting, great-grandfather, digitise photos, digitize photos, collector, stamp, collection, worth, value of, estimate the value",
          near: "grandparents, history, family, old, born, find out, scan, worth",
          says: "I look in the registers first, and make good copies of everything that is old.",
          asks: "What do you know for certain: names, years, places?",
        },
        zh: {
          skill: "家谱、旧文书和老照片",
          things: "家谱, 族谱, 老照片, 旧信, 日记, 旧书, 邮票, 钱币, 古董, 相册, 老物件, 瓷器",
          words:
            "寻根, 祖先, 档案, 地方史, 修复照片, 照片修复, 鉴定, 修谱, 装订, 古籍, 口述史, 收藏, 老照片扫描, 老相册, 扫描, 旧照片",
          near: "爷爷, 太爷爷, 历史, 家族, 扫描",
          says: "我先查册子；{旧物}先做好复制件，原件少动。",
          asks: "哪些是确定的：姓名、年份、地点？",
        },
      },
    ],
  },
];
