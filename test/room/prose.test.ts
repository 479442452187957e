import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, it } from "vitest";
import { markdownBlocks } from "../../src/markdown.ts";
import { Prose } from "../../src/room/page/prose.tsx";

const drawn = (text: string) =>
  renderToString(
    h(Prose, { prose: { kind: "prose", folded: false, id: "plan", heading: "Plan", blocks: markdownBlocks(text) } }),
  );

it("a plan's table, its bold words and its lists are drawn as such", () => {
  const html = drawn(
    "We **begin**.\n\n| Who | What |\n| --- | --- |\n| Priya | *design* |\n\n3. Meet\n   - online\n\n> so\n\n---",
  );
  for (const part of [
    "<p>We <strong>begin</strong>.</p>",
    "<thead><tr><th>Who</th><th>What</th></tr></thead>",
    "<tbody><tr><td>Priya</td><td><em>design</em></td></tr></tbody>",
    '<ol class="numbers"><li value="3">Meet<ul class="bullets"><li>online</li></ul></li></ol>',
    "<blockquote><p>so</p></blockquote><hr/>",
  ])
    expect(html).toContain(part);
});

it("others' HTML, links and pictures are words", () => {
  const html = drawn("<img src=x onerror=alert(1)> [a](javascript:alert(1)) ![p](http://evil.example/p.png)");
  expect(html).toContain("&lt;img src=x onerror=alert(1)> [a](javascript:alert(1)) ![p](http://evil.example/p.png)");
  expect(html).not.toMatch(/<(?:img|a)\b/);
});
