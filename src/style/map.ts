/** The map of who resonated. */
export const MAP = `figure.map{position:relative;min-width:0}
.map svg{display:block;width:100%;height:auto;overflow:visible}
.map figcaption{text-align:center;font:var(--xs) var(--sans);color:var(--muted)}
.map .o{fill:none;stroke:var(--line)}.map .ot{font:11px var(--sans);fill:var(--muted);text-anchor:middle}
.map .ln{stroke:var(--edge);stroke-width:1.5;stroke-dasharray:10 7}.map .of .ln{stroke:var(--accent);stroke-width:2;stroke-dasharray:none}.map .gone .ln{stroke:var(--line);stroke-dasharray:2 5}
.map .nd{fill:var(--bg);stroke:var(--ink);stroke-width:2}.map .of .nd{fill:var(--accent);stroke:var(--accent)}.map .gone .nd{fill:var(--sunk);stroke:var(--edge)}
.map .in{font:600 13px var(--sans);text-anchor:middle;fill:var(--ink)}.map .of .in{fill:var(--on-accent)}.map .gone .in{fill:var(--muted)}
.map .lb{font:500 13px var(--sans);text-anchor:middle;fill:var(--ink)}.map .sc{font:12px var(--sans);text-anchor:middle;fill:var(--muted)}.map .gone .lb{fill:var(--muted)}
.map .halo{paint-order:stroke;stroke:var(--bg);stroke-width:5px;stroke-linejoin:round}
.map .dense .in{display:none}
.map .core{fill:var(--surface);stroke:var(--ink);stroke-width:1.5}
.map .arc{fill:none;stroke:var(--line);stroke-width:5}.map .arc.in1{stroke:var(--accent)}
`;
