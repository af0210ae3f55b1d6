/** A value that the first call creates, and later calls return until `reset`. */
export interface Lazy<T> {
  (): T;
  /** Whether the value was created. */
  readonly started: () => boolean;
  readonly reset: () => void;
}

export function lazy<T>(create: () => T): Lazy<T> {
  let created: { readonly value: T } | null = null;
  return Object.assign(
    () => {
      created ??= { value: create() };
      return created.value;
    },
    {
      started: () => created !== null,
      reset: () => {
        created = null;
      },
    },
  );
}
