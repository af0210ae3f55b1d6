/** No text that is compared in NFC is longer. */
const maxLength = 512;

/** The text in NFC. A longer one is returned as it is: to order its combining marks would take quadratic time. */
export const composed = <Text extends string | null | undefined>(text: Text): Text | string =>
  text && text.length <= maxLength ? text.normalize('NFC') : text;
