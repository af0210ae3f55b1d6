/** A value that is read when it is first asked for, and shared by all who ask until it is forgotten. */
export interface Once<T> {
  (): Promise<T>;
  /** Whether somebody has asked. */
  readonly started: () => boolean;
  readonly forget: () => void;
}

export function once<T>(read: () => Promise<T>): Once<T> {
  let value: Promise<T> | null = null;
  return Object.assign(
    () => {
      value ??= read();
      return value;
    },
    {
      started: () => value !== null,
      forget: () => {
        value = null;
      },
    },
  );
}
