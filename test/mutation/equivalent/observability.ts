import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/observability`. */
export const mutants: readonly EquivalentMutant[] = [
  {
    file: 'src/observability/log.ts',
    mutator: 'ConditionalExpression',
    line: 'if (logger.isLevelEnabled(name)) logger[name](allowed(fields), event);',
    original: 'logger.isLevelEnabled(name)',
    replacement: 'true',
    reason: 'Only the time differs; pino drops the line.',
  },
  {
    file: 'src/observability/log.ts',
    mutator: 'ConditionalExpression',
    line: 'if (fields[name] !== undefined) line[name] = fields[name];',
    original: 'fields[name] !== undefined',
    replacement: 'true',
    reason: 'Pino writes no member that is undefined.',
  },
];
