import { BASE } from "../../style/base.ts";
import { MAP } from "../../style/map.ts";
import { PLAN } from "../../style/plan.ts";
import { TOKENS } from "../../style/tokens.ts";

const CONTROLS = `
svg.i{width:16px;height:16px;flex:none;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round;vertical-align:-3px}
.b{white-space:nowrap;flex:none;font:500 var(--s) var(--sans);min-height:36px;padding:7px 14px;border-radius:var(--r2);border:1px solid var(--edge);background:var(--surface);color:var(--ink);cursor:pointer;display:inline-flex;align-items:center;justify-content:center;gap:var(--2);transition:background .12s,border-color .12s,transform .12s var(--ease)}
.b:hover{background:var(--sunk)}.b:active{transform:translateY(1px)}
.b.go{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}.b.go:hover{background:color-mix(in srgb,var(--accent) 88%,var(--ink))}
.b.no{border-color:transparent;background:none;color:var(--me)}.b.no:hover{background:var(--me-bg)}
.b.big{min-height:44px;padding:9px 18px;font-size:15px}
.b.t{min-height:28px;padding:3px 8px;border-color:transparent;background:none;color:var(--muted);border-radius:var(--r1)}.b.t:hover{background:var(--sunk);color:var(--ink)}
.b[disabled]{opacity:.55;cursor:default}.b[disabled]:hover{background:var(--surface)}.b.go[disabled]:hover{background:var(--accent)}.b.t[disabled]:hover,.b.no[disabled]:hover{background:none}
.b.ok{border-color:var(--accent);color:var(--accent)}
textarea,input[type=text],input[type=search]{font:inherit;color:inherit;background:var(--surface);border:1px solid var(--edge);border-radius:var(--r2);width:100%;padding:var(--3) var(--4);display:block}
textarea{resize:vertical;field-sizing:content}
::placeholder{color:var(--muted);opacity:1}
form{margin:0}.wraps{flex-wrap:wrap}.after{margin-top:var(--4)}.after:empty{display:none}
.hint{font:var(--xs) var(--sans);color:var(--muted);display:flex;gap:6px;align-items:flex-start;margin-top:var(--1)}.hint svg{width:14px;height:14px;margin-top:1px}
.hint.by-agent{color:var(--agent)}.me-note{color:var(--me);margin-top:var(--3)}
`;

const FRAME = `
.top .menu{display:flex;align-items:center}.sign{display:flex}.pill.mono{font-family:var(--mono)}
.rail{padding-bottom:var(--3)}
.rail ol{display:grid;grid-template-columns:repeat(6,1fr);gap:var(--4)}
.yao{display:flex;gap:14px;height:4px;margin-bottom:var(--2)}.yao i{flex:1;background:var(--line);overflow:hidden}.yao svg{display:block}
.done .yao{gap:0}.done .yao i{background:var(--ink)}
.now .yao i{background:var(--accent)}.now .yao i+i{background:color-mix(in srgb,var(--accent) 28%,var(--bg));color:var(--accent)}
.rail li{font:var(--s) var(--sans);color:var(--muted)}.rail li>div{display:flex;flex-wrap:wrap;justify-content:space-between;column-gap:var(--2);overflow-wrap:normal}
.rail .done{color:var(--ink)}.rail .now{color:var(--accent);font-weight:600}.rail time{color:var(--muted);font-weight:400}.rail .now time{color:inherit}
.rail .small{display:none;color:var(--muted);justify-content:space-between}.rail .small b{color:var(--accent);font-weight:600}
main{flex:1;display:flex;flex-direction:column}main>.wrap{padding-bottom:var(--6)}
.head{padding-block:var(--5) var(--4)}.head p{color:var(--muted);margin-top:2px}.head strong{font-weight:600;margin-inline-start:.35em}:lang(zh) .head strong{margin-inline-start:0}
.head strong.network{color:var(--add)}.head strong.mine{color:var(--me)}
.head.row{flex-wrap:wrap;gap:var(--2) var(--4)}
.note{font:var(--s) var(--sans);padding:var(--2) var(--3);border-inline-start:3px solid var(--edge);background:var(--sunk);border-radius:var(--r1);margin-bottom:var(--3)}
.note.error{border-color:var(--me);background:var(--me-bg)}.note.warning{border-color:var(--add)}.note.news{border-color:var(--accent);background:var(--accent-bg)}
`;

const WORDS = `
mark.pii,.sw.pii{text-decoration:underline 2px var(--me);text-underline-offset:5px;text-decoration-skip-ink:none}
ins.off,del.off{background:none;color:var(--muted);text-decoration:line-through;text-decoration-thickness:1px}
ins.on{outline:2px solid var(--add);outline-offset:1px}
`;

const DECIDE = `
.decide{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,9fr);gap:var(--6);align-items:start}.decide>*{min-width:0}
.yours{padding-top:var(--4);display:grid;gap:var(--5)}
.yours blockquote{font:var(--m) var(--sans);margin-top:var(--3);padding-inline-start:var(--4);border-inline-start:2px solid var(--ink);white-space:pre-wrap}
.who{display:inline-flex;align-items:center;gap:6px;font:600 var(--s) var(--sans)}.who.net{color:var(--add)}.who.agent{color:var(--agent)}
.sheet{box-shadow:var(--shadow);overflow:hidden;display:flex;flex-direction:column;min-height:min(440px,calc(100dvh - 320px))}.sheet>.adds,.sheet>.foot{margin-top:auto}.sheet>.adds~.foot,.sheet>.left-out~*{margin-top:0}
.share{display:block}.of-you{fill:var(--ink)}.of-net{fill:var(--add)}.of-gap{fill:var(--surface)}
.sheet header{display:flex;align-items:center;gap:var(--2);padding:var(--3) var(--3) 0 var(--5);min-height:48px}
.text{font:var(--l) var(--sans);padding:var(--2) var(--5) var(--4);min-height:120px;white-space:pre-wrap}
.text.short{font:22px/40px var(--sans)}.text[data-edit]{cursor:text}.text[data-edit]:hover{background:linear-gradient(var(--sunk),var(--sunk)) var(--3) 0/2px 100% no-repeat}
html:lang(zh) .text{text-autospace:no-autospace}
.waiting .text{display:grid;gap:20px;padding-block:var(--5)}.waiting rect{fill:var(--sunk)}
.text.editing{white-space:normal}.layers{display:grid;margin:-5px -9px 0}
.layers>*{grid-area:1/1;unicode-bidi:plaintext;font:var(--l) var(--sans);padding:4px 8px 12px;border:1px solid transparent;white-space:pre-wrap;overflow-wrap:anywhere;min-height:200px;border-radius:var(--r1);letter-spacing:normal}
.layers textarea{background:none;border-color:var(--accent);resize:none;overflow:hidden;position:relative;height:100%}.layers textarea:focus-visible{outline-offset:-1px}
.under{color:transparent;pointer-events:none}.under span{border-radius:3px;box-shadow:0 0 0 1px transparent}.under .ag{background:var(--agent-bg);box-shadow:0 0 0 1px var(--agent-bg)}.under .net{background:var(--add-bg);box-shadow:0 0 0 1px var(--add-bg)}.under .you{background:var(--accent-bg);box-shadow:0 0 0 1px var(--accent-bg)}
.editing .hint{margin-top:var(--2)}.gone-words{color:var(--muted);margin-top:var(--2)}
.sheet>.gone-words{padding:0 var(--5) var(--3);margin:0}.gone-words del{text-decoration:line-through}
.sheet>.left-out{border-top:1px solid var(--line);color:var(--me);display:flex;flex-wrap:wrap;align-items:center;gap:0 var(--2);padding-block:var(--2);margin-top:auto}.left-out del{flex:1 1 10em}
.adds{border-top:1px solid var(--line);display:grid;grid-template-columns:1fr 1fr;padding:var(--2) var(--3) var(--2) var(--5);column-gap:var(--5)}
.adds.few{grid-template-columns:1fr}.adds li{display:flex;align-items:center;gap:var(--2);font:var(--s) var(--sans);min-height:32px;border-radius:var(--r1)}
.adds .what{flex:1;min-width:0}.adds .n{font:600 11px/16px var(--sans);color:var(--add);min-width:10px}.adds .personal .n,.adds .personal small{color:var(--me)}
.adds small{font:var(--xs) var(--sans);color:var(--muted);white-space:nowrap;margin-inline-start:6px}.adds .off .words{color:var(--muted);text-decoration:line-through}
.adds .pointed{box-shadow:inset 0 0 0 1.5px var(--agent);padding-inline:var(--2)}
.foot{border-top:1px solid var(--line);padding:var(--2) var(--3) var(--2) var(--5);min-height:44px;flex-wrap:wrap}
.agentcard{background:var(--agent-bg);border:1px dashed var(--agent);border-radius:var(--r2);padding:var(--3) var(--4);font:var(--s) var(--sans)}
.agentcard p{margin-top:var(--1)}.agentcard .why{color:var(--muted)}.agentcard .row{margin-top:var(--2);flex-wrap:wrap;gap:var(--1) var(--4)}
.agentcard input[type=text]{flex:1 1 160px;width:auto;font:var(--s) var(--sans);padding:4px 10px;border-color:var(--agent);border-radius:var(--r1)}.agentcard .facts{margin-top:var(--2)}.agentcard ins{text-decoration:underline dashed var(--agent) 1.5px;text-underline-offset:4px}.agentcard del{text-decoration:line-through}.two .agentcard{margin-top:var(--4)}.narrow+.agentcard,.scenes+.agentcard{margin-top:var(--5);max-width:760px}
.agentcard .b{min-height:28px;padding:3px 10px;border-color:var(--agent);background:none;color:var(--agent)}.agentcard .b.t{border-color:transparent;padding-inline:0}
.live:has(.act){--bar:96px}html{scroll-padding-bottom:var(--bar,0)}
.act{position:relative;margin-top:auto;background:color-mix(in srgb,var(--surface) 94%,transparent);backdrop-filter:blur(8px);border-top:1px solid var(--line);z-index:2}
.live .act{position:sticky;bottom:0}.live.tall .act{position:relative}.live .end:focus{outline:0}
.b[aria-disabled=true],.b[aria-disabled=true]:hover{background:var(--sunk);border-color:var(--line);color:var(--muted);cursor:default}.b[aria-disabled=true]:active{transform:none}
.b.more{position:absolute;bottom:calc(100% - 13px);inset-inline:0;width:max-content;margin-inline:auto;min-height:26px;padding:2px 12px;border-radius:99px;box-shadow:var(--shadow);font:600 var(--xs) var(--sans)}.b.more::after{content:"";position:absolute;inset:-6px -10px}
.act .wrap{display:flex;align-items:center;gap:var(--5);padding-block:var(--3)}
.ring{position:relative;width:52px;height:52px;flex:none;font:600 13px/52px var(--sans);text-align:center}
.ring svg{position:absolute;inset:0;transform:rotate(-90deg)}.ring circle{fill:none;stroke-width:3}.ring .bg{stroke:var(--line)}.ring .fg{stroke:var(--accent);transition:stroke-dashoffset 1s linear}
.late .ring .fg,.passed .ring .fg{stroke:var(--me)}.late .ring,.passed .ring,.late .deadline dt,.passed .deadline dt,.runs-out dd{color:var(--me)}
.act dl{display:flex;gap:var(--5);min-width:0}.act dt{font:var(--xs) var(--sans);color:var(--muted)}.act dd{font:500 var(--s) var(--sans)}.act dl .mono{color:var(--muted);font-weight:400;margin-inline-start:6px}
.act .unusual{display:grid;padding-block:var(--3) 0}.act .unusual :is(dt,dd){display:inline}.act .unusual dt::after{content:" "}
`;

const STAGE_BAR = `
.act.stage .wrap{gap:var(--2);justify-content:flex-end;padding-block:var(--3)}.act.stage .chosen{margin-inline-end:auto;min-width:0;display:grid}.act.stage .chosen b{font:600 var(--m) var(--sans)}
`;

const NEGOTIATE = `
.neg{display:grid;grid-template-columns:228px minmax(0,1fr) 312px;gap:var(--5);align-items:start}.neg>*{min-width:0}
.list h2{padding:0 12px 4px}.list ul{display:grid;gap:2px}.list .empty{padding:0 12px}
.list li button{all:unset;box-sizing:border-box;width:100%;display:grid;grid-template-columns:24px 1fr auto;gap:2px var(--3);align-items:center;padding:var(--2) var(--3);border-radius:var(--r2);cursor:pointer}
.list li button:hover{background:var(--sunk)}.list li button[aria-pressed=true]{background:var(--surface);box-shadow:inset 0 0 0 1.5px var(--accent)}
.list li button:focus-visible{outline:2px solid var(--accent)}
.list .nm{font-weight:500;min-width:0}.list .st{grid-column:2/-1;font:var(--xs) var(--sans);color:var(--muted)}.list .of .st{color:var(--accent)}.list .gone .nm{color:var(--muted)}
.bead{width:16px;height:16px;border-radius:50%;border:2px solid var(--ink);margin:auto}.of .bead{background:var(--accent);border-color:var(--accent)}.gone .bead{border-color:var(--edge);background:var(--line)}
.map .sel{fill:none;stroke:var(--accent);stroke-width:1.5;opacity:0}.map .on .sel{opacity:1}.map g[data-agent]{cursor:pointer}
.core-lines{fill:none;stroke:var(--ink);stroke-width:2.4}.map .nd,.map .in{transition:fill .2s}
.side{display:grid;gap:var(--4)}
.offer{padding:var(--4) var(--5);box-shadow:var(--shadow)}.who-row{gap:var(--3)}
.offer.of .av{background:var(--accent);color:var(--on-accent)}.offer.wa .av{background:var(--bg);box-shadow:inset 0 0 0 2px var(--ink)}.offer.gone .av{color:var(--muted);box-shadow:inset 0 0 0 2px var(--edge)}
.offer .words{margin-top:var(--3);white-space:pre-wrap;max-height:70vh;overflow-y:auto}.offer .facts{margin-top:var(--3);border-top:1px solid var(--line);padding-top:var(--3)}
.facts>div{display:contents}.facts.bare{margin-top:var(--2)}
.meter .row{gap:var(--2)}.meter b{font-weight:600}.lines{display:inline-flex;gap:4px;max-width:180px}.lines i{flex:0 1 22px;width:22px;min-width:3px;height:4px;background:linear-gradient(90deg,var(--ink) 0 36%,transparent 36% 64%,var(--ink) 64%)}.lines i.of{background:var(--accent)}.lines i.gone{background:linear-gradient(90deg,var(--edge) 0 36%,transparent 36% 64%,var(--edge) 64%);opacity:.5}
.sent-text{margin:var(--4) 12px 0;padding-top:var(--3);border-top:1px solid var(--line);font:var(--s) var(--sans);color:var(--muted)}.sent-text summary{cursor:pointer;color:var(--ink);font-weight:500}.sent-text p{margin-top:var(--2)}.sent-text details p{white-space:pre-wrap}
`;

const DONE = `
.review li+li{margin-top:var(--2)}.review form{margin-top:var(--3)}.three .review{margin-bottom:var(--4)}.people{grid-column:1/-1}.wide{grid-column:1/-1}.coverage .blk-head{gap:var(--3)}.blk-head{margin-bottom:var(--3)}.blk .blk-head h2{margin:0}
.scroll{overflow-x:auto}.coverage th small{display:block;font:var(--xs) var(--sans);color:var(--accent)}.gap .b{min-height:28px;padding:1px 10px;margin-inline-start:var(--2);border-color:var(--me);color:var(--me)}
.weeks.n1{grid-template-columns:1fr}.weeks.n2{grid-template-columns:repeat(2,1fr)}.weeks.n3{grid-template-columns:repeat(3,1fr)}.weeks.n4{grid-template-columns:repeat(4,1fr)}.weeks.n6{grid-template-columns:repeat(6,1fr);row-gap:var(--4)}
.check li button{all:unset;box-sizing:border-box;display:flex;gap:var(--3);align-items:flex-start;padding:5px 0;font:var(--s) var(--sans);cursor:pointer;width:100%}.check li button:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:var(--r1)}
.box{width:18px;height:18px;margin-top:1px;border:1.5px solid var(--edge);border-radius:4px;flex:none;background:var(--surface)}
[aria-pressed=true] .box{background:var(--accent);border-color:var(--accent);clip-path:polygon(0 0,100% 0,100% 100%,0 100%,0 0,18% 52%,42% 76%,84% 30%,74% 20%,42% 54%,28% 42%,18% 52%,0 0)}.check [aria-pressed=true]{color:var(--muted);text-decoration:line-through}
.prose h3{margin:var(--4) 0 var(--1)}.prose pre{font:13px/20px var(--mono);white-space:pre-wrap;overflow-wrap:anywhere;margin-top:var(--1);break-inside:avoid}.prose p{margin-top:var(--1)}.bullets{list-style:disc}.numbers{list-style:decimal}.bullets,.numbers{padding-inline-start:22px;margin-top:var(--1)}.prose li{margin-top:2px}.prose h2{margin-bottom:var(--2)}.prose>div{columns:2;column-gap:var(--6)}.prose h3{break-after:avoid}.prose ul,.prose ol{break-inside:avoid}.prose>div>:first-child{margin-top:0}.prose li::marker{color:var(--muted)}
.three{display:grid;grid-template-columns:300px minmax(0,6fr) minmax(0,5fr);gap:var(--6);align-items:start}.three>*{min-width:0}.three .map+h2{margin-top:var(--4)}.three .one textarea{min-height:168px}.came{margin-top:var(--6);padding-top:var(--5);border-top:1px solid var(--line)}.came.beside{display:grid;grid-template-columns:300px minmax(0,1fr);gap:var(--6);align-items:start}.came .blk-head{flex-wrap:wrap}.came .sent-text{margin:0;border:0;padding:0}.three .items h2{margin-bottom:var(--3)}
`;

const FORMS = `
.two{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:var(--6);align-items:start}.two>*{min-width:0}.two h2{margin-bottom:var(--3)}
.two #f-resume{font-size:14px;min-height:480px;max-height:70vh}.below{margin-top:var(--2)}
.narrow{max-width:760px}.scenes .search{max-width:552px}.scenes .items ul{grid-template-columns:1fr 1fr;column-gap:var(--6)}.scenes .items li{border-bottom:0}.large textarea{font:var(--l) var(--sans);min-height:220px;padding:var(--4) var(--5)}
.search{position:relative;margin-bottom:var(--4)}.search svg{position:absolute;left:14px;top:13px;color:var(--muted)}.search input[type=search]{padding:9px 14px 9px 40px}
.items ul{display:grid}.items li{border-top:1px solid var(--line)}
.item{display:flex;align-items:center;gap:var(--3);padding:var(--3) var(--3);width:100%}.item .what{flex:1;min-width:0;display:grid}.item .nm{font-weight:600}.item .end{white-space:nowrap}
.of-history .nm{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
button.item{all:unset;box-sizing:border-box;display:flex;align-items:center;gap:var(--3);padding:var(--3);width:100%;cursor:pointer;border-radius:var(--r1)}button.item:hover{background:var(--sunk)}button.item:focus-visible{outline:2px solid var(--accent);outline-offset:-2px}
button.item[aria-pressed=true]{background:var(--surface);box-shadow:inset 0 0 0 1.5px var(--accent)}
.three .item{padding-inline:0}
.f{display:grid;grid-template-columns:112px 1fr;gap:var(--1) var(--4);padding:10px 0;border-top:1px solid var(--line);align-items:start}.f.wide{grid-template-columns:1fr}
.f label{font:500 var(--s) var(--sans);padding-top:7px}.f input[type=text],.f textarea{font:var(--s) var(--sans);min-height:34px;padding:6px 10px;border-color:transparent;background:var(--sunk);border-radius:var(--r1)}
.f input:hover,.f textarea:hover{border-color:var(--edge)}.f .hint{grid-column:-2;margin:0}.f.thin input[type=text],.f.thin textarea{background:none;border:1px dashed var(--edge)}
`;

// Without a script the page itself holds its buttons for its first moments, as `guard.ts` does: a second click was meant for
// the page before.
const SMALL = `
@media (min-width:1021px){.neg .list ul{max-height:340px;overflow-y:auto;scrollbar-width:thin;padding:5px;margin:-5px}}
@media (max-width:1020px){.three{grid-template-columns:minmax(0,260px) minmax(0,1fr)}.three>:first-child{grid-row:1/span 3}.came.beside{grid-template-columns:minmax(0,260px) minmax(0,1fr)}.neg{grid-template-columns:minmax(0,1fr) 300px}.neg>.list{grid-column:1/-1;order:3}}
@media (max-width:900px){.live:has(.act){--bar:176px}.b.more{bottom:calc(100% - 8px)}.text.short{font:var(--l) var(--sans)}.act dl .mono{display:block;margin:0}.two{grid-template-columns:minmax(0,1fr)}.two #f-resume{min-height:200px}.act .btns{order:3;flex:1 0 100%}.act .btns .go{flex:1;white-space:normal}.act .no{order:2}.act dl{flex:1}.decide{grid-template-columns:minmax(0,1fr);gap:var(--4)}.yours{display:contents}.decide .agentcard{order:2;margin-bottom:var(--4)}.yours>section:first-child>blockquote{margin-top:var(--1);font:var(--s) var(--sans)}.yours>.long{order:2}.yours .agentcard{order:2}.sheet{min-height:0}.act .wrap{flex-wrap:wrap;gap:var(--2) var(--3);padding-block:var(--2) calc(var(--2) + env(safe-area-inset-bottom))}}
@media (min-width:721px) and (max-width:900px){.act .deadline dd{white-space:nowrap}}
@media (max-width:720px){
  .scenes .items ul{grid-template-columns:1fr}
  .sheet header .mu,.sheet header .lbl,.top .opt:not(button){display:none}.top{gap:var(--2)}.top .scene-name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;min-width:0}.top .menu .b{padding-inline:6px}.top:has(.scene-name)>b{display:none}
  .rail ol{gap:6px}.rail li>div{display:none}.yao{gap:6px;margin-bottom:var(--1)}.rail .small{display:flex}
  .head{padding-block:var(--4) var(--3)}.head.row>div:first-child{flex:1 0 100%}.head .push{margin-inline-start:0}
  .decide,.neg,.two,.three,.came.beside{grid-template-columns:minmax(0,1fr)}.three>:first-child{grid-row:auto}.three .map{display:none}.three .map+h2{margin-top:0}
  .sheet header{padding-inline-start:var(--4)}.text,.text.short,.layers>*{font:17px/29px var(--sans)}.text{padding:var(--1) var(--4) var(--3)}.adds{grid-template-columns:1fr;padding-inline:var(--4) var(--2)}.foot{padding-inline:var(--4) var(--2)}
  .act dl{display:contents}.act dl>div{flex:1}.act .to{flex:1 0 100%;order:4}.act dl .mono{display:inline;margin-inline-start:6px}.act .to dt,.act .to dd{font:var(--xs) var(--sans);display:inline}.act .to dt::after{content:" "}.act .no{order:2;padding-inline:6px}.ring{width:40px;height:40px;line-height:40px;font-size:12px}
  .b.big{padding-inline:12px}.b.t{min-height:36px}.neg{gap:var(--4)}.side{display:contents}.map{order:0}.neg .offer{order:1}.neg>.list{order:2}.neg .agentcard{order:3}.lines{display:none}
  .weeks[class]{grid-template-columns:1fr}.f{grid-template-columns:1fr}.f label{padding:0}.f .hint{grid-column:1}.two #f-resume{min-height:200px}.prose>div{columns:1}.item{flex-wrap:wrap}.of-history .what{flex-basis:100%}.of-history .end{flex:1}
}
@media (max-width:900px) and (max-height:560px){
  .live:has(.act){--bar:96px}.top{height:40px}.rail{padding-bottom:0}.head{padding-block:var(--2)}h1{font-size:18px;line-height:24px}.head p{font:var(--s) var(--sans)}
  .yours>section[aria-labelledby]{order:2}.text{padding-top:0}.sheet header{min-height:40px;padding-top:var(--1)}
  .act .wrap{gap:2px var(--2);padding-block:var(--1)}.act dl{display:contents}.act .deadline{order:0;flex:1 1 140px}.act .deadline dd{white-space:normal}.act .to,.act .unreached{order:4;flex:1 0 100%}.act :is(.to,.unreached) :is(dt,dd){font:var(--xs) var(--sans);display:inline}.act :is(.to,.unreached) dt::after{content:" "}.act dl .mono{display:inline;margin-inline-start:6px}
  .act .no{order:1}.act .btns{order:2;flex:0 1 auto}.act .btns .go{white-space:nowrap}.act .b.big{min-height:40px;padding:4px 10px;font-size:13px}.ring{width:36px;height:36px;line-height:36px;font-size:11px}
}
.unscripted{display:none}
@media (scripting:none){.unscripted{display:inline-flex;margin-top:var(--2)}.editing .hint,.editing .gone-words,[value="export?as=print"]{display:none}.act button{animation:held .6s!important}}
@keyframes held{from,99%{pointer-events:none}}
@media (max-height:420px){.live .act{position:relative}}
@media print{:root{--bg:#fff;--shadow:none}body{print-color-adjust:exact;-webkit-print-color-adjust:exact}.act,.top .menu,.rail,.b,.agentcard,.sent-text,.three>:not(:first-child){display:none}.three{display:block}.offer .words{max-height:none}.card{break-inside:avoid;border-color:#999}}
`;

/**
 * Where a person's own colours are used, a browser takes every background away: what only a fill says is drawn in those
 * colours, and a mark in a text is a line below it.
 */
const FORCED = `
@media (forced-colors:active){
  :root{--bg:Canvas;--surface:Canvas;--sunk:Canvas;--ink:CanvasText;--muted:CanvasText;--line:CanvasText;--edge:CanvasText;--accent:Highlight;--on-accent:HighlightText;--accent-bg:Canvas;--add:CanvasText;--add-bg:Canvas;--me:CanvasText;--me-bg:Canvas;--agent:CanvasText;--agent-bg:Canvas}
  .yao,.lines,.dot,.bead,.box,.share,.ring svg,.map svg,.sign,.weeks li::before,.weeks li::after,.offer .av,.person .av{forced-color-adjust:none}
  .share .of-net{fill:GrayText}.todo .yao i,.now .yao i+i,.dot.none,.weeks li::before{background:GrayText}.map .o,.map .arc,.ring .bg{stroke:GrayText}.map .arc.in1{stroke:Highlight}.map .gone .nd,.map .gone .ln{stroke:GrayText}.gone .bead{background:Canvas;border:2px dashed GrayText}.av{border:1px solid}
  .under{forced-color-adjust:none;color:transparent}.under .net,.under .ag,.under .you{box-shadow:none;text-underline-offset:4px}.under .net{text-decoration:underline dashed CanvasText 2px}.under .ag{text-decoration:underline wavy CanvasText}.under .you{text-decoration:underline double CanvasText}
  .list li button[aria-pressed=true],button.item[aria-pressed=true],.person.me{outline:2px solid Highlight;outline-offset:-2px}.adds .pointed{outline:2px dashed Highlight}.b.go,.layers textarea{forced-color-adjust:none}.agentcard .b.t{padding-inline:var(--2)}.gap td.g{border:1px dashed}.note{border-inline-start-width:6px}
  :focus-visible,.list li button:focus-visible,.check li button:focus-visible,button.item:focus-visible{outline:3px solid CanvasText;outline-offset:2px}
}
`;

/** All that the page looks like; nothing is fetched from elsewhere. */
export const ROOM_CSS = [
  TOKENS,
  BASE,
  MAP,
  PLAN,
  CONTROLS,
  FRAME,
  WORDS,
  DECIDE,
  STAGE_BAR,
  NEGOTIATE,
  DONE,
  FORMS,
  SMALL,
  FORCED,
]
  .join("")
  .replaceAll(/\n\s*/g, "");
