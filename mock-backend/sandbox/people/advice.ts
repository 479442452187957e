import type { Person } from "../person.ts";

/** Those who know the law, money, work and papers. */
export const ADVICE: readonly Person[] = [
  {
    id: "lex_fairchild",
    name: "Lex Fairchild",
    bio: {
      en: "Lawyer for tenants and buyers; writes letters that are read",
      zh: "律师，替租客和消费者说话，写的信有人看",
    },
    limit: { en: "I do not act against another client of mine.", zh: "不代理与我现有当事人对立的一方。" },
    price: { en: "The first half hour is free, then €90 an hour.", zh: "前半小时免费，之后每小时 300 元。" },
    does: [
      {
        kind: "advice",
        en: {
          skill: "tenancy, deposits and disputes",
          words:
            "landlord, deposit, tenant, tenancy, lawyer, legal, legal advice, eviction, evicted, evict, lease, rental contract, lease dispute, solicitor, attorney, consumer rights, refund, small claims, sue, court, mediation, mediator, dispute, complaint, neighbour dispute, rent increase, scam, scammed, defamation, noise complaint, traffic fine, contract dispute, warranty, compensation, money back, ripped off, owes me, property management, seller, lied to me, lied, cheated, cheat",
          near: "rent, contract, flat, money, pay, neighbour, letter, law, refuses, insurance",
          says: "Send me the contract and what was written; I tell you where you stand before anybody threatens anybody.",
          asks: "What did you sign, and what has been written since?",
        },
        zh: {
          skill: "租房、押金和纠纷",
          words:
            "押金, 房东, 租客, 租房纠纷, 律师, 法律, 维权, 起诉, 退款, 消费者, 纠纷, 打官司, 调解, 欠钱, 欠款, 借条, 投诉, 赔偿, 违约, 被骗, 法律咨询, 退租, 邻里纠纷, 噪音扰民, 交通事故, 开庭, 懂法律, 物业, 要回钱, 退钱, 租房合同, 租赁合同, 合同看不懂, 霸王条款",
          near: "合同, 租, 钱, 不退, 邻居",
          says: "把合同和聊天记录发给我，我先告诉您站不站得住，再谈怎么吵。",
          asks: "签过什么？之后双方都写过什么？",
        },
      },
      {
        kind: "advice",
        en: {
          skill: "family law, wills and inheritance",
          words:
            "divorce, custody, last will, make a will, write a will, my will, a will, inheritance, probate, power of attorney, prenup, alimony, adoption, estate, guardianship, child support, notary, testament",
          near: "lawyer, family, children, papers, brother, sister, parents, house, inherit",
          says: "I draw up what is agreed and name what is not; a judge comes last.",
          asks: "Who is concerned, and what do all agree on already?",
        },
        zh: {
          skill: "婚姻、遗嘱和继承",
          words: "离婚, 抚养权, 遗嘱, 继承, 遗产, 婚前协议, 抚养费, 收养, 监护, 财产分割, 公证, 赡养",
          near: "律师, 家人, 房子, 兄弟, 协议",
          says: "能谈拢的我写成文字，谈不拢的单独列出来，法院放最后。",
          asks: "涉及哪些人？哪些已经说好了？",
        },
      },
    ],
  },
  {
    id: "lu_xiaozheng",
    name: "律小正",
    bio: { en: "Labour lawyer, used to sit on the other side", zh: "劳动法律师，以前替公司做过" },
    price: { en: "The first call is free.", zh: "第一次电话免费。" },
    does: [
      {
        kind: "advice",
        en: {
          skill: "work contracts and dismissal",
          words:
            "dismissed, dismissal, fired, unfair dismissal, severance, overtime pay, unpaid wages, employment contract, labour law, labor law, employment lawyer, boss, non-compete, laid off, layoff, redundancy, workplace harassment, work accident, employer, wages, notice period",
          near: "contract, employer, company, work, sign, lawyer, salary, pay",
          says: "Sign nothing until I have read it; most offers can be doubled with one letter.",
          asks: "Since when do you work there, and what have you been given in writing?",
        },
        zh: {
          skill: "劳动合同和辞退",
          words:
            "劳动仲裁, 辞退, 被裁, 裁员, 工资, 加班费, 劳动合同, 竞业, 欠薪, 工伤, 离职, 社保, N+1, 试用期, 拖欠工资, 劳动法, 仲裁",
          near: "公司, 老板, 合同, 赔偿, 律师",
          says: "我看过之前什么都别签；一封信往往能多争取一倍。",
          asks: "入职多久？公司给过什么书面的东西？",
        },
      },
      {
        kind: "advice",
        en: {
          skill: "companies, contracts and trademarks",
          words:
            "trademark, patent, copyright, register a company, founders agreement, terms of service, gdpr, nda, start a company, company registration, shareholder, intellectual property, equity split, licence agreement, freelance contract, privacy policy, co-founder agreement, business licence, contract review, review a contract",
          near: "contract, company, business, lawyer, sign, agreement, name",
          says: "I read the paper and mark three places: what is fine, what is missing, what is dangerous.",
          asks: "Who is to sign, and what happens if it goes wrong?",
        },
        zh: {
          skill: "公司、合同和商标",
          words:
            "商标, 专利, 版权, 注册公司, 股权, 合伙协议, 保密协议, 知识产权, 营业执照, 审合同, 看合同, 合同审查, 隐私政策, 办执照, 股东",
          near: "合同, 公司, 签, 律师",
          says: "合同我看完标三处：可以的、缺的、危险的。",
          asks: "谁和谁签？出了问题会怎样？",
        },
      },
    ],
  },
  {
    id: "visa_passwell",
    name: "Visa Passwell",
    bio: { en: "Helped nine hundred people through forms", zh: "帮九百个人填过表" },
    limit: { en: "I promise the papers, not the answer.", zh: "材料我保证，批不批不归我。" },
    price: { en: "€40 for a file.", zh: "一份材料 150 元。" },
    does: [
      {
        kind: "advice",
        en: {
          skill: "visas, residence and forms",
          words:
            "visa, residence permit, immigration, work permit, citizenship, passport, asylum, family reunion, forms, paperwork, embassy, authorities, green card, fill in a form, fill out, residency, naturalisation, benefits application, bureaucracy, application form, pension application, schengen",
          near: "papers, apply, application, documents, abroad, office, appointment",
          says: "I go through the list with you line by line and copy everything twice.",
          asks: "Which passport do you hold, and by which day must it be in?",
        },
        zh: {
          skill: "签证、居留和办手续",
          words:
            "签证, 居留, 移民, 工签, 入籍, 护照, 绿卡, 填表, 办手续, 申根, 落户, 家庭团聚, 户口, 居住证, 材料清单, 拒签",
          near: "材料, 申请, 出国, 办理",
          says: "清单我陪您一条一条过，所有材料备两份。",
          asks: "持什么护照？最晚哪天要交？",
        },
      },
    ],
  },
  {
    id: "shui_xiaoshu",
    name: "税小数",
    bio: { en: "Accountant for shops, freelancers and one circus", zh: "会计，客户有小店、自由职业者和一个马戏团" },
    price: { en: "A simple tax return is €80.", zh: "普通个税申报 200 元。" },
    does: [
      {
        kind: "advice",
        en: {
          skill: "taxes and books",
          words:
            "tax, taxes, tax return, accountant, accounting, bookkeeping, bookkeeper, vat, invoice, invoices, freelance tax, payroll, audit, annual accounts, self-employed, receipts, tax adviser, tax advisor, deduct, balance sheet",
          near: "freelance, business, shop, year, numbers, income",
          says: "Bring the shoebox as it is; I sort it, and you see what it comes to before anything is handed in.",
          asks: "Which year, and from how many sides does money come in?",
        },
        zh: {
          skill: "报税和记账",
          words: "报税, 会计, 记账, 个税, 增值税, 发票, 做账, 代账, 财务, 税务, 汇算清缴, 开票, 对账, 退税",
          near: "小店, 公司, 个体户, 收入",
          says: "票据原样拿来，我来理；交之前您先看结果。",
          asks: "哪一年的？收入有几处来源？",
        },
      },
    ],
  },
  {
    id: "penny_budgetwise",
    name: "Penny Budgetwise",
    bio: { en: "Left a bank to help people keep their money", zh: "从银行辞职，帮人把钱守住" },
    limit: { en: "I sell nothing and take no commission.", zh: "不卖产品，不拿佣金。" },
    price: { en: "€50 for a talk with a plan.", zh: "聊一次出方案 180 元。" },
    does: [
      {
        kind: "advice",
        en: {
          skill: "budgets, debts, insurance and saving",
          words:
            "budget plan, household budget, debt, debts, insurance, pension, mortgage, savings, save money, invest, investing, financial planning, financial advisor, financial adviser, loan, retirement, credit card, personal finance, stocks, bankrupt, bankruptcy, etf, retirement savings, finances",
          near: "money, bank, house, buy, monthly, spend",
          says: "We write down one month as it really was; the plan makes itself after that.",
          asks: "What keeps you awake about it: too little, too much, or not knowing?",
        },
        zh: {
          skill: "家庭预算、债务和保险",
          words:
            "理财, 债务, 负债, 保险, 养老金, 房贷, 存钱, 投资, 家庭预算, 贷款, 退休规划, 信用卡, 基金, 攒钱, 记账习惯, 重疾险, 股票",
          near: "钱, 银行, 买房, 每月",
          says: "先把上个月真实的花销写下来，方案自己就出来了。",
          asks: "最让您睡不着的是不够、太多，还是心里没数？",
        },
      },
    ],
  },
  {
    id: "zhi_xiaolu",
    name: "职小路",
    bio: { en: "Read ten thousand CVs and remembers twenty", zh: "看过一万份简历，记得住的二十份" },
    price: { en: "€35 for a CV, the interview practice is free.", zh: "改简历 100 元，模拟面试免费。" },
    does: [
      {
        kind: "advice",
        en: {
          skill: "CVs, interviews and changing jobs",
          words:
            "cv, resume, résumé, job interview, interview practice, mock interview, cover letter, career, career change, change careers, job search, find a job, linkedin, first job, salary negotiation, internship, apprenticeship, part-time job, back to work, career coach, job application, new job, promotion, career advice, pay raise, a raise",
          near: "job, work, interview, apply, company, years, profession",
          says: "We cut the CV to what that one employer needs, and practise the question you fear.",
          asks: "Which job is it, and what do you do so well that you forget to mention it?",
        },
        zh: {
          skill: "简历、面试和转行",
          words:
            "简历, 面试, 求职, 转行, 找工作, 职业规划, 求职信, 跳槽, 实习, 内推, 模拟面试, 谈薪, 兼职, 职场, 校招, 秋招, 换工作, 副业",
          near: "工作, 公司, 应聘, 岗位",
          says: "简历只留这家公司要看的，再练您最怕的那个问题。",
          asks: "应聘什么岗位？有什么您做得好却总忘了说？",
        },
      },
      {
        kind: "project",
        en: {
          skill: "finding people for a small team",
          words:
            "hire, hiring, recruit, recruiter, recruiting, recruitment, staff, shop assistant, waiter, waitress, employee, trainee, intern, cleaner for our office, salesperson, apprentice",
          near: "team, restaurant, shop, part-time, position, job",
          says: "I write the advert so that the wrong people do not apply, and sit in on the talks.",
          asks: "What will the person do on a normal Tuesday, and what do you pay?",
        },
        zh: {
          skill: "替小团队招人",
          words: "招聘, 招人, 招店员, 猎头, 招服务员, 招实习生, 雇人, 用工, 招一名, 招销售, 店员, 招募员工, 人事",
          near: "团队, 餐馆, 岗位, 店里",
          says: "招聘启事我来写，不合适的人自然不会投；面试我也陪着。",
          asks: "这个人普通的一天做什么？开多少钱？",
        },
      },
    ],
  },
  {
    id: "zu_xiaofang",
    name: "租小房",
    bio: { en: "Finds rooms and people who fit together", zh: "找房子，也找合得来的室友" },
    does: [
      {
        kind: "advice",
        en: {
          skill: "flats, rooms and flatmates",
          words:
            "flatmate, roommate, flat to rent, apartment to rent, find a flat, find an apartment, room to rent, rent a room, sublet, flat hunting, house share, studio to rent, viewing, buy a house, buy a flat, house hunting, estate agent, realtor, coworking, desk space, office space, shop premises, flatshare, house swap, somewhere to live, lodger, short let, place to live, storage space, property, small office, office to, share an office, rent an office, studio space, guest room, housing search",
          near: "rent, room, flat, apartment, move in, month, quiet, house",
          says: "I go to the viewing with you and ask what is not in the advert.",
          asks: "From when, for how much a month, and what would you never live beside?",
        },
        zh: {
          skill: "租房、看房和找室友",
          words:
            "租房, 室友, 合租, 找房, 找房子, 看房, 转租, 短租, 买房, 房源, 工位, 办公室出租, 店面, 次卧, 单间, 换房, 房子租, 学区房, 二手房, 办公场地, 仓库出租",
          near: "房租, 地铁, 安静, 押一付三",
          says: "看房我陪您去，广告上没写的我来问。",
          asks: "哪天入住？每月多少钱？绝对不能挨着什么？",
        },
      },
    ],
  },
  {
    id: "fund_pitchman",
    name: "Fund Pitchman",
    bio: {
      en: "Read pitches for two funds, started a bakery and a failure",
      zh: "在两家基金看过项目，自己办成过一家面包店，也失败过一次",
    },
    price: { en: "The first talk is free.", zh: "第一次聊不收钱。" },
    does: [
      {
        kind: "project",
        en: {
          skill: "business plans, founders and first money",
          words:
            "business plan, investor, investors, startup, start-up, co-founder, cofounder, founder, pitch, pitch deck, funding, grant, venture, business idea, open a shop, open a cafe, small business, crowdfunding, business partner, business model, entrepreneur, franchise, start a business, social enterprise, business coach, angel",
          near: "business, money, idea, shop, market, team, partner",
          says: "I ask the ten questions that an investor asks, in a friendlier voice, and we find out which one has no answer yet.",
          asks: "Who pays you for it, and have you asked one of them?",
        },
        zh: {
          skill: "商业计划、合伙人和第一笔钱",
          words:
            "创业, 商业计划书, 商业计划, 融资, 投资人, 合伙人, 开店, 路演, 众筹, 创始人, 商业模式, 加盟, 天使投资, 小生意, 开咖啡馆, 开餐馆, 项目计划, 做生意",
          near: "生意, 资金, 想法, 团队, 店",
          says: "投资人会问的十个问题我先问一遍，看哪一个还没有答案。",
          asks: "谁会为它付钱？您问过其中一个吗？",
        },
      },
    ],
  },
];
