/** The code of an error of Node or of a package, such as `ECONNRESET`; null for one without a code. */
export function errorCodeOf(error: unknown): string | null {
  // The code of a DOMException is a number. That of a parser error of undici can be undefined.
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null;
}

/** Starting failed for a reason outside the program; the message is one sentence for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/**
 * Creates an error without a stack. Capturing one takes longer than refusing a request, and the error of a refusal is no bug
 * to look for.
 */
export function withoutStack<T extends Error>(create: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return create();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
