import type { Person } from "../person.ts";

/** Those who cook, celebrate, travel and bring people together. */
export const TABLE: readonly Person[] = [
  {
    id: "bun_breadley",
    name: "Bun Breadley",
    bio: { en: "Baker; up at three, asleep at nine", zh: "面包师，三点起床，九点睡觉" },
    price: { en: "A cake for twelve from €45.", zh: "十二人份的蛋糕 150 元起。" },
    does: [
      {
        kind: "order",
        en: {
          skill: "bread and cakes to order",
          things:
            "birthday cake, wedding cake, cake, bread, cupcakes, cookies, pastries, croissants, pie, gluten-free cake, vegan cake, gingerbread house, bread rolls, biscuits, tart",
          words: "baker, bakery, cake for, patisserie, pastry chef, baked goods",
          near: "birthday, wedding, guests, chocolate, party, sweet, oven",
          says: "I bake the {cake} on the morning you need it, and can leave out what somebody cannot eat.",
          asks: "For how many, is there an allergy, and what should be on it?",
        },
        zh: {
          skill: "订做面包和蛋糕",
          things: "生日蛋糕, 婚礼蛋糕, 蛋糕, 面包, 甜品台, 饼干, 月饼, 点心, 无糖蛋糕, 翻糖蛋糕, 司康, 蛋挞, 甜品",
          words: "烘焙师, 面包师, 订做蛋糕, 定蛋糕, 订蛋糕, 西点, 甜品师",
          near: "生日, 婚礼, 甜, 巧克力",
          says: "{蛋糕}当天早上现做，谁不能吃什么可以不放。",
          asks: "几个人吃？有人过敏吗？上面想放什么？",
        },
      },
      {
        kind: "lessons",
        en: {
          skill: "baking lessons",
          words:
            "learn to bake, baking class, baking lessons, sourdough, bake bread, bread baking, baking course, teach me to bake, bake, baking, cake decorating",
          near: "bread, dough, starter, cake, beginner",
          says: "You knead, I watch; the loaf goes home with you.",
          asks: "What came out of your oven last time, and what was wrong with it?",
        },
        zh: {
          skill: "烘焙课",
          words: "学烘焙, 烘焙课, 学做面包, 学做蛋糕, 酸种, 烘焙, 做面包, 裱花, 学甜品",
          near: "面团, 蛋糕, 新手, 面包",
          says: "您揉面我看着，做好的面包带回家。",
          asks: "上次烤出来是什么样？哪里不满意？",
        },
      },
    ],
  },
  {
    id: "chao_xiaoxiang",
    name: "炒小香",
    bio: { en: "Cooks at home for others; Sichuan and Cantonese", zh: "私厨，川菜粤菜都做" },
    price: { en: "€20 a head, shopping included.", zh: "每位 80 元，含买菜。" },
    does: [
      {
        kind: "event",
        en: {
          skill: "dinners cooked in your kitchen",
          things:
            "dinner, family dinner, anniversary dinner, hotpot, buffet, lunch, dumplings, banquet, sunday lunch, meals, barbecue",
          words:
            "private chef, feast, chef, cook for us, cook for, home cook, cook dinner, personal chef, catering, caterer, cater, finger food, canapes, vegan food, weekly cooking, cook",
          near: "guests, food, kitchen, party, people, wedding, vegetarian, vegan, eat",
          says: "I shop, cook the {dinner} in your kitchen and leave it cleaner than I found it.",
          asks: "How many eat, what does nobody eat, and how many rings has the cooker?",
        },
        zh: {
          skill: "上门做饭和宴席",
          things: "家宴, 年夜饭, 晚饭, 火锅, 自助餐, 饺子, 宴席, 午饭, 生日宴, 满月酒, 烧烤, 月子饭",
          words: "私厨, 厨师, 上门做饭, 做饭, 掌勺, 餐饮, 素食, 冷餐, 做菜, 做一桌, 烧菜, 宴请",
          near: "客人, 厨房, 聚会, 口味, 菜",
          says: "{家宴}我来买菜、在您家做，走的时候厨房比来时干净。",
          asks: "几个人吃？忌口是什么？灶有几个眼？",
        },
      },
      {
        kind: "lessons",
        en: {
          skill: "cooking lessons",
          words:
            "cooking lessons, cooking class, learn to cook, teach me to cook, cooking course, wok, learn to make, dim sum, make sushi, knife skills, make dumplings, how to cook, learn cooking, cooking teacher, home cooking lessons",
          near: "cook, recipes, kitchen, chinese, food, dishes",
          says: "Three dishes in an evening, and you can cook them alone afterwards.",
          asks: "What do you cook now when you are tired?",
        },
        zh: {
          skill: "做菜课",
          words: "学做饭, 学做菜, 厨艺, 教做菜, 川菜, 粤菜, 家常菜, 包饺子, 学炒菜, 教我做饭, 面点, 刀工",
          near: "厨房, 食谱, 新手",
          says: "一晚上教三道，回去自己就能做。",
          asks: "累的时候您平时做什么吃？",
        },
      },
    ],
  },
  {
    id: "ka_xiaofei",
    name: "咖小啡",
    bio: { en: "Roasts coffee, blends tea, brews beer", zh: "烘咖啡、配茶，也酿酒" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "coffee, tea and home brewing",
          words:
            "barista, latte art, coffee roasting, coffee beans, tea ceremony, tea tasting, home brew, homebrew, brew beer, wine tasting, wine, cocktails, bartender, kombucha, fermentation, fermenting, cheese making, kimchi, espresso lessons, brewing",
          near: "coffee, tea, beer, taste, cafe, learn, drinks",
          says: "We taste first and talk about machines afterwards.",
          asks: "What do you drink now, and what do you have at home?",
        },
        zh: {
          skill: "咖啡、茶和酿造",
          words:
            "手冲, 拉花, 咖啡师, 烘豆, 茶艺, 品茶, 茶道, 酿酒, 调酒, 精酿, 红酒, 发酵, 泡菜, 学咖啡, 品酒, 功夫茶, 酿米酒",
          near: "咖啡, 茶, 学",
          says: "先喝再说器具。",
          asks: "现在平时喝什么？家里有什么设备？",
        },
      },
    ],
  },
  {
    id: "confetti_planwell",
    name: "Confetti Planwell",
    bio: { en: "Plans celebrations with a list for everything", zh: "办活动的，什么都有清单" },
    price: { en: "€300 for a day of up to 60 guests.", zh: "六十人以内一天 1000 元。" },
    does: [
      {
        kind: "event",
        isGeneral: true,
        en: {
          skill: "weddings, birthdays and town events",
          words:
            "event planner, wedding planner, party planner, plan a wedding, plan our wedding, plan a party, organise a party, organize a party, organise our, organize our, venue, venues, event planning, workshop space, community hall, party room, place for a party, plan a surprise, organise a, organize a, host a party, proposal, team building, propose",
          near: "wedding, guests, party, birthday, event, celebrate, people, organise, organize, celebration, street party, reunion, hall, conference, baby shower, meetup, hackathon, festival, fundraiser, fair",
          says: "I make the list, find the place and stand at the door on the day.",
          asks: "How many guests, what may it cost in all, and what must not happen?",
        },
        zh: {
          skill: "婚礼、生日和社区活动",
          words:
            "婚礼策划, 活动策划, 策划, 场地, 聚会策划, 团建, 求婚, 会场, 布置场地, 组织活动, 筹备, 承办, 场地布置, 求婚策划",
          near: "婚礼, 活动, 生日, 聚会, 客人, 仪式, 布置, 人数, 年会, 百日宴, 同学会, 沙龙, 寿宴, 订婚, 运动会, 周年庆, 办一场, 办婚礼, 办活动",
          says: "清单我列、场地我找，当天我站在门口。",
          asks: "多少人？总预算多少？最怕出什么岔子？",
        },
      },
    ],
  },
  {
    id: "xi_xiaotai",
    name: "喜小台",
    bio: { en: "Host and magician; one rabbit, retired", zh: "主持人兼魔术师，兔子已退休" },
    price: { en: "€120 for two hours.", zh: "两小时 500 元。" },
    does: [
      {
        kind: "event",
        en: {
          skill: "hosting and magic shows",
          words:
            "host, mc, master of ceremonies, magician, magic show, magic, clown, entertainer, emcee, santa, santa claus, compere, moderator, auctioneer, juggler, balloon animals, bubble show",
          near: "party, wedding, children, stage, evening, guests, birthday",
          says: "I speak with you twice before and keep to the time on the day; jokes only about myself.",
          asks: "Who sits there, and which name must I not get wrong?",
        },
        zh: {
          skill: "主持和魔术",
          words: "主持人, 主持, 司仪, 魔术, 魔术师, 小丑, 圣诞老人, 暖场, 双语主持, 气球, 抽奖, 泡泡秀, 婚礼司仪",
          near: "婚礼, 年会, 生日, 舞台, 节目",
          says: "提前和您对两次流程，当天卡准时间，只拿自己开玩笑。",
          asks: "台下都是谁？哪个名字绝不能念错？",
        },
      },
    ],
  },
  {
    id: "hua_xiaoduo",
    name: "花小朵",
    bio: { en: "Florist with a cold room and warm hands", zh: "花艺师，冷库里有花，手是暖的" },
    price: { en: "Bouquets from €25.", zh: "花束 80 元起。" },
    does: [
      {
        kind: "order",
        en: {
          skill: "flowers and decoration",
          things:
            "bouquet, bridal bouquet, wreath, table flowers, flower arch, funeral wreath, balloon arch, christmas decorations, centrepieces, corsage",
          words:
            "florist, flowers for, flower arranging, floral, decoration for, ikebana, flower arrangement, dried flowers, decorator for a party, decorations",
          near: "wedding, flowers, table, roses, funeral, party, decorate",
          says: "I make the {bouquet} from what is in season, in your colours.",
          asks: "Which colours, how many, and where do they stand?",
        },
        zh: {
          skill: "花艺和布置",
          things: "手捧花, 花束, 花环, 桌花, 花门, 花圈, 花篮, 气球拱门, 胸花",
          words: "花艺, 花艺师, 鲜花, 插花, 订花, 干花, 婚礼布置, 婚礼花艺, 送花, 学插花",
          near: "婚礼, 花, 布置, 开业",
          says: "{花束}用当季的花，颜色按您的来。",
          asks: "什么颜色？要多少？摆在哪里？",
        },
      },
    ],
  },
  {
    id: "atlas_roamer",
    name: "Atlas Roamer",
    bio: { en: "Forty countries by train, guide for five years", zh: "坐火车走过四十个国家，做过五年导游" },
    price: { en: "€60 for a whole itinerary.", zh: "整份行程 200 元。" },
    does: [
      {
        kind: "advice",
        en: {
          skill: "itineraries and guided days",
          words:
            "itinerary, travel plan, trip, tour guide, travel, guide, road trip, honeymoon, travel agent, interrail, backpacking trip, family holiday, vacation, city tour, sightseeing, weekend trip, plan a trip, travelling, traveling, day trip, show us around, show me around, local guide, pilgrimage, safari, camino",
          near: "days, train, hotel, weeks, visit, kids, holiday, route, tickets",
          says: "I would plan fewer places and longer stays, with one free day in the middle.",
          asks: "Who travels, how many days, and what would spoil it?",
        },
        zh: {
          skill: "行程规划和导游",
          words:
            "旅行, 旅游, 行程, 攻略, 导游, 自驾, 自由行, 蜜月, 出国玩, 跟团, 亲子游, 一日游, 地陪, 环游, 出游, 旅拍路线, 自驾游, 规划路线",
          near: "几天, 酒店, 火车, 路线, 假期, 签证",
          says: "我会少排几个地方、多住几天，中间留一天空着。",
          asks: "谁去？几天？什么事会扫兴？",
        },
      },
      {
        kind: "company",
        en: {
          skill: "company on a journey",
          words:
            "travel companion, travel buddy, travel partner, travel mate, travel with, trip partner, road trip buddy",
          near: "travel, trip, together, share, women",
          says: "I like early trains and long walks, and I split every bill down the middle.",
          asks: "Where to, for how long, and how do you travel when you are tired?",
        },
        zh: {
          skill: "旅行搭子",
          words: "旅伴, 旅行搭子, 结伴旅行, 一起旅行, 结伴, 同行, 拼团, 驴友旅行, 旅游搭子, 结伴出游, 自驾, 自驾搭子",
          near: "旅行, 一起, 拼房, 自驾",
          says: "我喜欢早班火车和走路，花费一人一半。",
          asks: "去哪里、多久？您累了会怎么走？",
        },
      },
    ],
  },
  {
    id: "hall_gatherby",
    name: "Hall Gatherby",
    bio: { en: "Keeps the key of the village hall and a list of who helps", zh: "管着村礼堂的钥匙，谁肯帮忙心里有数" },
    does: [
      {
        kind: "project",
        en: {
          skill: "volunteers, clubs and neighbourhood work",
          words:
            "volunteer, volunteers, volunteering, charity, food bank, clean-up, litter, community project, donate, donation, donations, committee, search party, search for my, treasurer, treasurer for, soup kitchen, refugees, petition, association, nonprofit, non-profit, blood drive, lost dog, lost cat, missing cat, missing dog, leaflets, playground, homeless",
          near: "help, neighbourhood, neighborhood, neighbours, neighbors, club, search, lost, missing, community, village, local, street, organise, organize, town, found",
          says: "I ask round on Sunday after church and at the football; usually five people come.",
          asks: "What exactly should they do, for how long, and who thanks them?",
        },
        zh: {
          skill: "志愿者、社团和邻里互助",
          words:
            "志愿者, 志愿, 公益, 义工, 邻里, 邻居互助, 社区, 募捐, 捐赠, 社团, 环保活动, 捡垃圾, 互助, 乡村图书馆, 支教, 走失, 寻猫, 寻狗, 寻人, 业委会, 流浪猫, 流浪狗, 捐书",
          near: "帮忙, 邻居, 村里, 小区, 组织",
          says: "我在广场上问一圈，一般能来五个人。",
          asks: "具体做什么？多久？谁来谢他们？",
        },
      },
      {
        kind: "advice",
        like: "tenancy, deposits and disputes",
        en: {
          skill: "the tenants' and neighbours' table",
          says: "On our evening for tenants and neighbours somebody has mostly had the same quarrel; come with your papers.",
          asks: "Have you spoken with the other side yet?",
        },
        zh: {
          skill: "租客邻里互助桌",
          says: "我们有租客和邻居互助的晚上，多半有人吵过同样的架；带上材料来。",
          asks: "和对方谈过了吗？",
        },
      },
    ],
  },
];
