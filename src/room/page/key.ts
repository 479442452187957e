/**
 * The key code of every key that an input method handles. In Safari, the composition has already ended when its Enter
 * arrives.
 */
const INPUT_METHOD = 229;

/** Returns the key that a person pressed, or undefined for an input method's key, whose Enter chooses a word. */
export const keyOf = ({ key, isComposing, keyCode }: KeyboardEvent): string | undefined =>
  isComposing || keyCode === INPUT_METHOD ? undefined : key;
