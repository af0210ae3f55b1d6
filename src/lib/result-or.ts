/** The result of `work`, or `fallback` when it throws. */
export function resultOr<T, U>(work: () => T, fallback: U): T | U {
  try {
    return work();
  } catch {
    return fallback;
  }
}
