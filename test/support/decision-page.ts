/** What somebody does on the page that asks about a text, as its forms without a script would send it. */
export type Fill = Readonly<Record<string, string>>;

export interface PageReply {
  status: number;
  body: string;
}

/** Asks for a path of the site, or sends a form to it; a redirect is not followed. */
export type Ask = (path: string, form?: Fill) => Promise<PageReply>;

const unescaped = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** What a page's button of this tool sends; undefined where there is none that can be pressed. */
export function buttonIn(html: string, tool: string): string | undefined {
  const buttons = [...html.matchAll(/<button ([^>]*)>/g)].map(([, attributes = ""]) => attributes);
  const values = buttons
    .filter((attributes) => !/\bdisabled\b/.test(attributes))
    .map((attributes) => unescaped(/\bvalue="([^"]*)"/.exec(attributes)?.[1] ?? ""));
  return values.find((value) => value.split("?")[0] === tool);
}

/** The text that a broadcast would send, as the page's own data name it. */
export function outgoingIn(html: string): string | undefined {
  const boot = /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(html)?.[1];
  const sections = boot === undefined ? [] : (JSON.parse(boot).spec.sections as { kind: string; outgoing?: string }[]);
  return sections.find(({ kind }) => kind === "sheet")?.outgoing;
}

/**
 * A page in one browser: `fill` does what its buttons do and gives the page as it is then. `text` is typed into the
 * editor; `decision` is `accept`, `candidate`, `edit`, `preview`, `original` or `reject`.
 */
export async function decisionPage(path: string, ask: Ask) {
  const first = await ask(path);
  let { body } = first;
  const press = async (tool: string, more: Fill = {}): Promise<PageReply> => {
    const button = buttonIn(body, tool) ?? tool;
    const answer = await ask(`${path}/act`, { do: button, ...more });
    if (answer.status !== 303) return answer;
    const page = await ask(path);
    body = page.body;
    return page;
  };
  const type = async (text: string): Promise<PageReply> => {
    if (!body.includes('id="f-text"')) await press("edit");
    return press("edit", { "f.text": text });
  };
  const fill = async ({ decision, text = "" }: Fill): Promise<PageReply> => {
    if (decision === "preview") return type(text);
    if (decision === "edit") await type(text);
    if (decision === "original") return press("reset");
    return press(decision === "reject" ? "withdraw" : "broadcast");
  };
  return { ...first, fill };
}
