/** The code that a key has for an input method: Safari has ended the composition by the time its Enter arrives. */
const INPUT_METHOD = 229;

/** Which key a person has pressed; undefined where it is an input method's: its Enter chooses a word. */
export const keyOf = ({ key, isComposing, keyCode }: KeyboardEvent): string | undefined =>
  isComposing || keyCode === INPUT_METHOD ? undefined : key;
