/**
 * The reset, and the parts that every page is made of: type, rows, cards, what only a screen reader says. Each paragraph
 * has the direction of its own first letter: people write in Arabic and Hebrew too.
 */
export const BASE = `*{box-sizing:border-box}
html{background:var(--bg);-webkit-text-size-adjust:100%}
body{margin:0;font:var(--m) var(--sans);color:var(--ink);font-variant-numeric:tabular-nums;-webkit-font-smoothing:antialiased;line-break:strict;overflow-wrap:anywhere;min-height:100dvh;display:flex;flex-direction:column}
h1,h2,h3,p,ul,ol,dl,dd,figure,blockquote{margin:0;padding:0}ul,ol{list-style:none}
p,li,dt,dd,td,th,h1,h2,h3,h4,h5,h6,blockquote,pre,.text,.words,textarea,input{unicode-bidi:plaintext}
h1:focus{outline:0}h1{font:600 var(--xl) var(--sans);letter-spacing:-.015em;text-wrap:balance}
h2{font:600 var(--s) var(--sans)}h3{font:600 var(--m) var(--sans)}
html:lang(zh){text-spacing-trim:trim-start;text-autospace:normal}
:lang(zh) h1,:lang(zh) h2,:lang(zh) h3{letter-spacing:0}
a{color:var(--accent);text-underline-offset:3px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:var(--r1)}
.vh{user-select:none;position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.s{font:var(--s) var(--sans)}.xs{font:var(--xs) var(--sans)}.mu{color:var(--muted)}.mono{font-family:var(--mono);font-size:.93em}
.wrap{width:100%;max-width:1200px;margin-inline:auto;padding-inline:var(--6)}
.row{display:flex;align-items:center;gap:var(--2)}.push{margin-inline-start:auto}
.card{background:var(--surface);border:1px solid var(--line);border-radius:var(--r3)}
.top{display:flex;align-items:center;gap:var(--3);height:52px;font:var(--s) var(--sans)}
.top b{font-weight:600}.top .sep{color:var(--edge)}
.mark{width:18px;height:18px;color:var(--accent);flex:none}
.pill{font:500 var(--xs) var(--sans);padding:2px 8px;border-radius:99px;border:1px solid var(--line);color:var(--muted);white-space:nowrap}
.tags{display:flex;flex-wrap:wrap;gap:6px;margin-top:var(--3)}
.tags li{font:500 var(--xs) var(--sans);padding:3px 8px;border-radius:var(--r1);background:var(--accent-bg);color:var(--accent)}
.facts{display:grid;grid-template-columns:fit-content(40%) minmax(0,1fr);gap:var(--1) var(--4);font:var(--s) var(--sans)}.facts dt{color:var(--muted)}
.legend{display:flex;flex-wrap:wrap;gap:var(--1) var(--4);font:var(--xs) var(--sans);color:var(--muted)}
ins,mark,del{text-decoration:none;color:inherit;background:none}
ins.net,.sw.net{background:var(--add-bg);border-radius:3px;padding:3px;margin-inline:-1px;box-decoration-break:clone;-webkit-box-decoration-break:clone}
ins.ag,.sw.ag{background:var(--agent-bg);border-radius:3px;padding:2px;border:1px dashed var(--agent);margin-inline:-1px;box-decoration-break:clone;-webkit-box-decoration-break:clone}
ins.you,.sw.you{background:var(--accent-bg);border-radius:3px;padding:3px;margin-inline:-1px;box-decoration-break:clone;-webkit-box-decoration-break:clone}
sup.n{font:600 11px/1 var(--sans);color:var(--add);margin-inline:1px 2px;vertical-align:6px}
@media (max-width:720px){.wrap{padding-inline:var(--4)}h1{font-size:21px;line-height:28px}}
@media (prefers-reduced-motion:reduce){*,*::before,*::after{animation:none!important;transition:none!important}}
@media (forced-colors:active){ins.net,.sw.net{text-decoration:underline dashed}ins.you,.sw.you{text-decoration:underline double}ins.ag,.sw.ag{text-decoration:underline wavy}}
`;
