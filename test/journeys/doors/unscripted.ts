import { request as httpRequest } from "node:http";
import { all, classesOf, isTag, type Part, parsed, type Tag, textOf } from "../../support/html-tags.ts";
import { alongside as besideClock } from "../alongside.ts";
import type { Home } from "./argument.ts";
import type { Mark, Screen } from "./window.ts";

interface Answer {
  body: string;
  location: string | undefined;
  cookies: string[];
}

/** How often a person loads the page again for what does not come. */
const MAX_LOOKS = 1_000;

const BLOCKS = [
  "article",
  "blockquote",
  "button",
  "div",
  "h1",
  "h2",
  "h3",
  "header",
  "li",
  "p",
  "section",
  "time",
  "ul",
];

/** A window of a browser that runs no script: it follows addresses, loads again, and sends forms with what was typed. */
export async function unscriptedScreen({ world }: Home): Promise<Screen> {
  let address = new URL("http://127.0.0.1");
  let page: Tag = { name: "page", attributes: {}, children: [] };
  const cookies = new Map<string, string>();
  const typed = new Map<string, string>();

  const ask = async (url: URL, form?: URLSearchParams): Promise<Answer> => {
    const answer = await requested(url, form, [...cookies].map((pair) => pair.join("=")).join("; "));
    for (const cookie of answer.cookies) {
      const [name = "", ...value] = (cookie.split(";")[0] ?? "").split("=");
      cookies.set(name, value.join("="));
    }
    return answer;
  };
  const show = async (url: URL, form?: URLSearchParams): Promise<void> => {
    const { body, location } = await ask(url, form);
    if (location !== undefined) return show(new URL(location, url));
    address = url;
    page = parsed(body);
    const leads = all(page, ({ name, attributes }) => name === "meta" && attributes["http-equiv"] === "refresh");
    const [, path] = /^\d+; url=(.+)$/.exec(leads[0]?.attributes.content ?? "") ?? [];
    if (path !== undefined) await show(new URL(path, url));
  };
  const formOf = (pressed: Tag): Tag => {
    const forms = all(page, ({ name }) => name === "form");
    const { form: id } = pressed.attributes;
    const form = forms.find((one) =>
      id === undefined ? all(one, (tag) => tag === pressed).length > 0 : one.attributes.id === id,
    );
    if (form === undefined) throw new Error(`a button in no form: ${textOf(pressed)}`);
    return form;
  };
  const fieldsOf = (form: Tag): [string, string][] => {
    const within = new Set(all(form, () => true));
    return all(page, ({ name }) => name === "input" || name === "textarea")
      .filter((field) =>
        field.attributes.form === undefined ? within.has(field) : field.attributes.form === form.attributes.id,
      )
      .filter(({ attributes }) => attributes.name !== undefined && attributes.disabled === undefined)
      .map((field) => {
        const { id = "", name = "", value = "" } = field.attributes;
        return [name, typed.get(id) ?? (field.name === "textarea" ? textOf(field) : value)];
      });
  };
  const alongside = <T>(work: Promise<T>) => besideClock(world.clock, work);
  const reload = () => alongside(show(address));
  const shown = (mark: Mark) => all(page, (tag) => isMarked(tag, mark))[0];
  const waitUntil = async (holds: () => boolean) => {
    for (let looks = 0; !holds(); looks++) {
      if (looks === MAX_LOOKS) throw new Error(`not there after ${looks} looks: ${textOf(page).slice(0, 500)}`);
      await reload();
    }
  };
  const canPress = (tag: Tag | undefined): tag is Tag => tag !== undefined && tag.attributes.disabled === undefined;
  const read: Screen["read"] = async () => ({
    text: all(page, ({ name }) => name === "main")
      .map(linesOf)
      .join("\n"),
  });
  return {
    read,
    go: (to) => alongside(show(new URL(to))),
    async click(mark) {
      await waitUntil(() => canPress(shown(mark)));
      const pressed = shown(mark)!;
      const form = formOf(pressed);
      const { name = "", value = "" } = pressed.attributes;
      const sent = new URLSearchParams([...fieldsOf(form), [name, value]]);
      typed.clear();
      await alongside(show(new URL(form.attributes.action ?? "", address), sent));
    },
    async type(field, text) {
      await waitUntil(() => all(page, ({ attributes }) => attributes.id === field).length > 0);
      typed.set(field, text);
    },
    waitFor: (marks, isThere = true) => waitUntil(() => marks.some((mark) => shown(mark) !== undefined) === isThere),
    isThere: async (mark) => shown(mark) !== undefined,
    async readCurrent() {
      await reload();
      return read();
    },
    async close() {
      page = { name: "page", attributes: {}, children: [] };
    },
  };
}

const isMarked = (tag: Tag, mark: Mark): boolean => {
  const { name, attributes } = tag;
  const classes = classesOf(tag);
  if (mark === "an error") return classes.includes("note") && classes.includes("error");
  if (name !== "button") return false;
  return mark === "the main button" ? classes.includes("go") : (attributes.value ?? "").startsWith(mark);
};

/** Without what a person reads only when they ask for it. */
const linesOf = (part: Part): string => {
  if (!isTag(part)) return part;
  if (part.name === "details" && part.attributes.open === undefined) return "";
  if (part.name === "textarea" || part.attributes.hidden !== undefined) return "";
  if (classesOf(part).includes("unscripted")) return "";
  const inside = part.children.map(linesOf).join("");
  return BLOCKS.includes(part.name) ? `\n${inside}\n` : inside;
};

function requested(url: URL, form: URLSearchParams | undefined, cookie: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, {
      method: form === undefined ? "GET" : "POST",
      headers: {
        ...(cookie !== "" && { cookie }),
        ...(form !== undefined && { origin: url.origin, "content-type": "application/x-www-form-urlencoded" }),
      },
    });
    request.on("error", reject);
    request.on("response", (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk) => (body += chunk));
      response.on("end", () =>
        resolve({
          body,
          location: response.headers.location,
          cookies: response.headers["set-cookie"] ?? [],
        }),
      );
    });
    request.end(form?.toString());
  });
}
