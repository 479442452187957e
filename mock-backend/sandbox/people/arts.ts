import type { Person } from "../person.ts";

/** Those who make pictures, music, words and things. */
export const ARTS: readonly Person[] = [
  {
    id: "lens_shutterby",
    name: "Lens Shutterby",
    bio: { en: "Photographer of people who do not like to be photographed", zh: "摄影师，专拍不爱拍照的人" },
    limit: { en: "I publish nothing without a yes.", zh: "没有同意，一张也不外传。" },
    price: { en: "€70 an hour, edited pictures included.", zh: "每小时 300 元，含修图。" },
    does: [
      {
        kind: "event",
        en: {
          skill: "photographs of weddings and celebrations",
          words:
            "wedding photographer, photographer, photography, photograph, photo shoot, photos of our, take photos, take pictures, photograph our, event photographer, photoshoot, engagement photos, wedding photos",
          near: "wedding, party, ceremony, guests, birthday, event, pictures, photos, anniversary",
          says: "I stay in the background and give you about a hundred good pictures, not a thousand.",
          asks: "How many people, in what light, and which three moments must not be missed?",
        },
        zh: {
          skill: "婚礼和活动摄影",
          words: "摄影师, 摄影, 婚礼摄影, 跟拍, 拍照, 拍摄, 拍婚礼, 活动摄影, 婚纱照, 约拍, 拍婚纱",
          near: "婚礼, 活动, 生日, 年会, 照片, 仪式",
          says: "我不抢镜，最后交一百张左右好照片，不交一千张。",
          asks: "多少人？光线怎么样？哪三个瞬间绝不能错过？",
        },
      },
      {
        kind: "order",
        en: {
          skill: "portraits, families and products",
          words:
            "portrait photo, family portrait, headshot, headshots, product photos, product photography, family photos, baby photos, newborn photos, passport photo, real estate photos, maternity photos, food photography, photos for my",
          near: "photographer, family, shop, website, photos, pictures, products, dating profile",
          says: "We take half an hour to warm up; the good pictures come after that.",
          asks: "Where will the pictures be used?",
        },
        zh: {
          skill: "人像、全家福和产品照",
          words:
            "全家福, 写真, 证件照, 形象照, 产品照, 产品图, 人像, 亲子照, 宝宝照, 毕业照, 孕妇照, 商品图, 头像照, 拍产品, 满月照, 拍, 照片, 照相",
          near: "店铺, 菜品, 摄影师",
          says: "先聊半个小时放松，好照片都在后面。",
          asks: "照片用在哪里？",
        },
      },
    ],
  },
  {
    id: "ying_xiaojian",
    name: "影小剪",
    bio: { en: "Films and cuts; patient with shaky footage", zh: "会拍会剪，素材再抖也有耐心" },
    price: { en: "€200 for a finished short film.", zh: "成片一条 800 元。" },
    does: [
      {
        kind: "project",
        en: {
          skill: "filming, cutting and old tapes",
          things:
            "video, film, podcast, vlog, documentary, vhs tapes, reel, trailer, recordings, cassettes, wedding video, footage, music video, camcorder tapes, short film, super 8",
          words:
            "videographer, video editor, video editing, edit my video, filming, drone, animation, livestream, film maker, filmmaker, digitise, digitize, audio editing, podcast editing, podcast editor, cut a film, youtube",
          near: "camera, edit, channel, sound, hours, episodes, transfer",
          says: "From the {film} I would show you ten minutes first, and you say how to go on.",
          asks: "How much material is there, and how long should it be in the end?",
        },
        zh: {
          skill: "拍片、剪辑和老录像",
          things: "短视频, 视频, 纪录片, 播客, 录像带, 宣传片, 婚礼视频, 短片, 磁带, 素材, 微电影",
          words:
            "剪辑, 摄像, 航拍, 拍视频, 剪视频, 后期, 直播, 动画, 数字化, 转录, 拍片, 录像, 导演, 录播客, MV, 拍一支, 拍一部",
          near: "镜头, 素材, 抖音, 配乐",
          says: "{片子}我先弄十分钟给您看，再商量怎么往下做。",
          asks: "素材有多长？成片要多长？",
        },
      },
      {
        kind: "event",
        like: "photographs of weddings and celebrations",
        en: {
          skill: "celebrations on film and in pictures",
          says: "I bring a camera that does both; you get forty pictures and three minutes of film.",
          asks: "Is there anybody who must not be in the picture?",
        },
        zh: {
          skill: "活动拍照加短片",
          says: "我带的相机两样都能拍，给您四十张照片加三分钟短片。",
          asks: "有谁不方便出镜吗？",
        },
      },
    ],
  },
  {
    id: "clef_keyes",
    name: "Clef Keyes",
    bio: { en: "Pianist and tuner; three pianos in two rooms", zh: "弹琴也调琴，两间屋里三台钢琴" },
    price: { en: "€28 for a lesson, €80 for a tuning.", zh: "每课 150 元，调律 300 元。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "piano and keyboard lessons",
          words:
            "piano lessons, piano teacher, learn piano, learn the piano, play the piano, keyboard lessons, sight-reading, music theory, accordion, organ, piano tutor, teach me piano, jazz piano, piano, keyboard, compose, composer, melody, songwriter, arrangement",
          near: "music, beginner, teacher, adult",
          says: "I teach from pieces that you want to play, one hand at a time if need be.",
          asks: "Is there an instrument at home, and which piece would you love to play?",
        },
        zh: {
          skill: "钢琴课",
          words: "学钢琴, 钢琴课, 钢琴老师, 钢琴陪练, 弹钢琴, 乐理, 电子琴, 手风琴, 视唱练耳, 钢琴考级, 练琴, 钢琴",
          near: "老师, 孩子, 考级, 陪练, 零基础",
          says: "从您想弹的曲子教起，一只手一只手来也行。",
          asks: "家里有琴吗？最想弹哪首？",
        },
      },
      {
        kind: "repair",
        en: {
          skill: "piano tuning and instruments",
          things:
            "piano, violin, guitar, violin bow, cello, upright piano, flute, clarinet, trumpet, accordion, saxophone, harp",
          words:
            "piano tuner, tune my piano, tune a piano, out of tune, luthier, restring, tuning, instrument repair, rehair, instrument maker",
          near: "tune, strings, keys, sticking, repair, cracked, instrument",
          says: "The {piano} I look over first, and do the work at your home where that is possible.",
          asks: "When was it last tuned, and has it been moved?",
        },
        zh: {
          skill: "调琴和修乐器",
          things: "钢琴, 小提琴, 吉他, 琴弓, 大提琴, 长笛, 古筝, 二胡, 乐器, 萨克斯",
          words: "调琴, 调律, 调音师, 修琴, 走音, 音不准, 换弦, 制琴, 修乐器, 琴弦断",
          near: "琴键, 琴弦, 修",
          says: "{钢琴}我先看一遍，能上门做的就不让您搬。",
          asks: "上次什么时候调的？之后搬动过吗？",
        },
      },
    ],
  },
  {
    id: "xian_xiaobai",
    name: "弦小白",
    bio: { en: "Plays everything that has strings, old and new", zh: "带弦的都弹，民乐西洋都教" },
    price: { en: "€25 a lesson.", zh: "每课 120 元。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "guitar, violin and Chinese strings",
          words:
            "guitar lessons, guitar teacher, learn guitar, learn the guitar, violin lessons, violin teacher, ukulele, cello lessons, erhu, guzheng, pipa, bass guitar, fingerpicking, learn the violin, learn the cello, banjo, mandolin, drums lessons, drum lessons, flute lessons, learn an instrument, play the guitar, electric guitar, guitar, violin, cello, flute, drums, saxophone, clarinet, trumpet, harp, instrument, chamber music, play music with, jam, guitarist, violinist, guitar player",
          near: "music, strings, beginner, chords, teacher, play",
          says: "Ten minutes a day are enough if they are the right ten; I show you which.",
          asks: "Which music do you listen to, and do you have an instrument?",
        },
        zh: {
          skill: "吉他、小提琴和民乐",
          words:
            "学吉他, 吉他课, 吉他老师, 学小提琴, 小提琴课, 尤克里里, 大提琴课, 二胡, 古筝, 琵琶, 古琴, 民乐, 贝斯, 弹吉他, 弹唱, 葫芦丝, 笛子, 架子鼓, 竹笛, 小提琴老师, 吉他, 小提琴, 大提琴, 萨克斯, 乐器, 长笛, 室内乐, 合奏",
          near: "老师, 零基础, 考级",
          says: "每天练对十分钟就够，哪十分钟我来教您。",
          asks: "平时听什么音乐？手头有琴吗？",
        },
      },
    ],
  },
  {
    id: "aria_songbird",
    name: "Aria Songbird",
    bio: { en: "Sings at weddings and funerals, leads the town choir", zh: "婚礼葬礼都唱，带镇上的合唱团" },
    price: { en: "€30 a lesson; the choir is free.", zh: "每课 130 元，合唱团不收钱。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "singing lessons and a choir for everybody",
          words:
            "singing lessons, singing teacher, learn to sing, sing, choir, vocal coach, voice lessons, vocal, karaoke, a cappella, breathing technique, singing group",
          near: "music, stage, song, voice, join",
          says: "Whoever speaks can sing; we begin with breath and one song you like.",
          asks: "Where do you sing now: in the shower, in the car or on a stage?",
        },
        zh: {
          skill: "声乐课和合唱团",
          words: "学唱歌, 声乐, 合唱, 合唱团, 唱歌, 发声, 练声, 歌唱, K歌, 美声, 流行唱法, 唱戏, 京剧, 戏曲, 越剧",
          near: "老师, 舞台, 歌",
          says: "会说话就会唱；从呼吸和您喜欢的一首歌开始。",
          asks: "现在都在哪里唱：洗澡时、车里，还是台上？",
        },
      },
      {
        kind: "event",
        en: {
          skill: "live music for celebrations",
          words:
            "band, live music, wedding singer, singer, vocalist, musician, musicians, string quartet, dj, sound system, gig, playlist, play at our, singer for, dance music, street musician, brass band, pianist for, guitarist for, harpist, saxophonist, music for our, sound engineer, sound, concert, accordionist, piper, play at",
          near: "wedding, party, music, guests, ceremony, funeral, birthday, anniversary",
          says: "I bring the players that fit, and a small sound system that does not drown the talk.",
          asks: "Indoors or outdoors, how many guests, and which song must be in it?",
        },
        zh: {
          skill: "现场音乐和音响",
          words:
            "乐队, 现场音乐, 婚礼歌手, 驻唱, 四重奏, DJ, 音响, 伴奏, 现场演奏, 打碟, 歌手, 乐手, 演奏, 表演, 开业表演",
          near: "婚礼, 聚会, 音乐, 晚会, 生日",
          says: "按场合带合适的乐手来，音响不会盖过大家说话。",
          asks: "室内还是室外？多少人？哪首歌一定要有？",
        },
      },
    ],
  },
  {
    id: "hua_xiaoman",
    name: "画小棠",
    bio: { en: "Paints walls, faces and birthday cards", zh: "画墙画人也画生日卡" },
    price: { en: "€18 a lesson, pictures by agreement.", zh: "每课 90 元，约画面议。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "drawing and painting lessons",
          words:
            "drawing lessons, painting lessons, learn to draw, learn to paint, watercolour, watercolor, oil painting, sketching, art class, art lessons, art teacher, draw, drawing class, urban sketching, life drawing, acrylics, portfolio for art school, printmaking, linocut",
          near: "art, paint, painting, brush, beginner, portfolio, kids",
          says: "We draw from the first hour, things that stand on your table.",
          asks: "Pencil, colour or ink, and what would you like to be able to draw?",
        },
        zh: {
          skill: "素描和水彩课",
          words: "学画画, 画画, 素描, 水彩, 油画, 国画, 绘画, 美术, 速写, 儿童画, 美术课, 艺考, 版画, 丙烯, 彩铅",
          near: "老师, 孩子, 零基础",
          says: "第一课就动笔，画您桌上的东西。",
          asks: "想用铅笔、颜色还是水墨？最想画出什么？",
        },
      },
      {
        kind: "order",
        en: {
          skill: "murals, portraits and illustrations",
          things:
            "mural, portrait, illustration, book cover illustration, comic, pet portrait, tattoo design, shop sign, greeting card, picture book, wedding invitation, caricature, map",
          words:
            "illustrator, muralist, painted portrait, illustrate, paint a portrait, paint a mural, cartoonist, artist, sign painter, hand-painted, drawn by hand",
          near: "wall, paint, drawing, children's book, gift, drawn, nursery",
          says: "You get two small sketches of the {picture} before I begin.",
          asks: "How large, where will it hang, and is there a photo to work from?",
        },
        zh: {
          skill: "壁画、肖像和插画",
          things: "壁画, 墙绘, 插画, 肖像, 漫画, 绘本插图, 宠物画像, 贺卡, 店招, 喜帖, 头像",
          words: "插画师, 画师, 约稿, 手绘, 画一幅, 画一张, 约画, 画墙",
          near: "墙, 画, 礼物, 童书",
          says: "{画}动笔之前先给您两张小稿。",
          asks: "多大尺寸？挂在哪里？有参考照片吗？",
        },
      },
    ],
  },
  {
    id: "mo_zhi",
    name: "墨小池",
    bio: { en: "Calligrapher and seal carver above the tea shop", zh: "写字刻章，住在茶馆楼上" },
    price: { en: "€15 a lesson; a seal from €30.", zh: "每课 80 元，刻章 100 元起。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "calligraphy with brush and pen",
          words:
            "calligraphy, brush lettering, hand lettering, chinese calligraphy, penmanship, fountain pen, ink painting, handwriting practice",
          near: "ink, brush, writing, pen",
          says: "One stroke for a week, then the next; you will see it.",
          asks: "Brush or pen, and is it for yourself or for something particular?",
        },
        zh: {
          skill: "毛笔和硬笔书法",
          words: "书法, 毛笔字, 练字, 硬笔, 楷书, 行书, 写字, 隶书, 书法课, 书法老师, 钢笔字",
          near: "孩子, 老师, 字",
          says: "一个笔画练一周，再练下一个，您自己会看出来。",
          asks: "毛笔还是硬笔？平时写着玩还是有用处？",
        },
      },
      {
        kind: "order",
        en: {
          skill: "seals, scrolls and written cards",
          things: "seal, scroll, place cards, invitation, couplets, certificate, name stamp, fan",
          words:
            "seal carving, calligrapher, envelope writing, hand-written invitations, mount a scroll, write envelopes, engraved stone",
          near: "wedding, written, stone, gift, new year",
          says: "The {seal} I draw first in three styles of writing.",
          asks: "Which words, and by what day?",
        },
        zh: {
          skill: "篆刻、春联和装裱",
          things: "印章, 对联, 春联, 扇面, 请柬, 牌匾, 字画, 喜帖手写, 条幅",
          words: "篆刻, 刻章, 装裱, 写春联, 题字, 写对联, 裱画",
          near: "礼物, 过年, 手写",
          says: "{印章}我先写三种字体给您挑。",
          asks: "写哪几个字？什么时候要？",
        },
      },
    ],
  },
  {
    id: "kiln_claymore",
    name: "Kiln Claymore",
    bio: { en: "Potter with a kiln that the whole street uses", zh: "陶艺人，一座窑全街共用" },
    price: { en: "€25 for an evening, clay and firing included.", zh: "一次 100 元，含泥料和烧制。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "pottery for beginners and groups",
          things: "bowl, mug, plates, vase, teapot, cup, flower pots",
          words:
            "pottery, ceramics, ceramic, clay, potter, potter's wheel, wheel throwing, kiln, glaze, pottery class, kintsugi, sculpture, sculpt, candle making, soap making",
          near: "wheel, workshop, class, firing, friends",
          says: "Up to six people fit round my wheels, and everybody takes a bowl home after the firing.",
          asks: "How many are you, and wheel or by hand?",
        },
        zh: {
          skill: "陶艺体验和团体课",
          things: "碗, 杯子, 盘子, 花瓶, 茶壶, 茶杯",
          words: "陶艺, 拉坯, 陶瓷, 捏陶, 烧窑, 上釉, 泥塑, 雕塑, 金缮, 做陶, 手工蜡烛, 手工皂",
          near: "手作, 体验, 团建, 朋友",
          says: "最多六个人一起，烧好以后每人带走一只碗。",
          asks: "一共几个人？拉坯还是手捏？",
        },
      },
    ],
  },
  {
    id: "quill_redpen",
    name: "Quill Redpen",
    bio: { en: "Editor of novels and memoirs; honest in pencil", zh: "图书编辑，看小说和回忆录，用铅笔说真话" },
    limit: { en: "I do not promise a publisher.", zh: "能不能出版我不打包票。" },
    price: { en: "The first ten pages are free, then €4 a page.", zh: "前十页免费，之后每页 15 元。" },
    does: [
      {
        kind: "project",
        en: {
          skill: "editing novels, memoirs and stories",
          things:
            "novel, memoir, manuscript, short story, autobiography, poems, children's book, first novel, crime novel, fantasy novel, poetry collection, screenplay, essay collection, life story, cookbook",
          words:
            "editor, proofread, proofreader, proofreading, copy editor, copyedit, beta reader, ghostwriter, ghostwrite, manuscript assessment, writing group, creative writing, plot, publish, self-publish, writing coach, author, my book, a book, write a book",
          near: "chapter, draft, words, story, read, structure, pages, feedback, write, finished",
          says: "I read your {manuscript} whole before I write one remark, and then tell you in three pages where it holds and where it does not.",
          asks: "Who is it for, and which chapter do you doubt yourself?",
        },
        zh: {
          skill: "小说、回忆录和书稿编辑",
          things: "长篇小说, 小说, 回忆录, 书稿, 短篇, 自传, 诗集, 童书, 散文, 剧本, 悬疑小说, 科幻小说, 网文",
          words:
            "编辑, 校对, 改稿, 审稿, 试读, 出书, 出版, 代笔, 写作指导, 润色, 文学, 写书, 写作, 写成, 一本书, 写本书, 写成书",
          near: "章, 结构, 稿子, 故事, 初稿, 万字",
          says: "您的{书稿}我通读完再写意见，三页纸说清楚哪里立得住，哪里立不住。",
          asks: "写给谁看的？您自己最没把握的是哪一章？",
        },
      },
      {
        kind: "order",
        en: {
          skill: "speeches, letters and texts",
          things:
            "wedding speech, eulogy, letter, vows, toast, speech, poem, newsletter, product text, obituary, complaint letter, grant application, press release, best man's speech, farewell speech, blog post, love letter",
          words: "speechwriter, copywriter, copywriting, help me write, writer, texts for",
          near: "words, funny, website, write, minutes, read out",
          says: "For the {speech} we talk for half an hour, and I write it in your voice, not in mine.",
          asks: "Who listens, how long may it be, and what must be in it?",
        },
        zh: {
          skill: "致辞、书信和文案",
          things: "婚礼致辞, 悼词, 誓词, 演讲稿, 信, 祝词, 诗, 产品文案, 推文, 发言稿, 投诉信, 新闻稿, 情书",
          words: "文案, 写稿, 撰稿, 帮忙写, 帮我写, 写一封, 写一篇, 写手, 公众号文章",
          near: "幽默, 字, 感人",
          says: "{稿子}我们先聊半小时，我用您的口气写。",
          asks: "谁来听？多长？哪些话一定要有？",
        },
      },
    ],
  },
  {
    id: "dot_kerning",
    name: "Dot Kerning",
    bio: { en: "Graphic designer for small shops and clubs", zh: "平面设计师，给小店和社团做设计" },
    price: { en: "From €150, two rounds of changes included.", zh: "500 元起，含两轮修改。" },
    does: [
      {
        kind: "project",
        en: {
          skill: "logos, posters and packaging",
          things:
            "logo, poster, flyer, packaging, business card, menu, book cover, label, brochure, banner, leaflet, album cover, signage, t-shirt, letterhead, brand, stickers, wedding invitations, infographic, slides, presentation",
          words:
            "graphic designer, graphic design, branding, brand identity, layout, typesetting, typesetter, print design, powerpoint",
          near: "design, designer, print, shop, cafe, colours, club",
          says: "For the {logo} you get three ideas on paper, and we go on with the one that still pleases after a night.",
          asks: "Where will it be seen, and which ones of others do you like?",
        },
        zh: {
          skill: "标志、海报和包装",
          things:
            "标志, logo, 海报, 传单, 包装, 名片, 菜单, 书籍封面, 封面, 标签, 画册, 横幅, 招牌, T恤, 品牌, PPT, 宣传册, 表情包",
          words:
            "平面设计, 平面设计师, 品牌设计, 队徽, 会徽, 徽标, 排版, 视觉设计, VI, 美工, 包装设计, 海报设计, logo设计",
          near: "设计, 印刷, 店, 配色",
          says: "{标志}先给三个草图，隔一夜还喜欢的再往下做。",
          asks: "会用在哪里？您喜欢别家的哪些？",
        },
      },
    ],
  },
  {
    id: "prompt_stagewell",
    name: "Prompt Stagewell",
    bio: { en: "Actor at the town theatre, reads aloud to anybody", zh: "镇剧场的演员，给谁都朗读" },
    price: { en: "€40 an hour.", zh: "每小时 150 元。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "acting, speaking before people and voice work",
          words:
            "acting, acting class, actor, actors, theatre, theater, drama, public speaking, stage fright, improv, improvisation, voice coach, audition, voice-over, voice over, voiceover, narrator, audiobook, presentation skills, speak in public, presenting, stand-up, comedy, rehearse, puppet",
          near: "stage, speech, voice, play, audience, presentation, nervous, record",
          says: "We do it out loud from the start, and I show you what to do with the hands.",
          asks: "When do you have to stand there, before whom, and for how long?",
        },
        zh: {
          skill: "表演、演讲和配音",
          words:
            "表演, 演讲, 话剧, 配音, 朗诵, 朗读, 有声书, 怯场, 即兴, 台词, 演员, 播音, 脱口秀, 旁白, 公众表达, 当众讲话, 汇报演讲, 播音主持",
          near: "舞台, 声音, 上台, 紧张, 录音",
          says: "从一开始就大声说，手往哪里放我也教。",
          asks: "什么时候上台？对谁讲？多长时间？",
        },
      },
    ],
  },
  {
    id: "wu_xiaobu",
    name: "舞小步",
    bio: { en: "Teaches dancing to people with two left feet", zh: "教舞的，专治同手同脚" },
    price: { en: "€15 a lesson in a group, €35 alone.", zh: "小班 60 元，一对一 150 元。" },
    does: [
      {
        kind: "lessons",
        en: {
          skill: "dancing, from first waltz to street dance",
          words:
            "dance, dancing, dance lessons, dance teacher, salsa, tango, waltz, ballet, hip hop, first dance, ballroom, choreography, swing dance, dance partner, zumba, belly dance, flamenco, square dance, tap dance, folk dance, bachata",
          near: "wedding, music, steps, partner, class",
          says: "After one hour you get through a whole song; after four it looks easy.",
          asks: "Which dance, for what occasion, and alone or in a pair?",
        },
        zh: {
          skill: "交谊舞、街舞和广场舞",
          words:
            "跳舞, 舞蹈, 学舞, 街舞, 芭蕾, 拉丁, 交谊舞, 广场舞, 民族舞, 爵士舞, 华尔兹, 古典舞, 编舞, 排舞, 舞伴, 肚皮舞, 尊巴, 探戈, 一支舞, 双人舞, 婚礼舞, 舞",
          near: "婚礼, 节目, 零基础, 老师",
          says: "一小时能跟完一首歌，四小时看着就像样了。",
          asks: "跳哪种？什么场合？一个人还是一对？",
        },
      },
    ],
  },
];
