import type { Clock } from '../kernel/clock.ts';
import { repeat } from '../kernel/repeat.ts';

export interface FollowOptions {
  /** The content; null where there is no file. Throws when that cannot be told. */
  readonly read: () => string | null;
  /** What `read` gave last, before this begins. */
  readonly first: string | null;
  readonly everyMs: number;
  readonly clock: Pick<Clock, 'wait'>;
  /** Takes each new content, once. */
  readonly onChange: (text: string | null) => void;
  /** Called once when it cannot be read any more. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Looks again and again whether a file has changed, by its content: a file that is put in the place of another, or behind
 * a link, tells no time of its change.
 */
export function followFile(options: FollowOptions): { close(): Promise<void> } {
  const { read, everyMs, clock, onChange, onTrouble } = options;
  let last = options.first;
  let isTroubled = false;

  const look = () => {
    try {
      const text = read();
      isTroubled = false;
      if (text === last) return;
      last = text;
      onChange(text);
    } catch (error) {
      if (!isTroubled) onTrouble(error);
      isTroubled = true;
    }
  };

  return repeat(clock, everyMs, look);
}
