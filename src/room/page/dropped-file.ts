/** UTF-8 takes at most so many bytes for a UTF-16 unit. */
const BYTES_A_UNIT = 3;
/** What a binary file leaves where it is read as text. */
const NO_TEXT = /[\0\uFFFD]/;

/** The text of a file dropped on a field, or why the field cannot take it. Reads nothing too large. */
export async function textOfFile(file: File, maxLength: number): Promise<{ text: string } | "tooLarge" | "noText"> {
  const isText = file.type === "" || file.type.startsWith("text/");
  if (!isText) return "noText";
  if (file.size > maxLength * BYTES_A_UNIT) return "tooLarge";
  const text = await file.text();
  return NO_TEXT.test(text) ? "noText" : { text };
}
