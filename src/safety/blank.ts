/** Whether a text shows nothing: it is empty, or all of it is spaces and characters that are not seen. */
export const isBlank = (text: string): boolean => /^[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
