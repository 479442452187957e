import type { Person } from "../person.ts";

/** Those who repair, build, clean and carry. */
export const HOME: readonly Person[] = [
  {
    id: "tilda_tapwell",
    name: "Tilda Tapwell",
    bio: { en: "Plumber for twenty years, spare parts in the van", zh: "做了二十年水管工，车上常备零件" },
    limit: { en: "I do not work on gas pipes.", zh: "燃气管道我不碰。" },
    price: { en: "€45 for coming and the first hour.", zh: "上门加第一个小时 150 元。" },
    does: [
      {
        kind: "repair",
        en: {
          skill: "taps, toilets and blocked drains",
          things: "tap, faucet, toilet, sink, drain, shower, pipe, radiator, boiler, water heater, cistern, bathtub",
          words:
            "plumber, plumbing, leak, dripping, drip, clogged, clog, blocked sink, blocked drain, burst, water pressure, central heating, flooded, hot water, heater, our heating, the heating, my heating, heating pipe",
          near: "water, kitchen, bathroom, basement, blocked, heating, overflow",
          says: "The {tap} I can usually put right in one visit; until then, turn the water off.",
          asks: "Where exactly does the water come from, and does it stop when you turn the main valve?",
        },
        zh: {
          skill: "水管、马桶和下水道",
          things: "水龙头, 马桶, 水槽, 下水道, 花洒, 水管, 暖气片, 热水器, 暖气, 地漏, 浴缸, 洗手池",
          words: "水管工, 水电工, 漏水, 渗水, 滴水, 堵了, 堵住, 疏通, 管道, 爆管, 水压, 地暖, 返水",
          near: "水, 厨房, 卫生间, 地下室, 堵",
          says: "{水管}的问题我一般上门一次就能解决；我来之前，您先把阀门关上。",
          asks: "水具体从哪里出来的？关上总阀会停吗？",
        },
      },
    ],
  },
  {
    id: "dian_deng",
    name: "电小灯",
    bio: { en: "Licensed electrician, tidy and on time", zh: "持证电工，干活干净，准时到" },
    limit: {
      en: "I do not work on live lines, so the power goes off for a while.",
      zh: "不带电作业，施工时要停一会儿电。",
    },
    price: { en: "€40 an hour, material at cost.", zh: "每小时 120 元，材料按进价。" },
    does: [
      {
        kind: "repair",
        en: {
          skill: "lights, sockets and wiring",
          things:
            "socket, switch, fuse box, chandelier, lamp, doorbell, ceiling fan, wall box, ceiling light, light switch, lights",
          words:
            "electrician, electric, electrical, wiring, rewire, fuse, short circuit, power cut, outlet, ev charger, charging point, solar panel, solar",
          near: "power, electricity, flicker, cable, ceiling",
          says: "I can see to the {light}: I measure first, so that nothing is replaced that still works.",
          asks: "Does the breaker go off, and did anything change just before it began?",
        },
        zh: {
          skill: "灯具、插座和电路",
          things: "吊灯, 插座, 开关, 电闸, 灯, 门铃, 吊扇, 充电桩, 配电箱, 浴霸",
          words: "电工, 电路, 走线, 布线, 跳闸, 短路, 断电, 停电, 漏电, 换灯, 光伏, 太阳能",
          near: "没电, 电线, 天花板",
          says: "{灯}我可以来看，先测后换，还能用的不换。",
          asks: "会跳闸吗？出问题之前家里动过什么电器？",
        },
      },
    ],
  },
  {
    id: "xiu_baitong",
    name: "修百通",
    bio: { en: "Has repaired household machines since school", zh: "从学徒起就修家电，修了二十五年" },
    limit: { en: "If a new one is cheaper I say so and do not repair it.", zh: "修不如换的，我会直说，不硬修。" },
    price: { en: "€30 for the visit, parts extra.", zh: "上门检查 80 元，零件另算。" },
    does: [
      {
        kind: "repair",
        en: {
          skill: "ovens, washing machines and fridges",
          things:
            "oven, cooker, stove, hob, washing machine, washer, dishwasher, fridge, refrigerator, freezer, microwave, dryer, tumble dryer, air conditioner, vacuum cleaner, kettle, toaster, coffee machine, espresso machine, extractor hood, television, tv, fan heater, blender, rice cooker",
          words: "appliance, appliances, heating element, spin cycle, air conditioning, aircon",
          near: "heat, heating, spin, noise, cold",
          says: "Your {oven} is something I repair every week, at your home; I bring the usual parts along.",
          asks: "Which make and model is it, and what does it do when you switch it on?",
        },
        zh: {
          skill: "烤箱、洗衣机和冰箱",
          things:
            "烤箱, 灶台, 燃气灶, 电磁炉, 洗衣机, 洗碗机, 冰箱, 冰柜, 微波炉, 烘干机, 空调, 吸尘器, 扫地机器人, 电水壶, 面包机, 咖啡机, 抽油烟机, 油烟机, 电视机, 电视, 电饭煲, 破壁机, 风扇, 净水器, 加湿器",
          words: "家电, 电器, 不加热, 不制冷, 不脱水, 加氟, 不启动",
          near: "制冷, 噪音, 异响, 不转",
          says: "您的{家电}我每周都在修，可以上门，常用零件我都带着。",
          asks: "是什么牌子和型号？开机以后是什么反应？",
        },
      },
    ],
  },
  {
    id: "bo_boltwell",
    name: "Bo Boltwell",
    bio: { en: "Carpenter with a small workshop behind the station", zh: "木匠，车站后面有间小作坊" },
    price: { en: "€38 an hour.", zh: "每小时 110 元。" },
    does: [
      {
        kind: "repair",
        en: {
          skill: "doors, floors and furniture",
          things:
            "door, window, chair, table, drawer, wardrobe, cupboard, cabinet, bed, sofa, desk, stairs, staircase, parquet, rocking chair, bench, window frame, dresser, wooden floor, floorboards",
          words: "carpenter, joiner, furniture, hinge, assemble, flat pack, ikea, woodworm, squeak, creak",
          near: "wood, wooden, wobbly, broken, antique, hanging",
          says: "The {chair} I would repair rather than replace; small things you can bring to my workshop.",
          asks: "What is it made of, and could you send a photo of the damaged place?",
        },
        zh: {
          skill: "门窗、地板和家具",
          things:
            "门, 窗户, 窗, 地板, 椅子, 桌子, 抽屉, 衣柜, 柜子, 床, 沙发, 书桌, 楼梯, 餐桌, 橱柜, 纱窗, 摇椅, 衣架, 椅, 藤椅, 木箱",
          words: "木匠, 木工师傅, 家具, 合页, 组装, 安装家具, 宜家",
          near: "实木, 松了, 关不上, 老家具",
          says: "{家具}能修就不换；小件可以直接送到我的作坊。",
          asks: "是什么材质的？能拍一张坏处的照片吗？",
        },
      },
      {
        kind: "order",
        en: {
          skill: "shelves and tables made to measure",
          things:
            "bookcase, bookshelf, shelf, dining table, built-in wardrobe, tree house, garden bench, cot, bunk bed, toy box, workbench, picture frame, playhouse, chopping board, treehouse",
          words: "made to measure, custom furniture, bespoke, woodwork, carve, carving, woodcarver",
          near: "oak, build, wood, wooden",
          says: "I would build the {bookcase} from solid wood, and draw everything for you first.",
          asks: "How wide, how high and how deep may it be?",
        },
        zh: {
          skill: "定做书架和桌子",
          things: "书柜, 餐边柜, 书架, 婴儿床, 上下床, 工作台, 相框, 木马, 树屋, 花架, 砧板, 鞋柜",
          words: "打柜子, 定做家具, 打家具, 木雕, 木作, 实木家具",
          near: "尺寸, 定做, 定制, 实木",
          says: "{书架}我用实木做，动手之前先画图给您看。",
          asks: "宽、高、深最多各是多少？",
        },
      },
      {
        kind: "lessons",
        en: {
          skill: "woodworking for beginners",
          words: "woodworking, carpentry, joinery, woodwork class, carve a spoon, whittling",
          near: "wood, tools, workshop",
          says: "I teach three people at a time at my own bench, and you go home with a thing you made.",
          asks: "What would you like to have made at the end?",
        },
        zh: {
          skill: "木工入门",
          words: "学木工, 木工课, 木工, 榫卯",
          near: "木头, 手作",
          says: "我一次带三个人，用我自己的工作台，学完能带走一件亲手做的东西。",
          asks: "您最想做出一件什么？",
        },
      },
    ],
  },
  {
    id: "wa_gaogao",
    name: "瓦高高",
    bio: { en: "Roofer and bricklayer, third generation", zh: "泥瓦匠，家里三代都做这行" },
    limit: { en: "In strong wind I do not go on a roof.", zh: "刮大风我不上房顶。" },
    price: { en: "I look for free and name a fixed price.", zh: "看现场不收钱，报价一口价。" },
    does: [
      {
        kind: "repair",
        en: {
          skill: "roofs, walls and tiles",
          things:
            "roof, wall, tile, gutter, chimney, ceiling, plaster, brick wall, terrace, patio, bathroom tiles, fireplace, facade, driveway, path",
          words:
            "roofer, leak, leaking, dripping, drip, bricklayer, mason, tiler, damp, mould, mold, crack, plasterer, insulation, waterproofing, loft, concrete, renovation, renovate",
          near: "rain, outside, wet, bathroom",
          says: "I would look at the {roof} from outside and inside first; mostly it is one small place.",
          asks: "Since when, and is it worse after rain?",
        },
        zh: {
          skill: "屋顶、墙面和瓷砖",
          things: "屋顶, 房顶, 屋面, 墙面, 墙, 瓷砖, 阳台防水, 烟囱, 天花板, 地砖, 院墙, 外墙, 露台",
          words: "泥瓦匠, 漏水, 渗水, 滴水, 瓦工, 防水, 发霉, 裂缝, 开裂, 漏雨, 抹灰, 保温, 贴砖, 翻新, 装修",
          near: "下雨, 受潮, 渗",
          says: "{屋顶}我会里外都看一遍再说，多半只是一小处。",
          asks: "什么时候开始的？下雨以后会更严重吗？",
        },
      },
      {
        kind: "repair",
        en: {
          skill: "painting and wallpaper",
          words:
            "paint a room, kitchen painted, room painted, rooms painted, walls painted, house painted, paint the wall, paint my, house painter, painter and decorator, decorator, wallpaper, repaint, paint the room, paint two rooms, whitewash",
          near: "room, paint, colour, color, bedroom, living room, hallway",
          says: "A room takes me two days, floors covered, with paint that does not smell.",
          asks: "How many square metres are it, and is there old wallpaper?",
        },
        zh: {
          skill: "刷墙和贴墙纸",
          words: "刷墙, 墙刷, 油漆工, 墙纸, 壁纸, 粉刷, 刷漆, 乳胶漆",
          near: "房间, 颜色, 卧室, 客厅, 走廊",
          says: "一间房两天能刷完，地面我会盖好，用没有气味的漆。",
          asks: "大约多少平方米？墙上有旧墙纸吗？",
        },
      },
    ],
  },
  {
    id: "lotte_lockhart",
    name: "Lotte Lockhart",
    bio: { en: "Locksmith with a shop the size of a wardrobe", zh: "开锁修锁的，店只有衣柜那么大" },
    limit: { en: "I open a door only for somebody who can show that it is theirs.", zh: "开门必须能证明房子是您的。" },
    price: { en: "€35 by day, €60 at night.", zh: "白天 100 元，夜里 180 元。" },
    does: [
      {
        kind: "repair",
        en: {
          skill: "locks and keys",
          things: "lock, key, safe, mailbox, padlock, front door lock, smart lock",
          words: "locksmith, locked out, keys, duplicate key, deadbolt",
          near: "door, stuck, broke off",
          says: "With the {lock} I try everything else before I drill.",
          asks: "Is the key lost, broken off, or does it just not turn?",
        },
        zh: {
          skill: "锁和钥匙",
          things: "门锁, 锁, 钥匙, 保险箱, 信箱, 智能锁, 指纹锁",
          words: "锁匠, 开锁, 换锁, 换锁芯, 锁芯, 配钥匙, 反锁",
          near: "打不开, 门",
          says: "{门锁}的事我先想别的办法，能不钻就不钻。",
          asks: "是钥匙丢了、断在里面，还是转不动？",
        },
      },
      {
        kind: "repair",
        en: {
          skill: "clocks, watches and jewellery",
          things:
            "clock, grandfather clock, pocket watch, necklace, bracelet, music box, cuckoo clock, earring, wristwatch, wedding ring, gold ring",
          words:
            "watchmaker, clockmaker, jeweller, jeweler, jewellery, jewelry, clasp, engrave, engraving, my watch, old watch, watch repair, watch battery, a watch, ring",
          near: "battery, strap, antique, gold, silver",
          says: "The {watch} would stay on my bench for a few days; I look for the fault before I touch anything.",
          asks: "Does it stop, run slow, or has something broken off?",
        },
        zh: {
          skill: "钟表和首饰",
          things: "手表, 座钟, 挂钟, 怀表, 戒指, 项链, 手镯, 八音盒, 耳环, 老钟, 玉镯, 镯子, 镜框",
          words: "修表, 钟表, 首饰, 刻字, 表带, 金饰, 翡翠",
          near: "电池, 古董",
          says: "{手表}要在我桌上放几天，先看清毛病再动手。",
          asks: "是停了、走得慢，还是有东西掉了？",
        },
      },
    ],
  },
  {
    id: "spoke_pedalson",
    name: "Spoke Pedalson",
    bio: { en: "Bicycle mechanic with a cargo bike full of tools", zh: "修自行车的，工具都在货运自行车上" },
    price: { en: "€25 for a check and small things.", zh: "检查加小修 60 元。" },
    does: [
      {
        kind: "repair",
        en: {
          skill: "bicycles, e-bikes and prams",
          things:
            "bike, bicycle, e-bike, ebike, scooter, pram, stroller, cargo bike, tricycle, skateboard, wheelchair tyre, tandem",
          words: "puncture, bike chain, spokes, derailleur, bike mechanic, flat tyre on my bike, gears",
          near: "tyre, tire, chain, brake, wheel, flat",
          says: "I come to your door and repair the {bike} in the street; most things take an hour.",
          asks: "What do you hear or feel when you ride it?",
        },
        zh: {
          skill: "自行车、电动车和童车",
          things: "自行车, 电动车, 电瓶车, 山地车, 滑板车, 婴儿车, 童车, 折叠车, 三轮车, 滑板, 公路车",
          words: "修车铺, 补胎, 变速器, 骑行装备, 电动车断电, 车链子",
          near: "链条, 刹车, 轮胎, 电瓶, 掉链子",
          says: "我可以到楼下修，{自行车}一般一个小时弄好。",
          asks: "骑的时候有什么声音，或者哪里不对劲？",
        },
      },
    ],
  },
  {
    id: "lu_bailing",
    name: "陆百灵",
    bio: { en: "Car mechanic who also teaches nervous drivers", zh: "修车师傅，也陪新手练车" },
    price: { en: "€50 an hour.", zh: "每小时 150 元。" },
    does: [
      {
        kind: "repair",
        en: {
          skill: "cars and motorbikes",
          things:
            "car, motorbike, motorcycle, van, moped, engine, campervan, tractor engine, lawnmower, lawn mower, outboard motor, used car",
          words:
            "car mechanic, mechanic, clutch, exhaust, gearbox, brake pads, dashboard light, oil change, car battery, garage",
          near: "tyre, tire, start, brakes, battery, warning light, noise",
          says: "I look over the {car} and tell you what has to be done now and what can wait.",
          asks: "Which year and model, and since when does it do that?",
        },
        zh: {
          skill: "汽车和摩托车",
          things: "汽车, 摩托车, 面包车, 发动机, 房车, 割草机, 二手车, 车子, 轿车",
          words: "修车, 汽修, 离合, 变速箱, 刹车片, 故障灯, 机油, 打不着火, 验车, 熄火",
          near: "轮胎, 刹车, 异响, 保养",
          says: "{汽车}我先全看一遍，再告诉您哪些必须现在修，哪些可以等。",
          asks: "哪年的什么车？从什么时候开始的？",
        },
      },
      {
        kind: "lessons",
        en: {
          skill: "driving practice",
          words:
            "driving lesson, driving lessons, learn to drive, driving instructor, parallel park, driving test, nervous driver, driving licence, driving license, practise driving, driving practice",
          near: "drive, motorway, car",
          says: "We begin on the empty market square and go out into traffic only when you say so.",
          asks: "Do you have a licence already, and what frightens you most on the road?",
        },
        zh: {
          skill: "陪练开车",
          words: "学车, 陪练车, 练车, 驾照, 科目二, 科目三, 倒车入库, 侧方停车, 学开车, 驾校",
          near: "开车, 上路, 新手",
          says: "先在空旷的集市广场练，您说可以了再上路。",
          asks: "已经有驾照了吗？上路最怕什么？",
        },
      },
    ],
  },
  {
    id: "jing_ping",
    name: "晶小屏",
    bio: { en: "Repairs phones and laptops at a market stall", zh: "在集市摆摊修手机和电脑" },
    limit: {
      en: "I look at no photos or messages; please stay while I work.",
      zh: "不看照片和聊天记录，修的时候您可以在旁边。",
    },
    price: { en: "€20 for looking, the part at cost.", zh: "检测 50 元，配件按进价。" },
    does: [
      {
        kind: "repair",
        en: {
          skill: "phones, laptops and printers",
          things:
            "phone, laptop, computer, printer, tablet, ipad, iphone, screen, keyboard, hard drive, pc, macbook, games console, e-reader, headphones, usb stick",
          words:
            "data recovery, cracked screen, virus, recover photos, recover files, blue screen, deleted photos, water damage",
          near: "slow, crash, battery, charging, backup, broken, photos, cracked",
          says: "Your {phone} I can look at; what is stored there I save before I repair anything.",
          asks: "Which model is it, and did it fall or get wet?",
        },
        zh: {
          skill: "手机、电脑和打印机",
          things: "手机, 笔记本电脑, 笔记本, 电脑, 打印机, 平板, 屏幕, 键盘, 硬盘, 游戏机, 耳机, U盘, 移动硬盘",
          words: "碎屏, 换屏, 换电池, 数据恢复, 恢复照片, 蓝屏, 进水, 中毒, 死机, 重装系统",
          near: "卡顿, 充不进电, 开不了机",
          says: "您的{手机}我可以看，里面存的资料先保住再修。",
          asks: "什么型号？是摔过还是进过水？",
        },
      },
      {
        kind: "repair",
        en: {
          skill: "wifi and home networks",
          things: "wifi, router, smart home, internet, wi-fi, nas, security camera, home network, intercom",
          words: "wifi signal, dead spot, network cable, mesh, ethernet",
          near: "signal, network, slow, connection, upstairs",
          says: "I look at the {wifi} in every room and move things before I sell you anything.",
          asks: "How many rooms are it, and where does the line come in?",
        },
        zh: {
          skill: "家庭网络",
          things: "路由器, 无线网, 网络, 摄像头, 智能家居, WiFi, 宽带, 监控",
          words: "网速慢, 断网, 信号差, 组网, 网线, 上不了网",
          near: "信号, 网速",
          says: "{网络}我会每个房间测一遍，能挪位置解决的就不让您买新的。",
          asks: "几间房？光纤从哪里进来？",
        },
      },
    ],
  },
  {
    id: "tess_threadgold",
    name: "Tess Threadgold",
    bio: { en: "Tailor; alters what others would throw away", zh: "裁缝，别人要扔的衣服我能改好" },
    price: { en: "From €12 for a zip or a hem.", zh: "换拉链、改裤脚 30 元起。" },
    does: [
      {
        kind: "order",
        en: {
          skill: "alterations and clothes made to fit",
          things:
            "coat, jacket, zip, zipper, dress, trousers, wedding dress, curtains, skirt, shirt, jeans, hem, bridesmaid dress, cushion cover, cushions, backpack, costume, blouse, sleeping bag, tent, lining",
          words:
            "tailor, seamstress, dressmaker, alter, alteration, sew, sewing, shorten, take in, patch, cosplay, stitch, a suit, my suit, wedding suit",
          near: "fabric, fit, too long, clothes",
          says: "The {dress} I can do within the week; where something has to fit, you try it on in between.",
          asks: "Can you bring it along, and how should it sit when it is finished?",
        },
        zh: {
          skill: "改衣服和做衣服",
          things:
            "大衣, 外套, 拉链, 裙子, 裤子, 西装, 婚纱, 窗帘, 旗袍, 衬衫, 牛仔裤, 裤脚, 礼服, 汉服, 羽绒服, 演出服, 靠垫, 毛衣破洞, 衣服",
          words: "裁缝, 改衣, 改小, 改短, 做衣服, 缝纫, 补衣服, 缝, 定做衣服, 量身",
          near: "布料, 合身",
          says: "{衣服}一周内能做好，要合身的中间试穿一次。",
          asks: "能带过来吗？您希望改完是什么样？",
        },
      },
      {
        kind: "lessons",
        en: {
          skill: "sewing, knitting and crochet lessons",
          words:
            "learn to sew, sewing machine, sewing lessons, knit, knitting, crochet, embroidery, quilt, quilting, sewing class, weave, weaving",
          near: "pattern, yarn, wool, thread",
          says: "Bring a thing that you would like to wear; learning goes best on something you want.",
          asks: "Do you have a machine or needles, and what have you tried so far?",
        },
        zh: {
          skill: "缝纫、编织和钩针课",
          words: "学缝纫, 缝纫机, 织毛衣, 钩针, 编织, 刺绣, 拼布, 十字绣, 学裁缝, 毛线, 毛衣, 织, 织围巾",
          near: "毛线, 布",
          says: "带一件您真想穿的东西来学，这样学得最快。",
          asks: "家里有机器或针吗？之前试过什么？",
        },
      },
    ],
  },
  {
    id: "pi_xiaojiang",
    name: "皮小匠",
    bio: { en: "Cobbler and saddler at the north gate", zh: "北门口的修鞋匠，也做皮具" },
    price: { en: "Heels €10, the rest when I have seen it.", zh: "换鞋跟 30 元，其他看了再说。" },
    does: [
      {
        kind: "repair",
        en: {
          skill: "shoes, bags and leather",
          things:
            "shoes, boots, bag, handbag, belt, suitcase, leather jacket, sole, heel, saddle, sandals, wallet, hiking boots, leather sofa",
          words: "cobbler, shoemaker, resole, leather, shoe repair",
          near: "worn, torn, strap",
          says: "I can give the {shoes} a new life: I sew where others glue.",
          asks: "Could you send a photo of the worn place?",
        },
        zh: {
          skill: "修鞋、修包和皮具",
          things: "鞋子, 皮鞋, 靴子, 包, 皮包, 皮带, 行李箱, 皮衣, 鞋底, 鞋跟, 钱包, 登山鞋, 运动鞋",
          words: "修鞋, 补鞋, 皮具, 皮匠, 开胶",
          near: "磨损, 断了",
          says: "{鞋子}我用缝的，不只是粘，能再穿好几年。",
          asks: "能拍一下磨损的地方吗？",
        },
      },
    ],
  },
  {
    id: "anvil_smithers",
    name: "Anvil Smithers",
    bio: { en: "Blacksmith and welder with an open forge", zh: "铁匠，也做焊接，炉子一直开着" },
    limit: { en: "Nothing that carries people above the ground.", zh: "承载人的高处构件我不做。" },
    does: [
      {
        kind: "order",
        en: {
          skill: "welding, gates and sharp knives",
          things:
            "gate, railing, iron fence, knife, knives, scissors, handrail, metal frame, fire pit, axe, hinges, trellis, iron gate, candle holder",
          words: "weld, welder, welding, blacksmith, forge, metalwork, sharpen, sharpening, iron, steel",
          near: "metal, rust, garden",
          says: "For the {gate} I light the forge; with small things you can wait beside it.",
          asks: "What is it made of, and how thick?",
        },
        zh: {
          skill: "焊接、铁门和磨刀",
          things: "铁门, 栏杆, 护栏, 菜刀, 刀, 剪刀, 扶手, 铁架, 防盗窗, 烧烤架, 铁栅栏",
          words: "焊接, 焊工, 电焊, 铁匠, 打铁, 磨刀, 铁艺, 不锈钢",
          near: "生锈, 金属",
          says: "{铁门}这样的活我在炉子边做，小件可以坐等。",
          asks: "是什么材料，多厚？",
        },
      },
    ],
  },
  {
    id: "handy_oddjob",
    name: "Handy Oddjob",
    bio: { en: "Retired caretaker who runs the Saturday repair café", zh: "退休的物业师傅，在社区办修理日" },
    limit: { en: "If it needs a specialist I say who.", zh: "要专门师傅的活，我会告诉您找谁。" },
    price: { en: "Free at the repair café; give what you like.", zh: "修理日不收钱，随意支持。" },
    does: [
      {
        kind: "repair",
        isGeneral: true,
        en: {
          skill: "small jobs around the house",
          things:
            "picture, mirror, curtain rail, blinds, toy, umbrella, shelf, tv mount, hammock, washing line, letterbox, lampshade, radio, record player, sewing machine, smoke detector, projector",
          words:
            "handyman, handyperson, odd jobs, small jobs, repair cafe, drill, hang pictures, put up, mount, drilling",
          near: "wall, hang, broken, house",
          says: "I look at the {thing} with you, and mostly we have it going again in an hour.",
          asks: "What should it do that it does not do now?",
        },
        zh: {
          skill: "家里的小活",
          things:
            "挂画, 镜子, 窗帘杆, 缝纫机, 百叶窗, 玩具, 雨伞, 置物架, 晾衣架, 晾衣杆, 收音机, 唱片机, 电视支架, 吊床, 投影仪, 晾衣机",
          words: "打孔, 小修小补, 零活, 杂活, 修理日, 安装",
          near: "墙上, 坏了",
          says: "我和您一起看看{东西}，多半一个小时能弄好。",
          asks: "它本来应该怎样，现在怎样？",
        },
      },
      {
        kind: "lending",
        en: {
          skill: "tools and things to borrow",
          handles:
            "drill, ladder, tent, projector, saw, wheelbarrow, pressure washer, sewing machine, trailer, bouncy castle, folding tables, toolbox, high chair, cot, car seat, camping stove, sander, wheelchair, telescope",
          words: "borrow, lend, rent a tool, tool library, for a weekend loan, lending, give away",
          near: "weekend, days, tools",
          says: "You can have the {drill} from our lending room for a week.",
          asks: "From when to when do you need it?",
        },
        zh: {
          skill: "借工具和闲置物品",
          handles:
            "电钻, 梯子, 帐篷, 投影仪, 电锯, 手推车, 高压水枪, 折叠桌, 工具箱, 餐椅, 安全座椅, 露营炉, 轮椅, 望远镜",
          words: "借, 借用, 租借, 工具, 闲置, 转让",
          near: "几天, 周末, 二手",
          says: "{工具}就在我们的共享间，可以借一周。",
          asks: "从哪天用到哪天？",
        },
      },
      {
        kind: "repair",
        like: "ovens, washing machines and fridges",
        en: {
          skill: "household machines at the repair café",
          says: "Bring the {machine} to the repair café, or I come by if it is too heavy; we open it together and you see what is wrong.",
          asks: "Can two people carry it, and is there still a receipt?",
        },
        zh: {
          skill: "修理日修家电",
          says: "{机器}拿到社区修理日来，太重我就上门；一起打开，毛病您自己看得见。",
          asks: "两个人抬得动吗？发票还在吗？",
        },
      },
      {
        kind: "repair",
        like: "bicycles, e-bikes and prams",
        en: {
          skill: "bicycles at the repair café",
          says: "On repair day I do the {bike} with you beside me, so that next time you can do it yourself.",
          asks: "Can you still push it here?",
        },
        zh: {
          skill: "修理日修自行车",
          says: "修理日我带着您一起修{自行车}，下次您自己就会了。",
          asks: "还能推过来吗？",
        },
      },
    ],
  },
  {
    id: "van_haulaway",
    name: "Van Haulaway",
    bio: { en: "One van, two strong sisters, blankets and straps", zh: "一辆货车，姐妹俩力气大，毯子绑带齐全" },
    limit: { en: "Two people lift; above 200 kg it needs a third.", zh: "两个人抬，超过 200 公斤要再加一个人。" },
    price: { en: "€60 an hour with the van.", zh: "含车每小时 180 元。" },
    does: [
      {
        kind: "errand",
        en: {
          skill: "moving house and carrying heavy things",
          handles:
            "sofa, piano, wardrobe, fridge, boxes, washing machine, aquarium, rubbish, old furniture, mattress, desk, bookshelves, pallet",
          words:
            "move house, moving, move out, move flat, move a, removal, mover, removals, van, transport, haul, flights of stairs, carry down, carry up, carry a, carry my, man with a van, moving day, dump, dispose, moving apartments, new flat, new apartment",
          near: "heavy, floor, across town, furniture, lift, carry, stairs",
          says: "The {boxes} we carry down, strap in and put wherever you like.",
          asks: "Which floors are it, and is there a lift?",
        },
        zh: {
          skill: "搬家和搬重物",
          handles: "沙发, 钢琴, 衣柜, 冰箱, 箱子, 洗衣机, 鱼缸, 垃圾, 旧家具, 床垫, 书桌",
          words: "搬家, 搬运, 搬东西, 搬到, 搬, 货车, 拉货, 抬, 运货, 运送, 清运, 货拉拉",
          near: "重, 楼, 箱子",
          says: "{家具}我们抬下楼、绑好，再摆到您要的位置。",
          asks: "两边各是几楼？有电梯吗？",
        },
      },
      {
        kind: "errand",
        en: {
          skill: "rides, airport runs and deliveries",
          words:
            "driver, ride, lift to the airport, airport, pick up, pickup, drive me, drive us, drive my, delivery, deliver, courier, chauffeur, car pool, carpool, lift to, ride to",
          near: "station, hospital, car, luggage, early",
          says: "I drive you from door to door and wait if a train or plane is late.",
          asks: "How many people and bags, and from where to where?",
        },
        zh: {
          skill: "接送、接机和送货",
          words: "司机, 接机, 送机, 机场, 接送, 代驾, 送货, 包车, 拼车, 顺风车, 送我, 开车送, 搭车",
          near: "车站, 行李, 早班",
          says: "门到门接送，飞机火车晚点我会等。",
          asks: "几个人几件行李？从哪里到哪里？",
        },
      },
    ],
  },
  {
    id: "jing_mei",
    name: "净小美",
    bio: { en: "Cleans and tidies so that you find things again", zh: "做保洁和收纳，收完东西您都找得到" },
    price: { en: "€18 an hour.", zh: "每小时 50 元。" },
    does: [
      {
        kind: "errand",
        en: {
          skill: "cleaning, tidying and ironing",
          words:
            "clean, cleaner, cleaning, tidy, declutter, ironing, iron shirts, laundry, housekeeper, housekeeping, deep clean, organise my, organize my, spring clean, hoarding, window cleaner, sort out",
          near: "dust, mess, weekly, moving out, hours, flat, apartment, house, kitchen, windows, carpet, stairwell, office, wardrobe, garage, attic, cellar, basement, closet",
          says: "I go room by room and throw nothing away that you have not seen.",
          asks: "How large is it, and should it be once or every week?",
        },
        zh: {
          skill: "保洁、收纳和熨烫",
          words: "保洁, 打扫, 收纳, 整理, 断舍离, 擦玻璃, 熨衣服, 洗衣服, 家政, 钟点工, 开荒, 大扫除, 清洁, 阿姨打扫",
          near: "灰尘, 乱, 每周, 房子, 厨房, 窗户, 地毯, 办公室, 衣柜, 车库, 阁楼, 地下室, 屋子, 新房, 衣帽间",
          says: "我一间一间来，您没看过的东西一件也不扔。",
          asks: "多大面积？是一次还是每周？",
        },
      },
      {
        kind: "errand",
        en: {
          skill: "errands, shopping and house-sitting",
          words:
            "errand, errands, groceries, shopping for, queue, house sit, house sitter, housesit, house sitting, water my plants, water the plants, collect a parcel, parcel, pick up my prescription, look after my flat, look after the house",
          near: "plants, away, holiday, post, shopping",
          says: "I do it in the mornings and send you a photo when it is done.",
          asks: "What exactly, how often, and who gives me the key?",
        },
        zh: {
          skill: "跑腿、代买和看家",
          words: "跑腿, 代买, 排队, 代取, 看家, 浇花, 取快递, 买菜, 取药, 帮忙排队, 代办",
          near: "出差, 出门, 快递",
          says: "我上午去办，办完拍照给您看。",
          asks: "具体是什么事、多久一次？钥匙找谁拿？",
        },
      },
    ],
  },
  {
    id: "gable_planwright",
    name: "Gable Planwright",
    bio: { en: "Architect who likes small houses and old ones", zh: "建筑师，喜欢小房子和老房子" },
    price: { en: "The first hour is free, then €70.", zh: "第一个小时不收钱，之后每小时 300 元。" },
    does: [
      {
        kind: "project",
        en: {
          skill: "plans for houses and rooms",
          words:
            "architect, architecture, floor plan, interior design, interior designer, interior, building permit, layout, home design, remodel, planning permission, convert, conversion, extension, tiny house, build a house, attic conversion, loft conversion",
          near: "design, space, rooms, light, renovation, build, house, flat, kitchen, shop, bathroom, studio, barn, apartment",
          says: "I would sketch three ways to use the space before anything is torn down.",
          asks: "How large is it, and what must stay as it is?",
        },
        zh: {
          skill: "房屋和室内设计",
          words:
            "建筑师, 室内设计, 户型, 装修设计, 动线, 软装, 改造, 图纸, 设计师装修, 盖房, 装修方案, 平面图, 小户型, 自建房, 旧房改造, 老房改造, 设计房子, 室内, 设计师, 出图, 家里装修, 房子设计",
          near: "设计, 空间, 采光, 装修, 老房子, 厨房, 阁楼, 店铺, 院子, 卫生间, 工作室, 民宿, 客厅, 儿童房, 新房",
          says: "我先画三种用法给您选，再谈拆和改。",
          asks: "多大面积？哪些一定要保留？",
        },
      },
    ],
  },
];
