import { readConfig } from '../../src/app/read-config.ts';
import { type Config, ConfigError } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/read-values.ts';

/** The configuration of these settings alone: without the keys in the data folder of the checkout. */
export const configOf = (env: Environment): Config =>
  readConfig({ KEYS_FILE: '/no/such/folder/keys.json', ...env });

/** The sentences about invalid settings. */
export function errorsOf(env: Environment): readonly string[] {
  try {
    configOf(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
}
