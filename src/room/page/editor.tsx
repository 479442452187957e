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
 * Draws the text as an editor in its place, with the marks behind the letters. The marks take up no width, so that each
 * one lies exactly under its words.
 */
export function Editor({
  editor,
  personal,
  form,
}: {
  editor: NonNullable<Section<"sheet">["editor"]>;
  /** The personal data that the room has found in the text. */
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
            // The place is the key, so that each key press updates what stands there instead of creating it anew.
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

/** Finds these words in the text as it is typed now, and returns their places in the order of the text. */
function placesOf(words: readonly string[], typed: string): PersonalSpan[] {
  const places = words.map((text) => ({
    start: typed.indexOf(text),
    end: typed.indexOf(text) + text.length,
    kind: "",
  }));
  return places.filter(({ start }) => start >= 0).sort((one, other) => one.start - other.start);
}
