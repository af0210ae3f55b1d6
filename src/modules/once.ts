/** A value that is made when it is first asked for, and shared by all who ask until it is forgotten. */
export interface Once<T> {
  (): T;
  /** Whether somebody has asked. */
  readonly started: () => boolean;
  readonly forget: () => void;
}

export function once<T>(make: () => T): Once<T> {
  let made: { readonly value: T } | null = null;
  return Object.assign(
    () => {
      made ??= { value: make() };
      return made.value;
    },
    {
      started: () => made !== null,
      forget: () => {
        made = null;
      },
    },
  );
}
