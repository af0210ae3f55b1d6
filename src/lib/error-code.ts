/** The code of an error of Node or of a package, such as `ECONNRESET`; null for one without a code. */
export function errorCodeOf(error: unknown): string | null {
  // The code of a DOMException is a number. That of a parser error of undici can be undefined.
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null;
}
