import { Fragment, type JSX } from "preact";
import {
  attributeEdit,
  inOneLine,
  missingWords,
  type Passage,
  type PersonalSpan,
  segmentsOf,
} from "../../view/authorship.ts";
import type { Section } from "../ui-spec-schema.ts";
import { Control, Excess } from "./controls.tsx";
import { Icon } from "./icons.tsx";
import { MARKS, withoutEnds } from "./passages.tsx";
import { current } from "./store.ts";

/**
 * The text where it stands, with the marks behind the letters while it is typed: the marks have no width of their own,
 * so that they lie under the very words that they are about.
 */
export function Editor({
  editor,
  personal,
  form,
}: {
  editor: NonNullable<Section<"sheet">["editor"]>;
  /** The personal data that the room has found in it. */
  personal: readonly string[];
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
          {segmentsOf(passages, placesOf(personal, typed)).map(({ by, text, personal: isPersonal }, index) => {
            if (by === "person" && !isPersonal) return text;
            // What stands at a place is drawn over at each key, and not made anew.
            const [before, words, after] = withoutEnds(text);
            return (
              <Fragment key={index}>
                {before}
                <span class={`${MARKS[by]} ${isPersonal ? "pii" : ""}`}>{words}</span>
                {after}
              </Fragment>
            );
          })}
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

/** Where those words stand in what is typed by now, in their order. */
function placesOf(words: readonly string[], typed: string): PersonalSpan[] {
  const places = words.map((text) => ({
    start: typed.indexOf(text),
    end: typed.indexOf(text) + text.length,
    kind: "",
  }));
  return places.filter(({ start }) => start >= 0).sort((one, other) => one.start - other.start);
}
