import type { z } from 'zod';
import { commandFor } from '../lib/programs.ts';
import type { FeatureSettings, SettingRow } from './feature-settings.ts';
import { settingRows } from './setting-rows.ts';

export type SettingName = keyof typeof settingRows;

/** The value of each setting by its name; undefined for an absent one without a default. */
export type Values = {
  readonly [Name in SettingName]: z.output<(typeof settingRows)[Name]['schema']>;
};

type PlaceOf<One> = One extends { to: infer To } ? To : never;
type SettingPlace<Name extends SettingName> = PlaceOf<(typeof settingRows)[Name]>;
type GroupOf<To> = To extends `${infer Group}.${string}` ? Group : never;
type MemberOf<To, Group extends string> = To extends `${Group}.${infer Member}` ? Member : never;

/** The values of all rows with a `to`, in their groups: UPSTREAM_TIMEOUT_MS is `upstream.timeoutMs`. */
export type Settings = {
  readonly [Group in GroupOf<SettingPlace<SettingName>>]: {
    readonly [Name in SettingName as MemberOf<SettingPlace<Name>, Group>]: Values[Name];
  };
};

export function groupSettings(values: Values): Settings {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [name, { to }] of Object.entries<SettingRow>(settingRows)) {
    if (to === undefined) continue;
    const [group, member] = to.split('.') as [string, string];
    groups[group] = { ...groups[group], [member]: values[name as SettingName] };
  }
  // Each place has one dot, and each value is at the place that its row names. The compiler cannot derive that.
  return groups as Settings;
}

/** The title of each group of settings by the first setting of the group. */
const groups: Partial<Record<string, string>> = {
  PORT: 'Address',
  UPSTREAM: 'Registrar or sandbox',
  DATA_DIR: 'Storage',
  DOMAIN_API_URL: 'APIs of the registrar',
  UPSTREAM_TIMEOUT_MS: 'Calls to the registrar',
  JOB_CONCURRENCY: 'Orders, bulk changes and purchases',
  TLD_MAX_AGE_SECONDS: 'Caches',
  AUTH: 'Authentication and spend limits',
  DOCUMENT_MANIFEST: 'Graph and documents',
  MAX_BODY_BYTES: 'HTTP',
  MAX_STREAMS: 'Limits of clients',
  LOG_LEVEL: 'Logs and metrics',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'Traces',
  GATEWAY_URL: 'Commands that change domains',
};

export interface Setting extends Omit<SettingRow, 'secret'> {
  readonly name: string;
  readonly default: string;
  readonly secret: boolean;
  /** The heading above it; null for a setting of the group before. */
  readonly title: string | null;
}

const settingsOf = (rows: Readonly<Record<string, SettingRow>>): readonly Setting[] =>
  Object.entries(rows).map(([name, row]) => ({
    default: 'none',
    ...row,
    name,
    secret: row.secret ?? false,
    title: groups[name] ?? null,
  }));

/** The settings of the gateway, without those of features. */
const coreSettings = settingsOf(settingRows);

/** All settings, with those of these features. */
export const settingsWith = (features: readonly FeatureSettings[]): readonly Setting[] => [
  ...coreSettings,
  ...features.flatMap(({ rows, title }) =>
    settingsOf(rows).map((row, index) => (index === 0 ? { ...row, title } : row)),
  ),
];

/** The settings of most operators. `--help` describes these, and names the others. */
const described: ReadonlySet<string> = new Set([
  'PORT',
  'HOST',
  'UPSTREAM',
  'DATA_DIR',
  'DATABASE_URL',
  'DOMAIN_API_URL',
  'DOMAIN_API_USERNAME',
  'DOMAIN_API_PASSWORD',
  'API_KEY',
  'SPEND_LIMITS',
]);

/** `all` describes every setting. */
export function helpText(settings: readonly Setting[], all = false): string {
  const rows = settings
    .filter(({ name }) => all || described.has(name))
    .map(({ name, default: shown, description, secret }) => {
      const file = secret ? ` Or ${name}_FILE: a file with the value.` : '';
      return `  ${name.padEnd(20)} ${description.replaceAll('`', '')}${file}\n${' '.repeat(23)}Default: ${shown.replaceAll('`', '')}.`;
    });
  return [
    'reseller-graph: one GraphQL graph over the two APIs of a domain reseller.',
    '',
    `Usage: ${commandFor('start', '[--help [--all]] [--reset] [--fast]')}`,
    '',
    '  --help     Print this; with --all the description of every setting.',
    '  --reset    Delete the data of the embedded sandbox and its purchase journal before the start.',
    '  --fast     Remove the latency of the embedded sandbox, as SANDBOX_LATENCY=none.',
    '',
    'Settings are environment variables:',
    '',
    ...rows,
    ...(all ? [] : ['', ...otherSettings(settings)]),
    '',
  ].join('\n');
}

/** The names of the settings that `--help` does not describe, in their groups. */
function otherSettings(settings: readonly Setting[]): readonly string[] {
  const others = new Map<string, string[]>();
  let title = '';
  for (const { name, title: own } of settings) {
    title = own ?? title;
    if (!described.has(name)) others.set(title, [...(others.get(title) ?? []), name]);
  }
  return [
    `The other settings; ${commandFor('start', '--help --all')} describes them:`,
    '',
    ...[...others].map(([heading, names]) => `  ${heading}\n    ${names.join('\n    ')}`),
  ];
}
