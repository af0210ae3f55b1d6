import type { z } from 'zod';
import { commandFor } from '../lib/command-names.ts';
import type { SettingRow } from './setting-row.ts';
import { settingRows } from './setting-rows.ts';

export type SettingName = keyof typeof settingRows;

/** The value of each setting by its name; undefined for an absent one without a default. */
export type Values = {
  readonly [Name in SettingName]: z.output<(typeof settingRows)[Name]['schema']>;
};

type PlaceOf<One> = One extends { to: infer To } ? To : never;
type Place<Name extends SettingName> = PlaceOf<(typeof settingRows)[Name]>;
type GroupOf<To> = To extends `${infer Group}.${string}` ? Group : never;
type MemberOf<To, Group extends string> = To extends `${Group}.${infer Member}` ? Member : never;

/** The values of all rows with a `to`, in their groups: UPSTREAM_TIMEOUT_MS is `upstream.timeoutMs`. */
export type Settings = {
  readonly [Group in GroupOf<Place<SettingName>>]: {
    readonly [Name in SettingName as MemberOf<Place<Name>, Group>]: Values[Name];
  };
};

export function groupSettings(values: Values): Settings {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const { name, to } of settings) {
    if (to === null) continue;
    const [group, member] = to.split('.') as [string, string];
    groups[group] = { ...groups[group], [member]: values[name] };
  }
  // Each place has one dot, and each value is at the place that its row names. The compiler cannot derive that.
  return groups as Settings;
}

export const settings = Object.entries<SettingRow>(settingRows).map(([name, row]) => ({
  ...{ to: null, default: 'none', secret: false },
  ...row,
  name: name as SettingName,
}));

export function helpText(): string {
  const rows = settings.map(({ name, default: shown, description, secret }) => {
    const file = secret ? ` Or ${name}_FILE: a file with the value.` : '';
    return `  ${name.padEnd(20)} ${description.replaceAll('`', '')}${file}\n${' '.repeat(23)}Default: ${shown.replaceAll('`', '')}.`;
  });
  return [
    'reseller-graph: one GraphQL graph over the two APIs of a domain reseller.',
    '',
    `Usage: ${commandFor('start', '[--help] [--reset] [--fast]')}`,
    '',
    '  --help     Print this.',
    '  --reset    Delete the data of the embedded sandbox and its purchase journal before the start.',
    '  --fast     Remove the latency of the embedded sandbox, as SANDBOX_LATENCY=none.',
    '',
    'Settings are environment variables:',
    '',
    ...rows,
    '',
  ].join('\n');
}
