import { ConfigError, readConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/read-values.ts';

/** The sentences about invalid settings. */
export function errorsOf(env: Environment): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
}
