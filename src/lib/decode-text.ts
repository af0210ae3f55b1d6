/**
 * The text of a file in UTF-8, or in UTF-16, as Windows PowerShell writes it. A byte order mark is not part of the text.
 *
 * @throws TypeError with the code `ERR_ENCODING_INVALID_ENCODED_DATA` for other bytes
 */
export const decodeText = (bytes: Uint8Array): string => textDecoder(bytes).decode(bytes);

/** Bytes that decide the encoding. */
export const encodingLength = 64;

/** A decoder for a file that begins with these bytes. */
export function textDecoder(bytes: Uint8Array): TextDecoder {
  return new TextDecoder(encodingOf(bytes.subarray(0, encodingLength)), { fatal: true });
}

/** Without a byte order mark the zeros of Latin letters, separators and line breaks show UTF-16. */
function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isZeroAt = (rest: number) => bytes.some((byte, at) => byte === 0 && at % 2 === rest);
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isMarked) return first === 0xff ? 'utf-16le' : 'utf-16be';
  if (isZeroAt(0) === isZeroAt(1)) return 'utf-8';
  return isZeroAt(1) ? 'utf-16le' : 'utf-16be';
}
