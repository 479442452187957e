import { edit } from "./bodies.ts";

export interface PagePosts {
  /** That the page took and answered with itself as it is then. */
  taken: number;
  /** By their status, or `cut off` where the connection was closed while a form was still being sent. */
  refused: Map<string, number>;
  /** Pages that would not open. */
  unopened: number;
}

export const noPosts = (): PagePosts => ({ taken: 0, refused: new Map(), unopened: 0 });

/**
 * Opens a decision page by the address that a client was given, as its person's browser would, and posts edits to it:
 * the editor, what is typed, and the end of the edit, which shows it with its difference.
 */
export async function attackPage(url: string, round: number, posts: PagePosts): Promise<void> {
  const opened = await fetch(url);
  const cookie = opened.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const page = await opened.text();
  if (!opened.ok) {
    posts.unopened += 1;
    return;
  }
  for (const { to, form } of formsFor(page, round)) {
    const status = await post(`${url}${to}`, form, cookie);
    if (status === 200) posts.taken += 1;
    else posts.refused.set(`${status}`, (posts.refused.get(`${status}`) ?? 0) + 1);
  }
}

/** A page that asks whether something may be sent has no editor: it is answered with what is no answer. */
function formsFor(page: string, round: number): { to: string; form: Record<string, string> }[] {
  if (page.includes('name="decision"')) return [{ to: "", form: { decision: edit(round) } }];
  const edits = [{ do: "edit" }, { do: "", "f.text": edit(round) }, { do: "edit", "f.text": edit(round + 1) }];
  return edits.map((form) => ({ to: "/act", form }));
}

/** What is larger than a form may be is refused while it is still being sent, and its connection closed. */
async function post(url: string, form: Record<string, string>, cookie: string): Promise<number | "cut off"> {
  try {
    const response = await fetch(url, { method: "POST", body: new URLSearchParams(form), headers: { cookie } });
    await response.text();
    return response.status;
  } catch {
    return "cut off";
  }
}
