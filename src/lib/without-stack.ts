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
