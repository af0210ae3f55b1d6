import type { z } from 'zod';

/** One environment variable. The settings in `Config`, `--help`, the documents and the checks come from these rows. */
export interface SettingRow {
  /** The place of its value in `Config`, as `group.member`; absent when config.ts combines it with other settings. */
  readonly to?: `${string}.${string}`;
  /** Shown in `--help` and the documents; a sentence when it depends on another setting, absent for none. */
  readonly default?: string;
  readonly description: string;
  /** Shown in .env.example; the default when absent. */
  readonly example?: string;
  /** A secret is never quoted in a message, and can be in the file that `<NAME>_FILE` names. */
  readonly secret?: true;
  /** Present when a value can name a file, which backups copy: whether this one does. */
  readonly namesFile?: (text: string) => boolean;
  /** Reads the text; undefined means that the setting is absent. Its message completes "<NAME> must be …". */
  readonly schema: z.ZodType<unknown, string | undefined>;
}

type SettingRows = Readonly<Record<string, SettingRow>>;

/** The parsed values of rows by name; undefined for an absent setting without a default. */
type ValuesOf<Rows extends SettingRows> = {
  readonly [Name in keyof Rows]: z.output<Rows[Name]['schema']>;
};

/** Rules between settings: one sentence for each that is broken. */
export type SettingRules = readonly (string | false)[];

export interface UpstreamFacts {
  readonly hasEmbeddedSandbox: boolean;
  /** Whether the upstream may be a real registrar. */
  readonly mayBeReal: boolean;
}

/** What the rules of features know of the other settings. */
interface SettingFacts extends UpstreamFacts {
  readonly isLive: boolean;
  /** Whether clients need no credentials. */
  readonly isOpen: boolean;
  /** Whether a setting is present, valid or not. */
  readonly has: (name: string) => boolean;
  /** The names of the tenants; null while TENANTS is invalid. */
  readonly tenants: readonly string[] | null;
}

export interface FeatureSettings<Rows extends SettingRows = SettingRows> {
  /** The heading above them in `--help`, the documents and .env.example. */
  readonly title: string;
  readonly rows: Rows;
  /** The rules between them and other settings: a sentence for each that is broken. */
  check?(values: ValuesOf<Rows>, facts: SettingFacts): BrokenRules;
  /** What live use should have. */
  recommend?(values: ValuesOf<Rows>): readonly Recommendation[];
}

export interface Recommendation {
  /** The subject, such as `events`. */
  readonly point: string;
  readonly holds: boolean;
  /** A sentence for when it holds. */
  readonly ok: string;
  /** A sentence for when it does not, which says what to do. */
  readonly advice: string;
}

interface BrokenRules {
  readonly errors?: SettingRules;
  readonly warnings?: SettingRules;
}

/** Adds `of`, which reads the values of the rows with their types. */
export const featureSettings = <const Rows extends SettingRows>(
  settings: FeatureSettings<Rows>,
) => ({
  ...settings,
  of: ({ featureValues }: FeatureValues): ValuesOf<Rows> =>
    // Each value was parsed by the schema of its own row. Without the row it has the value of an absent setting.
    Object.fromEntries(
      Object.entries(settings.rows).map(([name, { schema }]) => [
        name,
        name in featureValues ? featureValues[name] : schema.parse(undefined),
      ]),
    ) as ValuesOf<Rows>,
});

/** A part of `Config`. */
export interface FeatureValues {
  /** The values of the settings of features by name. */
  readonly featureValues: Readonly<Record<string, unknown>>;
}
