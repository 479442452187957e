/**
 * Colours, type and spacing of everything that a person reads in a browser, light and dark, with nothing fetched. A
 * colour never changes its meaning, and paper is light: ink is the person's own, amber the network's words, teal what the person does,
 * violet an outside agent, red personal data and gaps. In English a Latin face stands before the Chinese ones: where a
 * Linux has none of those that are named, the system's own comes first, or an apostrophe is as wide as a character.
 */
export const TOKENS = `:root{
  color-scheme:light dark;
  --bg:#f5f7f6;--surface:#fff;--sunk:#edf0ef;--ink:#141918;--muted:#55605d;--line:#dbe1df;--edge:#84908c;
  --accent:#08685a;--on-accent:#fff;--accent-bg:#e2f1ed;
  --add:#7d5200;--add-bg:#fce6b0;
  --me:#b01a52;--me-bg:#fde8ef;
  --agent:#5b3fc4;--agent-bg:#f0edfc;
  --shadow:0 1px 2px rgb(12 30 26/.05),0 8px 24px -12px rgb(12 30 26/.14);
  --xs:12px/16px;--s:13px/20px;--m:15px/24px;--l:20px/36px;--xl:24px/32px;
  --1:4px;--2:8px;--3:12px;--4:16px;--5:24px;--6:32px;--7:48px;
  --r1:6px;--r2:10px;--r3:14px;
  --sans:ui-sans-serif,-apple-system,BlinkMacSystemFont,"Segoe UI Variable Text","Segoe UI",Inter,Roboto,"Noto Sans",system-ui,"PingFang SC","HarmonyOS Sans SC","Microsoft YaHei UI","Noto Sans SC","Noto Sans CJK SC",sans-serif;
  --mono:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,monospace;
  --ease:cubic-bezier(.2,.7,.2,1);
}
@media print{:root{color-scheme:light}}
@media screen and (prefers-color-scheme:dark){:root{
  --bg:#0e1211;--surface:#161b1a;--sunk:#1e2423;--ink:#e9eeec;--muted:#a0aba8;--line:#2b3331;--edge:#6f7b78;
  --accent:#55c9ae;--on-accent:#04201a;--accent-bg:#12312a;--add:#e6b95c;--add-bg:#4a3a12;
  --me:#ff8db0;--me-bg:#3f1726;--agent:#b8a8ff;--agent-bg:#241f3d;--shadow:none;
}}
@font-face{font-family:zh-punct;src:local("PingFang SC"),local("PingFangSC-Regular"),local("Microsoft YaHei"),local("Noto Sans SC"),local("Noto Sans CJK SC"),local("NotoSansCJKsc-Regular");unicode-range:U+2014,U+2018-2019,U+201C-201D,U+2026}
html:lang(zh){--sans:zh-punct,ui-sans-serif,-apple-system,BlinkMacSystemFont,"Segoe UI Variable Text","Segoe UI",Inter,Roboto,"PingFang SC","HarmonyOS Sans SC","Microsoft YaHei UI","Noto Sans SC","Noto Sans CJK SC",system-ui,sans-serif;--l:20px/38px}
`;
