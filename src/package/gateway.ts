import { printSchema } from 'graphql';
import { startHosted } from '../app/compose.ts';
import { readConfig } from '../config/config.ts';
import { createLog } from '../observability/log.ts';

/** Texts, numbers and booleans by the names of the environment variables. */
type SettingTexts = Readonly<Record<string, string | number | boolean | undefined>>;

/** `write` receives each line of the log. @throws ConfigError, StartError or Fault `JOURNAL_UNAVAILABLE` */
export async function openGateway(settings: SettingTexts, write?: (line: string) => void) {
  const config = readConfig(textsOf(settings));
  const log = createLog({ level: config.observability.logLevel, ...(write && { write }) });
  for (const reason of config.warnings) log.warn('setting', { reason });
  const { handle, nodeHandler, schema, close } = await startHosted(config, { log });
  return { handle, nodeHandler, schema: printSchema(schema), close };
}

const textsOf = (settings: SettingTexts): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, value?.toString()] as const),
  );
