import type { Person } from "../person.ts";

/** Those who work outdoors. */
export const LAND: readonly Person[] = [
  {
    id: "hedge_mowbray",
    name: "Hedge Mowbray",
    bio: { en: "Gardener with a ladder, a mower and time", zh: "园丁，有梯子、割草机和时间" },
    limit: { en: "I use no poison.", zh: "不打农药。" },
    price: { en: "€25 an hour, cuttings taken away.", zh: "每小时 80 元，枝叶我拉走。" },
    does: [
      {
        kind: "errand",
        en: {
          skill: "hedges, lawns and trees",
          things:
            "hedge, lawn, tree, apple tree, garden, roses, flower bed, grass, branches, fruit tree, weeds, bushes, overgrown garden, pond, tree stump, ivy, fallen leaves",
          words:
            "gardener, gardening, box hedge, box tree, caterpillar, slugs, moth, fungus, mildew, blight, plant pests, pest on, prune, pruning, mow, mowing, trim, weeding, cut the grass, arborist, landscaper, landscaping, tree surgeon, rake, snow, shovel snow",
          near: "garden, back yard, yard, front yard, cut, spring, autumn, grow",
          says: "The {hedge} I can take on, and show you what to do yourself next year.",
          asks: "How large is it, and where may the cuttings go?",
        },
        zh: {
          skill: "绿篱、草坪和修树",
          things: "绿篱, 草坪, 果树, 院子, 月季, 花坛, 杂草, 树枝, 花园, 灌木, 大树, 池塘, 落叶",
          words:
            "园丁, 病虫害, 虫子, 毛毛虫, 蚜虫, 修剪, 剪枝, 割草, 除草, 园艺, 造园, 修树, 锯树, 打理花园, 打理院子, 庭院, 扫雪, 铲雪",
          near: "花, 树, 院, 草",
          says: "{院子}我按季节修，也教您明年自己怎么剪。",
          asks: "多大一块？枝叶可以堆在哪里？",
        },
      },
    ],
  },
  {
    id: "tian_xiaohe",
    name: "田小禾",
    bio: { en: "Grows vegetables on roofs, balconies and one field", zh: "在屋顶、阳台和一块地里种菜" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "vegetables, balconies and compost",
          things:
            "tomatoes, balcony, vegetable garden, raised bed, compost, herbs, seedlings, greenhouse, potted plants, allotment, orchid, houseplants, mushrooms, strawberries, potatoes, succulents, bonsai, soil",
          words:
            "grow vegetables, vegetable, planting, permaculture, seeds, community garden, balcony garden, houseplant, caterpillar, slugs, mildew, blight, snails, spider mites, yellow leaves, leaves are yellow, leaves turn yellow, leaves going yellow, leaves curl, brown spots, wilting, wilt, sick plant, plants are dying, root rot, plant care, grow my own, allotment neighbour, aphids, fertiliser, urban gardening, repot, terrarium",
          near: "grow, plant, sun, garden, water, leaves, yellow, dying, pots",
          says: "With the {plants} I would look at the light first; most things die of too much water.",
          asks: "How many hours of sun are there, and how large is it?",
        },
        zh: {
          skill: "种菜、阳台和堆肥",
          things:
            "番茄, 阳台, 菜园, 菜地, 堆肥, 香草, 菜苗, 大棚, 绿植, 盆栽, 多肉, 兰花, 蘑菇, 草莓, 盆景, 月季黄叶, 玫瑰, 绣球, 种子",
          words:
            "种菜, 阳台种菜, 种植, 养花, 种花, 育苗, 换盆, 病虫害, 虫子, 毛毛虫, 蚜虫, 小飞虫, 红蜘蛛, 叶子发黄, 叶子黄, 发黄, 枯萎, 烂根, 白粉病, 掉叶, 打蔫, 施肥, 黄叶, 社区菜园, 植物, 屋顶农场, 有机, 种地, 播种",
          near: "阳光, 浇水, 蔫, 花, 叶子",
          says: "{植物}先看光照，多半是水浇多了。",
          asks: "一天晒几个小时？地方多大？",
        },
      },
    ],
  },
  {
    id: "bee_honeywell",
    name: "Bee Honeywell",
    bio: { en: "Beekeeper with hens and a donkey", zh: "养蜂人，还养鸡和一头驴" },
    limit: { en: "Wasps I leave to others.", zh: "马蜂我不碰。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "bees, hens and small animals",
          things:
            "bees, swarm, beehive, hens, chickens, ducks, goats, henhouse, sheep, rabbits, chicken coop, donkey, quails, pigs, beehives",
          words:
            "beekeeper, beekeeping, honey, poultry, keep chickens, smallholding, swarm of bees, keep bees, fresh eggs, backyard chickens, farm animals",
          near: "garden, hive, animals, keep, start, eggs",
          says: "I come and look at the place for the {bees}; a swarm I fetch the same day.",
          asks: "How far away are the neighbours, and do they know?",
        },
        zh: {
          skill: "养蜂、养鸡和小家畜",
          things: "蜜蜂, 蜂箱, 蜂群, 母鸡, 鸭子, 山羊, 鸡舍, 土鸡, 鹅, 鸡, 羊",
          words: "养蜂, 蜂蜜, 养鸡, 养鸭, 分蜂, 家禽, 养殖, 土鸡蛋, 养羊, 蜂农, 收蜂",
          near: "院子, 农家",
          says: "我先来看地方合不合适养{蜜蜂}；分出来的蜂群当天就收。",
          asks: "离邻居多远？他们知道吗？",
        },
      },
    ],
  },
  {
    id: "acre_furrow",
    name: "Acre Furrow",
    bio: { en: "Farmer with forty hectares, a tractor and two horses", zh: "农民，四十公顷地、一台拖拉机、两匹马" },
    price: { en: "€45 an hour with the tractor; potatoes by the sack.", zh: "拖拉机每小时 150 元，土豆论袋卖。" },
    does: [
      {
        kind: "errand",
        en: {
          skill: "tractor work, fences and harvest",
          things:
            "fence, field, hay, firewood, harvest, well, manure, straw bales, meadow, stable, pasture, barn roof beams",
          words:
            "farmer, farm, tractor, plough, plow, harvest help, digger, excavator, fencing, dig, chainsaw, logs, agricultural, wood for the stove, farmhand, dig a trench, farm work",
          near: "land, rural, crop, metres, wood, posts",
          says: "For the {field} I bring the machine that fits through your gate.",
          asks: "How wide is the way in, and how wet is the ground?",
        },
        zh: {
          skill: "拖拉机、围栏和收割",
          things: "围栏, 菜地翻土, 柴火, 干草, 水井, 麦田, 稻田, 果园, 农田, 篱笆",
          words: "农民, 农场, 拖拉机, 耕地, 翻地, 收割, 挖掘机, 农活, 挖沟, 劈柴, 秋收, 采摘, 摘果, 打井, 农忙",
          near: "地里, 村, 庄稼",
          says: "{农活}交给我，机器挑能进您家门的带。",
          asks: "进去的路多宽？地湿不湿？",
        },
      },
      {
        kind: "lessons",
        en: {
          skill: "riding lessons and horses",
          words: "horse, horses, riding lessons, horse riding, horseback, pony, learn to ride, equestrian, riding",
          near: "stable, daughter, fear",
          says: "My mare is old and patient; you begin by brushing her.",
          asks: "Have you ever sat on a horse, and how tall are you?",
        },
        zh: {
          skill: "骑马课",
          words: "骑马, 马术, 学骑马, 小马, 养马, 马场, 马匹",
          near: "孩子, 教练",
          says: "我的母马又老又有耐心，先从给它刷毛开始。",
          asks: "骑过马吗？身高多少？",
        },
      },
      {
        kind: "order",
        en: {
          skill: "fresh produce straight from the field",
          things:
            "potatoes by the sack, apples, eggs from the farm, fresh milk, vegetable box, raw milk, cider, pumpkins, honey and eggs, organic vegetables",
          words:
            "farm produce, local produce, farm shop, buy vegetables, buy local food, direct from the farmer, csa, veg box, organic farm, seasonal vegetables",
          near: "fresh, organic, weekly, kilos, restaurant, local",
          says: "I can bring {vegetables} once a week, as they come out of the ground, not washed for the shop window.",
          asks: "How much do you need in a week, and where may I set it down?",
        },
        zh: {
          skill: "地头直送的菜和蛋",
          things: "土豆, 苹果, 鲜奶, 蔬菜, 南瓜, 有机蔬菜, 大米, 西瓜, 玉米",
          words: "农产品, 买菜直送, 农家菜, 菜农, 直供, 产地, 新鲜蔬菜, 食材",
          near: "新鲜, 有机, 每周, 斤, 餐馆",
          says: "{蔬菜}每周送一次，带着泥，不是橱窗里那种。",
          asks: "一周要多少？放在哪里？",
        },
      },
    ],
  },
];
