import type { JSX } from "preact";
import { attributeEdit, inOneLine, missingWords, type Passage, segmentsOf } from "../../view/authorship.ts";
import type { Section } from "../ui-spec-schema.ts";
import { Control, Excess } from "./controls.tsx";
import { Icon } from "./icons.tsx";
import { current } from "./store.ts";

const MARKS = { network: "net", agent: "ag", edit: "you", person: "" } as const;

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
  const gone = missingWords(editor.before, typed, "edit");
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
        <Control field={editor.field} rows={6} form={form} isAlone />
      </div>
      <Excess field={editor.field} />
      <p class="hint" id={`h-${editor.field.id}`}>
        <Icon name="pen" />
        {editor.field.hint}
      </p>
      {gone === undefined ? null : (
        <p class="s gone-words">
          {editor.removed} {gone.length === 0 ? <span>{editor.none}</span> : <del>{inOneLine(gone)}</del>}
        </p>
      )}
    </div>
  );
}
