import type { Clock } from '../lib/clock.ts';
import { StartError } from '../lib/start-error.ts';
import { watchFile } from '../lib/watch-file.ts';
import type { Log } from '../observability/log.ts';
import { RuleFileError } from './rule-file.ts';

export const pollMs = 1_000;

interface FollowedRules<Rules> {
  /** The setting that names the file. */
  readonly setting: string;
  /** Of messages in the log. */
  readonly name: string;
  /** Both throw RuleFileError. */
  readonly readText: () => string;
  readonly parse: (text: string) => Rules;
  /** Receives whether the file could be used when it was last read. */
  readonly onRead: (isUsable: boolean) => void;
  readonly onChange?: () => void;
  /** Called every second. */
  readonly onChecked?: () => void;
  readonly clock: Pick<Clock, 'wait'>;
  readonly log: Log;
}

/**
 * Follows a file of rules. A change takes effect within two seconds; a file that cannot be used changes nothing and is logged.
 *
 * @throws StartError when it cannot be used at the start.
 */
export function followRules<Rules>(options: FollowedRules<Rules>) {
  const { setting, name, readText, parse, onRead, onChange, onChecked, clock, log } = options;
  const rulesOf = (text: string) => ({ text, rules: parse(text) });
  let inForce = atStart(setting, () => rulesOf(readText()));
  onRead(true);

  const watcher = watchFile({
    read() {
      const text = readText();
      if (text === inForce.text) onRead(true);
      return text;
    },
    first: inForce.text,
    everyMs: pollMs,
    clock,
    onChange(content) {
      const text = content ?? '';
      if (text === inForce.text) return;
      inForce = rulesOf(text);
      onRead(true);
      log.info(`${name} changed`);
      onChange?.();
    },
    ...(onChecked && { onChecked }),
    onError(error) {
      onRead(false);
      log.error(`${name} unchanged`, { error });
    },
  });
  return { current: (): Rules => inForce.rules, close: () => watcher.close() };
}

function atStart<T>(setting: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RuleFileError)) throw error;
    throw new StartError(`${setting}: ${error.message}`, { cause: error });
  }
}
