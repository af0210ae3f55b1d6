/**
 * The text of a file in UTF-8, or in UTF-16 with a byte order mark, as Windows PowerShell writes it. The mark is not part of the text.
 *
 * @throws TypeError with the code `ERR_ENCODING_INVALID_ENCODED_DATA` for other bytes
 */
export const decodeText = (bytes: Uint8Array): string => textDecoder(bytes).decode(bytes);

/** A decoder for a file that begins with these bytes. */
export function textDecoder([first, second]: Uint8Array): TextDecoder {
  const isLittleEndian = first === 0xff && second === 0xfe;
  const isBigEndian = first === 0xfe && second === 0xff;
  const encoding = isLittleEndian ? 'utf-16le' : isBigEndian ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding, { fatal: true });
}
