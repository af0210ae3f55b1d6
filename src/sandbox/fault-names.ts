/** Those that a name can ask for: a label that begins with one of these and a hyphen. */
const byName = [
  'slow',
  'hang',
  'html',
  'empty',
  'gateway',
  'busy',
  'drip',
  'cut',
  'wrongtypes',
  'maps',
  'reset',
  'lost-answer',
  'late',
] as const;

/** Every fault that the sandbox can play; `fault-plays.ts` says how. */
export const faultNames = [
  ...byName,
  'delay',
  'code',
  'twice',
  'hold-before',
  'hold-after',
] as const;

export type FaultName = (typeof faultNames)[number];

const prefix = new RegExp(`^(${byName.join('|')})-(?=.)`, 'i');

/** Of a domain name or a label. */
export const faultOfName = (name: string): FaultName | null =>
  (prefix.exec(name)?.[1]?.toLowerCase() as FaultName | undefined) ?? null;

/** `late-outside-shop` is `outside-shop`: the rules of the outside world hold behind a fault too. */
export const withoutFaultPrefix = (label: string): string => label.replace(prefix, '');
