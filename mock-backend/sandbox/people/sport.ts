import type { Person } from "../person.ts";

/** Those who move, play and keep company. */
export const SPORT: readonly Person[] = [
  {
    id: "dash_trotter",
    name: "Dash Trotter",
    bio: { en: "Runs slowly and every day, talks all the way", zh: "天天跑，跑得慢，一路都能聊" },
    does: [
      {
        kind: "company",
        en: {
          skill: "company for running",
          words:
            "running partner, running buddy, run with, jog, jogging, running group, run together, morning run, couch to 5k, trail running, go running, run together, running mate, park run, parkrun, running club, start running",
          near: "run, running, pace, slow, morning, km, marathon, partner, buddy",
          says: "I run slowly enough to talk, and I come in rain as well; nobody has to keep up with me.",
          asks: "How far do you go now, and from which corner do we start?",
        },
        zh: {
          skill: "跑步搭子",
          words: "跑步, 晨跑, 夜跑, 跑步搭子, 一起跑, 慢跑, 跑团, 陪跑, 跑友, 约跑, 越野跑",
          near: "配速, 搭子, 公里, 早上, 坚持, 马拉松",
          says: "我跑得慢，边跑边聊，下雨也来；不用追我的配速。",
          asks: "现在一次跑多远？从哪个路口出发？",
        },
      },
      {
        kind: "lessons",
        en: {
          skill: "plans for a first race",
          words:
            "running coach, marathon training, half marathon, marathon, race training, running plan, training plan, triathlon, 10k plan, cycling coach, sprint, faster",
          near: "run, running, race, coach, plan, weeks, km",
          says: "I write a plan week by week and change it when life does.",
          asks: "Which race, when, and what hurts after a long run?",
        },
        zh: {
          skill: "马拉松训练计划",
          words: "马拉松, 半马, 全马, 跑步教练, 训练计划, 铁三, 备赛, 首马, 间歇跑",
          near: "跑, 教练, 比赛, 配速",
          says: "我按周写计划，生活有变就改。",
          asks: "哪场比赛？长跑之后哪里会疼？",
        },
      },
    ],
  },
  {
    id: "you_xiaoyu",
    name: "游小鱼",
    bio: { en: "Swimming teacher who learned it at thirty", zh: "游泳教练，自己三十岁才学会" },
    price: { en: "€20 a lesson, entry extra.", zh: "每课 100 元，门票另付。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "swimming for adults and children",
          words:
            "swim, swimming, learn to swim, swimming lessons, swimming teacher, freestyle, front crawl, breaststroke, afraid of water, deep water, diving, snorkel, swim coach, aqua, fear of water",
          near: "water, pool, adult, afraid, kids, sea",
          says: "We stay where you can stand until you yourself want to go deeper.",
          asks: "What happens when your face goes under water?",
        },
        zh: {
          skill: "成人和儿童游泳",
          words: "游泳, 学游泳, 游泳教练, 自由泳, 蛙泳, 怕水, 潜水, 浮潜, 旱鸭子, 学会游",
          near: "水, 泳池, 成人, 孩子, 教练",
          says: "一直在能站住的地方练，您自己想往深处去再去。",
          asks: "脸一沉到水里会怎样？",
        },
      },
    ],
  },
  {
    id: "asana_stillwater",
    name: "Asana Stillwater",
    bio: { en: "Yoga in the old boathouse, chairs for stiff people", zh: "在旧船屋教瑜伽，身体硬的坐椅子练" },
    price: { en: "€10 a class, the first one free.", zh: "每课 50 元，第一次免费。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "yoga, pilates and meditation",
          words:
            "yoga, pilates, meditation, meditate, mindfulness, prenatal yoga, breathing exercises, relax, relaxation, qigong, yoga teacher, yoga class, flexibility",
          near: "stretch, class, beginner, stress, calm, teacher",
          says: "Nobody has to touch their toes; you come as stiff as you are.",
          asks: "Is there anything that your body must not do?",
        },
        zh: {
          skill: "瑜伽、普拉提和冥想",
          words: "瑜伽, 普拉提, 冥想, 正念, 孕期瑜伽, 放松, 气功, 八段锦, 瑜伽老师, 柔韧",
          near: "拉伸, 零基础, 压力",
          says: "不用够得着脚尖，身体多硬都可以来。",
          asks: "有没有身体不能做的动作？",
        },
      },
    ],
  },
  {
    id: "yu_xiaofei",
    name: "羽小飞",
    bio: { en: "Plays everything with a racket or a bat", zh: "带拍子的球都打" },
    price: { en: "Courts are shared; a lesson is €20.", zh: "场地费平摊，教练课 100 元。" },
    does: [
      {
        kind: "company",
        en: {
          skill: "badminton, table tennis and tennis partner",
          words:
            "badminton, table tennis, ping pong, tennis, squash, tennis partner, tennis coach, hitting partner, doubles, padel, pickleball, golf, volleyball",
          near: "partner, racket, coach, court, play, level, weekly",
          says: "I play at your level, whatever it is, and I have a court every week.",
          asks: "How long have you played, and singles or doubles?",
        },
        zh: {
          skill: "羽毛球、乒乓球和网球球友",
          words: "羽毛球, 乒乓球, 网球, 球友, 打球, 双打, 陪打, 匹克球, 壁球, 高尔夫, 排球, 台球",
          near: "搭子, 教练, 场地, 水平, 每周, 球拍",
          says: "按您的水平打，我每周都有固定场地。",
          asks: "打了多久？单打还是双打？",
        },
      },
    ],
  },
  {
    id: "goal_kickwell",
    name: "Goal Kickwell",
    bio: { en: "Coach of the town's under-twelves and of tired fathers", zh: "带镇上少年队，也带一帮累了的爸爸踢球" },
    price: { en: "€5 for a training.", zh: "每次训练 20 元。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "football, basketball and teams for everybody",
          words:
            "football, soccer, basketball, football coach, basketball coach, goalkeeper, five-a-side, pickup game, team sport, rugby, handball, hockey, baseball, kids team, cricket, frisbee, skating, skateboarding lessons, roller skates, rollerblading, ice skating",
          near: "coach, team, training, kids, ball, players, son, daughter",
          says: "Everybody plays in every game with us; whoever cannot yet learns it there.",
          asks: "How old are the players, and has anybody played before?",
        },
        zh: {
          skill: "足球、篮球和组队",
          words:
            "足球, 篮球, 踢球, 足球教练, 篮球教练, 守门员, 组队踢球, 野球, 球队, 橄榄球, 飞盘, 棒球, 滑冰, 轮滑, 体测, 体育中考, 跳绳",
          near: "教练, 训练, 孩子, 比赛",
          says: "我们每场人人上场，不会的在场上学。",
          asks: "多大年纪？之前踢过打过吗？",
        },
      },
    ],
  },
  {
    id: "shan_xiaojing",
    name: "山小径",
    bio: { en: "Mountain guide, knows where the path is dry", zh: "山地向导，知道哪条路不打滑" },
    limit: { en: "I turn back when the weather turns.", zh: "天气一变我就掉头。" },
    does: [
      {
        kind: "company",
        en: {
          skill: "hiking, climbing and camping together",
          words:
            "hike, hiking, climb, climbing, mountain, mountains, camping, trekking, bouldering, hiking group, hiking partner, climbing partner, backpacking, ski, skiing, snowboard, bird watching, birdwatching, kayak, kayaking, canoe, sailing, surf, surfing, fishing, mushroom hunting, stargazing, walking group, long walks, cycling tour, bike tour, ride together, cycling buddy, cycling partner, cycling group",
          near: "partner, trail, weekend, tour, guide, beginner, group, cycling, walk",
          says: "I know three tours of that kind and carry the rope and the tea.",
          asks: "How many hours do you walk gladly, and do heights trouble you?",
        },
        zh: {
          skill: "一起徒步、攀岩和露营",
          words:
            "徒步, 爬山, 登山, 攀岩, 露营, 抱石, 驴友, 户外, 滑雪, 观鸟, 皮划艇, 骑行, 骑车, 钓鱼, 看星星, 冲浪, 帆船, 桨板, 野营, 赶海",
          near: "搭子, 周末, 路线, 向导, 新手, 一起",
          says: "这样的路线我熟三条，绳子和热茶我背。",
          asks: "走几个小时还觉得开心？恐高吗？",
        },
      },
      {
        kind: "company",
        like: "company for running",
        en: {
          skill: "runs on forest paths",
          says: "I run on soft ground, up and down, and stop where there is something to see.",
          asks: "Do you mind mud?",
        },
        zh: {
          skill: "林间慢跑",
          says: "我跑林间小路，有上有下，有好看的就停一停。",
          asks: "介意踩泥吗？",
        },
      },
    ],
  },
  {
    id: "guard_stance",
    name: "Guard Stance",
    bio: { en: "Tai chi at six, boxing at eight", zh: "早上打太极，晚上教拳击" },
    price: { en: "€12 a class.", zh: "每课 50 元。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "tai chi, self-defence and boxing",
          words:
            "tai chi, taichi, martial arts, self-defence, self-defense, self defence, self defense, boxing, judo, karate, kung fu, taekwondo, kickboxing, jiu-jitsu, wing chun, archery, wrestling, aikido, fencing lessons, fencing club, foil and épée",
          near: "class, train, trainer, kids, confidence, beginner",
          says: "Falling comes first, then standing; hitting is the least of it.",
          asks: "What brings you to it: health, fear or fun?",
        },
        zh: {
          skill: "太极、防身术和拳击",
          words: "太极, 太极拳, 武术, 防身术, 拳击, 柔道, 空手道, 功夫, 跆拳道, 散打, 击剑, 咏春, 射箭, 剑术, 马步",
          near: "教练, 孩子, 强身, 零基础",
          says: "先学摔，再学站，打是最后的事。",
          asks: "是为了身体、为了胆量，还是为了好玩？",
        },
      },
      {
        kind: "lessons",
        en: {
          skill: "strength and fitness training",
          words:
            "personal trainer, gym, workout, strength training, fitness, weight training, crossfit, get fit, muscle, lifting weights, exercise plan, pull-up, pull-ups, gym buddy, workout buddy, gym partner, push-ups, get in shape",
          near: "train, fit, coach, plan, beginner, exercise",
          says: "Three exercises, done well, twice a week; more comes when you miss them.",
          asks: "What do you want to be able to lift, climb or carry?",
        },
        zh: {
          skill: "力量和健身训练",
          words: "健身, 私教, 力量训练, 增肌, 健身搭子, 健身房, 体能, 塑形, 撸铁, 引体向上, 健身教练, 核心训练",
          near: "教练, 计划, 打卡, 监督",
          says: "三个动作做到位，一周两次，想加的时候再加。",
          asks: "最想举得动、爬得上还是扛得起什么？",
        },
      },
    ],
  },
  {
    id: "qi_yibu",
    name: "棋一步",
    bio: { en: "A table for chess, go and cards that is never empty", zh: "棋桌从不空，象棋围棋麻将都有人" },
    does: [
      {
        kind: "company",
        en: {
          skill: "chess, go, cards and board games",
          words:
            "chess, board game, board games, go game, play go, mahjong, bridge partner, card game, cards, poker, dungeons and dragons, d&d, role-playing, roleplaying, scrabble, backgammon, game night, puzzle, chess partner, chess teacher, chess coach, video game, gaming, play chess, crossword, escape room, quiz night, lego, model train, warhammer",
          near: "play, partner, beginner, evening, group, players, club",
          says: "There is a table with tea; beginners win against me when I am tired.",
          asks: "Which game, and for winning or for talking?",
        },
        zh: {
          skill: "象棋、围棋、麻将和桌游",
          words:
            "象棋, 围棋, 下棋, 棋友, 麻将, 桌游, 打牌, 扑克, 狼人杀, 剧本杀, 长牌, 五子棋, 牌友, 国际象棋, 掼蛋, 桥牌, 跑团游戏, 开黑, 密室, 乐高, 游戏搭子, 斗地主",
          near: "搭子, 陪, 新手, 一起, 孩子, 老师",
          says: "桌子和茶都有；我困的时候新手也能赢我。",
          asks: "玩哪一种？图输赢还是图聊天？",
        },
      },
    ],
  },
  {
    id: "tea_fireside",
    name: "Tea Fireside",
    bio: { en: "Opens the door on most evenings; the kettle is always on", zh: "家门常开，水壶总是热的" },
    does: [
      {
        kind: "company",
        isGeneral: true,
        en: {
          skill: "company, talk and listening",
          words:
            "lonely, somebody to talk to, someone to talk to, talk to, companionship, companion, new in town, new here, know nobody, know anybody, make friends, new friends, friend, friends, pen pal, penpal, pen friend, listener, book club, reading group, walk with me, visit my, keep company, coffee with, film club, cinema, museum buddy, knitting circle, meet people, meet new people, christmas alone, have lunch with, chat, accountability partner, accountability, study buddy, study together, widower, widow, museum, museums, poetry, read with, reads with",
          near: "company, evening, sunday, weekly, alone, moved, read aloud, walk, letters",
          says: "Come by or I come to you; we can talk, walk, read, or say nothing for a while.",
          asks: "What did you last enjoy in company?",
        },
        zh: {
          skill: "聊天、陪伴和散步",
          words:
            "聊天, 陪聊, 陪伴, 孤独, 说说话, 说话的人, 交朋友, 新朋友, 认识朋友, 认识新朋友, 笔友, 读书会, 散步, 一起吃饭, 饭搭子, 看电影, 看展, 倾听, 倾诉, 自习, 学习搭子, 互相监督, 解闷, 刚搬来, 陪我说",
          near: "一个人, 晚上, 周末, 陪, 独居, 一起, 搭子, 聊聊, 谈心",
          says: "您过来，或者我过去；聊天、散步、看书，或者安静坐会儿都行。",
          asks: "上一次和人在一起很开心，是在做什么？",
        },
      },
      {
        kind: "company",
        like: "chess, go, cards and board games",
        en: {
          skill: "a slow game by the fire",
          says: "I play slowly and badly, and there is always tea beside the board.",
          asks: "Does it have to be quiet?",
        },
        zh: {
          skill: "炉边慢慢下一盘",
          says: "我下得慢，也下得臭，棋盘边总有茶。",
          asks: "要安静吗？",
        },
      },
    ],
  },
  {
    id: "hong_xiaoxian",
    name: "红小线",
    bio: { en: "Matchmaker; twelve weddings, no pressure", zh: "媒人，说成过十二对，不催" },
    limit: { en: "I pass on no name without both sides saying yes.", zh: "双方都同意，才告诉名字。" },
    does: [
      {
        kind: "company",
        en: {
          skill: "introductions for people who look for somebody",
          words:
            "matchmaker, dating, relationship, partner for life, matchmaking, blind date, romance, life partner, meet someone special, serious relationship, speed dating, soulmate, find a girlfriend, find a boyfriend, a girlfriend, a boyfriend, find a husband, find a wife, singles, being single, go on a date",
          near: "meet, lonely, divorced, honest, widowed, years old, single, date",
          says: "I think of one person at a time and tell you honestly why; the first meeting is a walk.",
          asks: "What made you laugh last, and what could you never live with?",
        },
        zh: {
          skill: "介绍对象",
          words:
            "相亲, 对象, 脱单, 介绍对象, 男朋友, 女朋友, 恋爱, 找伴, 红娘, 媒人, 结婚对象, 老伴, 征婚, 另一半, 找女友, 找男友",
          near: "认识, 单身, 离异, 认真, 岁, 真诚",
          says: "一次只想一个人，为什么合适我会直说；第一次见面就散个步。",
          asks: "最近一次笑是因为什么？哪一点绝对不能接受？",
        },
      },
    ],
  },
];
