import type { Person } from "../person.ts";

/** Those who look after people and animals. */
export const CARE: readonly Person[] = [
  {
    id: "nell_nightlight",
    name: "Nell Nightlight",
    bio: { en: "Retired nurse; thirty years on a ward for older people", zh: "退休护士，在老年病房干了三十年" },
    limit: { en: "I give care, not diagnoses.", zh: "我做照护，不做诊断。" },
    price: { en: "€24 an hour.", zh: "每小时 70 元。" },
    does: [
      {
        kind: "care",
        isGeneral: true,
        en: {
          skill: "care for older people and people with dementia",
          words:
            "dementia, alzheimer, alzheimer's, carer, caregiver, caretaker, elder care, respite, parkinson, stroke, bedridden, palliative, nursing, nurse, night care, home care, care for my, look after my mother, look after my father, look after my grandmother, look after my grandfather, wash and dress, after surgery, incontinence, hospice, personal care, sit with my, get up from, get out of bed, elderly mother, elderly father, elderly parents, elderly aunt, frail",
          near: "mother, father, mum, mom, dad, grandmother, grandfather, grandma, grandpa, parents, aunt, old, forgets, medication, afternoons, widowed, elderly",
          says: "I have cared for many people who forget, or who cannot get up alone; I come the first time while you are at home.",
          asks: "What does a good day look like, and what makes the person restless?",
        },
        zh: {
          skill: "老人和失智照护",
          words:
            "失智, 痴呆, 阿尔茨海默, 老年痴呆, 护工, 照护, 陪护, 照看老人, 照顾老人, 养老, 卧床, 中风, 帕金森, 护理, 术后, 护士, 喂饭, 翻身, 临终, 偏瘫, 住家阿姨, 老人照顾, 照顾",
          near: "妈妈, 爸爸, 奶奶, 爷爷, 外婆, 外公, 母亲, 父亲, 老人, 岳母, 姥姥, 姥爷, 照看, 忘事, 独居",
          says: "记性不好的、起不来身的老人我照顾过很多；第一次我来的时候，您最好也在家。",
          asks: "老人状态好的一天是怎样的？什么会让老人不安？",
        },
      },
    ],
  },
  {
    id: "pei_xiaoan",
    name: "陪小安",
    bio: { en: "Goes along to hospitals, knows the queues", zh: "专职陪诊，哪家医院怎么排队都熟" },
    price: { en: "€60 for a half day.", zh: "半天 180 元。" },
    does: [
      {
        kind: "care",
        en: {
          skill: "going along to the hospital",
          words:
            "hospital visit, hospital appointment, accompany, go with me to the doctor, doctor's appointment, dialysis, chemotherapy, chemo, escort, take my mother to, take my father to, hospital companion, colonoscopy, eye surgery, registration at the hospital",
          near: "hospital, clinic, wheelchair, doctor, appointment, father, mother, waiting",
          says: "I take the number, push the chair, write down what the doctor says and bring everybody home.",
          asks: "Which department and at what time, and does somebody walk alone?",
        },
        zh: {
          skill: "陪诊和取药",
          words: "陪诊, 看病, 挂号, 复诊, 透析, 化疗, 体检, 陪我去医院, 陪同就医, 住院, 取报告, 肠镜, 胃镜, 去医院",
          near: "医院, 轮椅, 排队, 医生, 门诊, 老人",
          says: "取号、推轮椅、记医嘱，最后把人送到家，我都包。",
          asks: "哪个科、几点？自己能走路吗？",
        },
      },
      {
        kind: "care",
        like: "care for older people and people with dementia",
        en: {
          skill: "a few hours with somebody old",
          says: "I come for single hours as well: eating, walking, looking at old photographs; in the hospital I learned to wait.",
          asks: "Which hours are the hardest ones?",
        },
        zh: {
          skill: "陪老人几个小时",
          says: "按小时也可以：吃饭、散步、看老照片；在医院待久了，我最会等。",
          asks: "一天里哪几个小时最难？",
        },
      },
    ],
  },
  {
    id: "moppet_merriday",
    name: "Moppet Merriday",
    bio: { en: "Nursery teacher with afternoons free and a first-aid card", zh: "幼儿园老师，下午有空，有急救证" },
    limit: { en: "Three children at most.", zh: "最多同时带三个孩子。" },
    price: { en: "€16 an hour.", zh: "每小时 50 元。" },
    does: [
      {
        kind: "care",
        en: {
          skill: "babysitting and the school run",
          words:
            "babysitter, babysit, babysitting, nanny, childminder, childcare, school run, au pair, look after my kids, look after my children, look after my son, look after my daughter, watch my kids, pick up my kids, pick up my daughter from school, pick up my son from school, nursery, kindergarten, toddler, play with, collect my kids, collect my children, pick up the kids, pick up the children, from school, kids from school, four-year-old, three-year-old, two-year-old, playmate",
          near: "kids, children, daughter, son, year-old, year old, child, evening, school",
          says: "I come with a bag of games, and nobody sits before a screen; we can meet first so that the children know me.",
          asks: "How old are they, and what helps when one of them is sad?",
        },
        zh: {
          skill: "带孩子和接送上学",
          words:
            "带孩子, 带娃, 保姆, 看孩子, 接孩子, 接送孩子, 临时看护, 托管, 育儿, 幼儿园, 照看孩子, 陪玩, 放学, 接娃, 育儿嫂, 接放学, 宝宝, 带宝宝",
          near: "孩子, 儿子, 女儿, 岁, 小学, 接送",
          says: "我自己带一包游戏来，不让孩子看屏幕；可以先见一面，让孩子认识我。",
          asks: "孩子几岁？难过的时候怎么哄管用？",
        },
      },
      {
        kind: "event",
        en: {
          skill: "children's parties and storytelling",
          words:
            "children's party, kids party, birthday party for my son, birthday party for my daughter, face painting, treasure hunt, story time, storytelling, storyteller, bedtime stories, party games",
          near: "birthday, party, children, kids, turning, library, games",
          says: "I do games, face painting and one long story; the children are tired and happy afterwards.",
          asks: "How many children, how old, and indoors or outdoors?",
        },
        zh: {
          skill: "儿童聚会和讲故事",
          words: "儿童派对, 生日派对, 孩子生日, 讲故事, 故事会, 绘本, 寻宝, 亲子活动, 六一, 脸部彩绘",
          near: "生日, 派对, 孩子, 小朋友, 游戏",
          says: "做游戏、画脸、再讲一个长故事，孩子们玩完又累又开心。",
          asks: "几个孩子、多大？室内还是室外？",
        },
      },
    ],
  },
  {
    id: "yue_xin",
    name: "月小新",
    bio: { en: "Midwife who stays with families in the first weeks", zh: "助产士，陪新手爸妈过最初几周" },
    price: { en: "€35 for a visit.", zh: "上门一次 150 元。" },
    does: [
      {
        kind: "care",
        en: {
          skill: "newborns and the weeks after birth",
          words:
            "newborn, midwife, doula, breastfeeding, breastfeed, postpartum, postnatal, pregnancy, pregnant, birth, lactation, twins, colic, maternity, prenatal, antenatal, baby sleep, infant, feeding",
          near: "baby, mother, wife, sleep, weeks, crying, nights",
          says: "I come to your home, show what helps, and you can write to me at night when it does not.",
          asks: "How old is the baby, or when is it due, and who is at home with you?",
        },
        zh: {
          skill: "月子和新生儿",
          words:
            "月嫂, 新生儿, 坐月子, 月子, 哺乳, 母乳, 产后, 助产士, 怀孕, 孕期, 待产, 双胞胎, 催乳, 预产期, 通乳, 月子餐",
          near: "宝宝, 婴儿, 妈妈, 夜里, 哭闹",
          says: "我上门手把手教，夜里不行也可以发消息问我。",
          asks: "宝宝多大，或者预产期是哪天？家里谁和您一起？",
        },
      },
    ],
  },
  {
    id: "paw_pickering",
    name: "Paw Pickering",
    bio: { en: "Walks six dogs, owns none, is owned by two cats", zh: "天天遛六条狗，家里归两只猫管" },
    price: { en: "€12 for an hour's walk, €20 for a day of sitting.", zh: "遛一小时 40 元，上门照看一天 60 元。" },
    does: [
      {
        kind: "care",
        en: {
          skill: "dog walking and pet sitting",
          things:
            "dog, cat, puppy, kitten, rabbit, hamster, guinea pig, parrot, goldfish, greyhound, budgie, tortoise, terrier, labrador, poodle, canary",
          words:
            "dog walker, walk my dog, dog walking, pet sitter, pet sitting, cat sitter, cat sitting, feed my cat, dog sitter, kennel, boarding, pet, walk the dog, feed the cat",
          near: "walk, feed, holiday, away, lunch, litter",
          says: "I take the {animal} as it is: shy, old or wild; we meet once before you leave.",
          asks: "What does it fear, and what does it eat?",
        },
        zh: {
          skill: "遛狗和上门喂猫",
          things: "狗, 猫, 小狗, 小猫, 兔子, 仓鼠, 鹦鹉, 金鱼, 乌龟, 柯基, 金毛, 泰迪, 猫咪, 狗狗",
          words: "遛狗, 喂猫, 上门喂养, 寄养, 宠物, 铲屎, 铲屎官, 照看猫, 照看狗, 帮忙喂",
          near: "出差, 放假, 回老家, 喂",
          says: "{毛孩子}胆小的、年纪大的、闹腾的我都带过；您走之前我们先见一次。",
          asks: "它怕什么，平时吃什么？",
        },
      },
      {
        kind: "lessons",
        en: {
          skill: "training for dogs and their people",
          words:
            "dog trainer, dog training, train my dog, puppy class, barking, barks, pulls on the lead, leash, separation anxiety, house train, bites, recall, obedience",
          near: "dog, puppy, behaviour, lead, rescue",
          says: "I train the person at least as much as the dog, on the street where it happens.",
          asks: "When does it happen, and what do you do then?",
        },
        zh: {
          skill: "训狗",
          words: "训狗, 训犬, 爆冲, 拆家, 乱叫, 定点上厕所, 分离焦虑, 护食, 狗狗行为, 狗叫",
          near: "狗, 小狗, 行为",
          says: "训狗其实一半是教人，就在它犯毛病的那条街上练。",
          asks: "什么时候会这样？您当时怎么做？",
        },
      },
    ],
  },
  {
    id: "mao_daifu",
    name: "毛大福",
    bio: { en: "Vet with a practice beside the sheep market", zh: "兽医，诊所就在羊市旁边" },
    limit: { en: "What needs an operation goes to the clinic.", zh: "要动手术的转到医院做。" },
    price: { en: "€40 for a visit.", zh: "上门 120 元。" },
    does: [
      {
        kind: "visit",
        en: {
          skill: "sick and old animals",
          words:
            "vet, veterinarian, veterinary, vaccinate my dog, vaccination for my cat, sick dog, sick cat, limping dog, my cat does not eat, my dog does not eat, neuter, spay, lame, animal doctor, groomer, grooming, dog grooming, claws",
          near: "dog, cat, horse, rabbit, sheep, goat, chickens, sick, limps, animal",
          says: "I come to the house, which frightens animals less than a waiting room.",
          asks: "How old is it, since when, and does it eat and drink?",
        },
        zh: {
          skill: "给动物看病",
          words:
            "兽医, 宠物医生, 打疫苗, 绝育, 狗生病, 猫生病, 不吃东西, 宠物美容, 洗澡剪毛, 驱虫, 拉肚子, 给狗洗澡, 剪指甲",
          near: "狗, 猫, 兔子, 羊, 鸡, 宠物, 瘸",
          says: "我上门看，比让它在候诊室里等少受惊。",
          asks: "多大了？什么时候开始的？还吃喝吗？",
        },
      },
      {
        kind: "care",
        en: {
          skill: "animals that stay with me",
          things: "cat, dog, rabbit, hamster, guinea pig, parrot, tortoise, canary",
          words: "pet sitter, pet sitting, dog sitter, cat sitter, cat sitting, boarding, kennel",
          near: "holiday, away, feed, weeks",
          says: "The {animal} can stay at the practice with my own dogs, and somebody looks in at night.",
          asks: "Is it vaccinated, and does it get on with others?",
        },
        zh: {
          skill: "小动物寄养",
          things: "猫, 狗, 兔子, 仓鼠, 鹦鹉, 乌龟, 猫咪",
          words: "寄养, 喂猫, 宠物, 照看猫, 照看狗, 上门喂养",
          near: "出差, 放假, 回老家, 喂",
          says: "{毛孩子}可以住在诊所，和我家的狗一起，夜里有人看。",
          asks: "疫苗打齐了吗？和别的动物合得来吗？",
        },
      },
    ],
  },
  {
    id: "flexa_bendwell",
    name: "Flexa Bendwell",
    bio: { en: "Physiotherapist for runners, gardeners and new hips", zh: "物理治疗师，跑步的、种地的、换过髋的都来" },
    limit: { en: "Sudden numbness belongs to a hospital first.", zh: "突然发麻的请先去医院。" },
    price: { en: "€45 for 40 minutes.", zh: "40 分钟 180 元。" },
    does: [
      {
        kind: "visit",
        en: {
          skill: "backs, knees and getting moving again",
          words:
            "physiotherapist, physiotherapy, physio, physical therapist, physical therapy, rehab, rehabilitation, back pain, knee, shoulder, sciatica, hip replacement, slipped disc, posture, stretching, sprain, sprained, neck pain, tennis elbow, massage, masseur, osteopath, frozen shoulder, ankle, balance exercises, back hurts, my back, knee hurts, lower back, hip, tendon",
          near: "pain, injury, exercise, surgery, move, stiff, fall, hurts",
          says: "I look at how you move first; then you get three exercises, not twenty.",
          asks: "Which movement hurts, and what have you tried already?",
        },
        zh: {
          skill: "腰背、膝盖和康复训练",
          words:
            "康复, 物理治疗, 理疗师, 腰痛, 腰疼, 膝盖, 肩周炎, 颈椎, 腰椎, 体态, 拉伸, 扭伤, 崴脚, 术后恢复, 运动损伤, 肩膀, 腰突, 康复师, 骨折",
          near: "疼, 痛, 运动, 手术, 僵硬",
          says: "我先看您怎么动，再给三个动作，不会给二十个。",
          asks: "哪个动作会疼？之前试过什么？",
        },
      },
    ],
  },
  {
    id: "xin_yiyan",
    name: "心一言",
    bio: { en: "Counsellor; listens for a living", zh: "心理咨询师，靠倾听吃饭" },
    limit: { en: "In an emergency please call the crisis line, not me.", zh: "紧急情况请打危机热线，不要等我。" },
    price: { en: "€50 for a session, less if money is short.", zh: "每次 200 元，手头紧可以少给。" },
    does: [
      {
        kind: "visit",
        en: {
          skill: "talks about worry, grief and sleep",
          words:
            "therapist, therapy, counsellor, counselor, counselling, psychologist, anxiety, anxious, depression, depressed, grief, grieving, panic, burnout, insomnia, can't sleep, cannot sleep, trauma, divorce support, couples therapy, marriage counselling, mental health, stress, self-esteem, bereavement, eating disorder, addiction, quit smoking, quit drinking, sober, school refusal, refuses to go to school, does not want to go to school, moody, angry, arguing, quarrel, stop smoking, stop drinking, screen time",
          near: "sleep, talk, lonely, loss, overwhelmed, cry, teenager, sad",
          says: "We can begin with one talk without any obligation; you decide what we speak about.",
          asks: "Since when is it like this, and is anybody around you who knows?",
        },
        zh: {
          skill: "焦虑、悲伤和失眠",
          words:
            "心理咨询, 心理咨询师, 心理医生, 焦虑, 抑郁, 情绪低落, 失眠, 睡不着, 创伤, 失恋, 厌学, 婚姻咨询, 压力大, 自卑, 丧亲, 惊恐, 心理疏导, 情绪, 戒烟, 戒酒, 叛逆, 内耗, 睡眠, 压力, 沉迷, 沟通, 亲子关系, 吵架, 心理老师, 心理, 不愿意上学, 不想上学, 不去上学, 早恋",
          near: "难过, 孤独, 压力, 青春期, 倾诉, 离婚",
          says: "可以先聊一次，没有任何义务；聊什么由您定。",
          asks: "这样多久了？身边有人知道吗？",
        },
      },
    ],
  },
  {
    id: "kale_greenleaf",
    name: "Kale Greenleaf",
    bio: { en: "Dietitian who likes cake, too", zh: "营养师，自己也爱吃蛋糕" },
    price: { en: "€40 for the first plan.", zh: "第一份方案 150 元。" },
    does: [
      {
        kind: "advice",
        en: {
          skill: "eating well with what you like",
          words:
            "dietitian, dietician, nutritionist, nutrition, diet, lose weight, weight loss, diabetes, diabetic, cholesterol, gluten, celiac, coeliac, lactose, allergy, allergies, meal plan, picky eater, healthy eating, low salt, irritable bowel, food intolerance, eat healthier, blood sugar, kilos, lose 10, slim",
          near: "weight, food, eat, meals, blood pressure",
          says: "I write a plan for two weeks out of things that you eat already, and change it with you.",
          asks: "What did you eat yesterday, honestly?",
        },
        zh: {
          skill: "营养和饮食方案",
          words:
            "营养师, 营养, 减肥, 减脂, 减重, 控糖, 糖尿病, 血糖, 血脂, 过敏, 食谱搭配, 挑食, 备餐, 痛风, 饮食, 忌口, 增重",
          near: "体重, 吃, 斤, 血压",
          says: "我用您本来就爱吃的东西排两周的食谱，再一起调整。",
          asks: "昨天三餐都吃了什么？请说实话。",
        },
      },
    ],
  },
  {
    id: "zhen_zhitang",
    name: "针知堂",
    bio: { en: "Doctor of Chinese medicine, calm hands", zh: "中医师，手稳话少" },
    price: { en: "€35 for a treatment.", zh: "每次 120 元。" },
    does: [
      {
        kind: "visit",
        en: {
          skill: "acupuncture and tuina",
          words:
            "acupuncture, acupuncturist, chinese medicine, tuina, cupping, moxibustion, herbal, herbs, migraine, tcm",
          near: "pain, headache, sleep, back, needles",
          says: "I feel the pulse and ask a lot before I take a needle.",
          asks: "How do you sleep, and when in the day is it worst?",
        },
        zh: {
          skill: "针灸和推拿",
          words: "中医, 针灸, 推拿, 拔罐, 艾灸, 把脉, 调理, 中药, 按摩, 正骨, 偏头痛, 落枕, 小儿推拿, 体寒, 脾胃",
          near: "疼, 痛, 睡眠, 湿气, 头痛",
          says: "先把脉、多问几句，再决定扎不扎针。",
          asks: "睡得怎么样？一天里什么时候最难受？",
        },
      },
    ],
  },
  {
    id: "sign_handley",
    name: "Sign Handley",
    bio: { en: "Speech therapist; speaks with hands as well", zh: "言语治疗师，也用手语" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "speech, sign language and children who learn differently",
          words:
            "speech therapist, speech therapy, sign language, deaf, stutter, stammer, autism, autistic, adhd, dyslexia, dyslexic, special needs, late talker, hearing loss, lip read, down syndrome, braille, speech delay, lisp, aphasia, slurred, hearing aid",
          near: "speak, speech, child, hearing, learn, words",
          says: "I play before I test; the first hour is to see what works already.",
          asks: "What does the person do gladly, and what was tried before?",
        },
        zh: {
          skill: "言语训练、手语和特殊孩子",
          words:
            "言语治疗, 语言训练, 手语, 聋, 口吃, 结巴, 自闭症, 孤独症, 多动症, 阅读障碍, 特殊教育, 说话晚, 听力, 感统, 特教, 语言发育, 盲文, 大舌头, 说话不清, 失语, 口齿不清, 助听器",
          near: "孩子, 说话, 训练",
          says: "先玩再评估，第一个小时只看哪些已经能做到。",
          asks: "喜欢做什么？之前试过哪些办法？",
        },
      },
    ],
  },
  {
    id: "comb_snipwell",
    name: "Comb Snipwell",
    bio: { en: "Hairdresser who comes with scissors and a sheet", zh: "理发师，带着剪刀和围布上门" },
    price: { en: "€20 for a cut, make-up from €40.", zh: "剪发 50 元，化妆 150 元起。" },
    does: [
      {
        kind: "errand",
        en: {
          skill: "haircuts, make-up and nails at home",
          words:
            "hairdresser, haircut, barber, cut my hair, cut hair, hair stylist, make-up, makeup, make up artist, manicure, bridal hair, hair dye, colour my hair, curly, eyebrows, beard, braids, pedicure, henna, stylist, my nails, nail polish, nail art",
          near: "hair, bride, wedding, home, grandmother",
          says: "I come to you; a trial beforehand costs nothing when it is for a big day.",
          asks: "How is it now, and do you have a picture of what you like?",
        },
        zh: {
          skill: "上门理发、化妆和美甲",
          words: "理发, 剪头发, 化妆, 化妆师, 跟妆, 新娘妆, 美甲, 染发, 造型, 盘发, 修眉, 烫发, 剪发, 美容",
          near: "头发, 婚礼, 新娘, 上门",
          says: "我上门做；重要的日子可以先免费试一次。",
          asks: "现在是什么样？有喜欢的图片吗？",
        },
      },
    ],
  },
  {
    id: "doc_wellby",
    name: "Doc Wellby",
    bio: { en: "Country doctor with a bicycle and time", zh: "乡村医生，骑自行车出诊，有时间听" },
    limit: { en: "With chest pain or a stroke you call the ambulance, not me.", zh: "胸痛、中风请直接叫救护车。" },
    does: [
      {
        kind: "visit",
        en: {
          skill: "a family doctor who comes to the house",
          words:
            "family doctor, general practitioner, gp, fever, cough, rash, snore, snoring, blood pressure, check-up, see a doctor, house call, dizzy, dizziness, flu, infection, second opinion on my, stomach ache, prescription, headache, tired all the time, earache",
          near: "doctor, sick, ill, child, night, symptoms",
          says: "I come by after surgery hours, look and listen, and write down in plain words what it is and what it is not.",
          asks: "Since when, and what have you taken for it?",
        },
        zh: {
          skill: "上门的家庭医生",
          words:
            "家庭医生, 全科医生, 发烧, 咳嗽, 皮疹, 打呼噜, 高血压, 血压, 头晕, 感冒, 发炎, 肚子疼, 出诊, 开药, 看医生, 找医生, 找个医生",
          near: "医生, 生病, 孩子, 夜里, 症状",
          says: "我下班后过来，看一看、听一听，再用大白话写下是什么、不是什么。",
          asks: "什么时候开始的？吃过什么药？",
        },
      },
      {
        kind: "lessons",
        en: {
          skill: "first-aid courses",
          words: "first aid, first-aid, cpr, resuscitation, first responder, defibrillator",
          near: "course, baby, team, training",
          says: "Two hours on the floor with a doll, and everybody presses until it clicks.",
          asks: "For how many, and are there children among those you look after?",
        },
        zh: {
          skill: "急救课",
          words: "急救, 心肺复苏, 急救培训, 急救课, 海姆立克",
          near: "培训, 公司, 宝宝",
          says: "两个小时，人人跪在地上按假人，按到它响为止。",
          asks: "多少人？平时要照看孩子吗？",
        },
      },
    ],
  },
];
