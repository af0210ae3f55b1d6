import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { dayMs } from '../kernel/instant.ts';
import { currencyCode, Decimal } from '../kernel/money.ts';
import type { Clock } from '../lib/clock.ts';
import { StartError } from '../lib/errors.ts';
import { decodeText, fileProblem, watchFile } from '../lib/files.ts';
import { parseJson, secondMember } from '../lib/json.ts';
import type { Log } from '../observability/log.ts';
import { ruled } from './formats.ts';

/** A file of rules cannot be used; the message is one sentence. */
export class RuleFileError extends Error {
  override readonly name = 'RuleFileError';
}

/** The text of the file. @throws RuleFileError */
export function readRuleText(what: string, file: string): string {
  try {
    return decodeText(readFileSync(file));
  } catch (error) {
    throw new RuleFileError(`The ${what} "${file}" cannot be read: ${fileProblem(error)}.`);
  }
}

/** The value of its JSON. @throws RuleFileError */
export function ruleJson(what: string, text: string): unknown {
  const value = parseJson(text);
  if (value === undefined) throw new RuleFileError(`The ${what} is no JSON; correct its syntax.`);
  const second = secondMember(text);
  if (second !== null) throw new RuleFileError(`The ${what} has ${second}; remove one of the two.`);
  return value;
}

/** `rules` has the rules that the file breaks. */
export const invalidRuleFile = (what: string, rules: readonly string[]): RuleFileError =>
  new RuleFileError(`The ${what} must be corrected: ${rules.join('; ')}.`);

export const decimal = (rule: string, isAllowed: (value: Decimal) => boolean) =>
  ruled(
    rule,
    z
      .union([z.string(), z.number().transform(String)])
      .transform((text) => Decimal.tryParse(text))
      .refine((value) => value !== null && isAllowed(value))
      .transform((value) => value as Decimal),
  );

export const isWhole = (value: Decimal) => /^-?\d+\.0*$/.test(value.toString());

export const isPositive = (value: Decimal) => value.compare(Decimal.zero) > 0;

export const currency = ruled(
  'three letters of a currency, such as "USD"',
  z
    .string()
    .regex(/^[A-Za-z]{2,3}$/)
    .transform(currencyCode)
    .refine((code) => code.length === 3),
);

export const amountOf = (rule: string, isAllowed: (value: Decimal) => boolean) =>
  z.strictObject(
    { amount: decimal(rule, isAllowed), currency },
    'an object with "amount" and "currency"',
  );

const unitMs = { m: 60_000, h: 3_600_000, d: dayMs } as const;

/** Milliseconds. */
export const duration = ruled(
  'a number of minutes, hours or days, such as "7d"',
  z
    .string()
    .regex(/^[1-9]\d{0,5}[mhd]$/)
    .transform((text) => Number(text.slice(0, -1)) * unitMs[text.slice(-1) as keyof typeof unitMs]),
);

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
