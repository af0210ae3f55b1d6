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
