/** A plan: the people, who covers which need, the weeks, one's own part. */
export const PLAN = `.plan{display:grid;grid-template-columns:minmax(0,1fr) 312px;gap:var(--4) var(--5);padding-bottom:var(--6)}.plan>*{min-width:0}
.team{grid-column:1/-1;display:grid;grid-template-columns:repeat(4,1fr);gap:var(--3)}
.av{width:36px;height:36px;border-radius:50%;background:var(--sunk);color:var(--ink);font:600 13px/36px var(--sans);text-align:center;flex:none}
.person{padding:var(--3) var(--4)}.person.me{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}.person.me .av{background:var(--accent);color:var(--on-accent)}
.person h3{line-height:20px}.person .s{margin-top:var(--2)}
.blk{padding:var(--4) var(--5)}.blk h2{margin-bottom:var(--2)}.blk>.row h2{margin:0}
.stack{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--4);align-content:start}
table{border-collapse:collapse;width:100%;font:var(--s) var(--sans)}
th{font-weight:500;text-align:start}thead th{color:var(--muted);font:500 var(--xs) var(--sans);text-align:center;padding-bottom:var(--2)}thead th:first-child{text-align:start}
tbody tr{border-top:1px solid var(--line)}tbody th,td{padding:10px 0}td{text-align:center;width:15%}
.dot{display:inline-block;width:14px;height:14px;border-radius:50%;vertical-align:-2px}.dot.lead{background:var(--accent)}.dot.help{border:2px solid var(--accent)}.dot.none{width:6px;height:2px;border-radius:0;background:var(--edge);vertical-align:4px}
.gap td.g{background:repeating-linear-gradient(-45deg,var(--me-bg) 0 6px,transparent 6px 12px);color:var(--me);font-weight:600;text-align:center}.gap th{color:var(--me)}
.weeks{grid-column:1/-1;display:grid;grid-template-columns:repeat(5,1fr)}
.weeks li{padding:0 var(--4) 0 0;font:var(--s) var(--sans);position:relative}
.weeks li::before{content:"";display:block;height:2px;background:var(--line);margin:7px calc(-1*var(--4)) 0 0}.weeks li:last-child::before{margin-right:0}
.weeks li::after{content:"";position:absolute;left:0;top:0;width:14px;height:14px;border-radius:50%;border:2px solid var(--ink);background:var(--surface)}
.weeks li.mine::after{background:var(--accent);border-color:var(--accent)}
.weeks b{display:block;font-weight:600;margin-top:var(--3)}.weeks .mu{display:block}
.part{background:var(--accent-bg);border-color:transparent}.part li{display:flex;gap:var(--3);font:var(--s) var(--sans);padding:3px 0}.part li b{font-weight:600;white-space:nowrap;min-width:80px;color:var(--accent)}
@media (max-width:1020px){.team{grid-template-columns:1fr 1fr}}
@media (max-width:720px){.plan{grid-template-columns:minmax(0,1fr)}.team{gap:var(--2)}.person{padding:var(--3)}.blk{padding-inline:var(--4)}td{width:46px}
  .weeks{grid-template-columns:1fr}.weeks li{padding:0 0 var(--3) 28px}.weeks li::before{position:absolute;left:6px;top:0;bottom:0;width:2px;height:auto;margin:0}.weeks b{margin:0}}
`;
