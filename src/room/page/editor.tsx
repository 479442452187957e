import type { JSX } from "preact";
import { attributeEdit, type Passage, segmentsOf } from "../authorship.ts";
import type { Section } from "../ui-spec-schema.ts";
import { Control } from "./controls.tsx";
import { Icon } from "./icons.tsx";
import { current } from "./store.ts";

const MARKS = { network: "net", edit: "you", person: "" } as const;

/**
 * The text where it stands, with the marks behind the letters while it is typed: the marks have no width of their own,
 * so that they lie under the very words that they are about.
 */
export function Editor({
  editor,
  form,
}: {
  editor: NonNullable<Section<"sheet">["editor"]>;
  form: string;
}): JSX.Element {
  const draft = current().drafts[editor.field.id];
  const typed = draft ?? editor.field.value;
  const passages: readonly Passage[] = attributeEdit(editor.base, typed) ?? [{ by: "edit", text: typed }];
  const gone = removedWords(editor.base, passages);
  return (
    <div class="text editing">
      <div class="layers">
        <div class="under" aria-hidden="true">
          {segmentsOf(passages, []).map(({ by, text }, index) =>
            by === "person" ? (
              text
            ) : (
              <span key={`${index}${text}`} class={MARKS[by]}>
                {text}
              </span>
            ),
          )}
          {"\n"}
        </div>
        <Control field={editor.field} rows={6} form={form} />
      </div>
      <p class="hint" id={`h-${editor.field.id}`}>
        <Icon name="pen" />
        {editor.field.hint}
      </p>
      {gone === "" ? null : (
        <p class="s gone-words">
          {editor.removed} <del>{gone}</del>
        </p>
      )}
    </div>
  );
}

const MAX_SHOWN = 160;

/** What of the network's text is not in the typed one any more; passages that are gone, in their order. */
function removedWords(base: readonly Passage[], passages: readonly Passage[]): string {
  const kept = passages
    .filter(({ by }) => by !== "edit")
    .map(({ text }) => text)
    .join("");
  const all = base.map(({ text }) => text).join("");
  if (kept === all) return "";
  const lost = attributeEdit([{ by: "person", text: kept }], all) ?? [];
  const words = lost.filter(({ by, text }) => by === "edit" && /\S/.test(text)).map(({ text }) => text.trim());
  const text = words.join(" … ");
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
