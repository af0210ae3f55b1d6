import { printSchema } from 'graphql';
import { startHosted } from '../app/compose.ts';
import { settings as known, readConfig } from '../app/read-config.ts';
import { type Environment, refuseUnknown } from '../config/read-values.ts';
import { createLog } from '../observability/log.ts';
import type { GatewaySettings } from './settings.ts';

/**
 * `env` has the settings that are not given; `write` receives each line of the log.
 *
 * @throws ConfigError, StartError or Fault `JOURNAL_UNAVAILABLE`
 */
export async function openGateway(
  settings: GatewaySettings,
  env: Environment = {},
  write?: (line: string) => void,
) {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const isText = ([, value]: readonly [string, unknown]) =>
    ['string', 'number', 'boolean'].includes(typeof value);
  const refused = [
    ...refuseUnknown(
      given.map(([name]) => name),
      known,
    ),
    ...given
      .filter((one) => !isText(one))
      .map(([name]) => `${name} must be a string, a number or a boolean.`),
  ];
  const texts = given.filter(isText).map(([name, value]) => [name, String(value)] as const);
  const config = readConfig({ ...env, ...Object.fromEntries(texts) }, { refused });
  const log = createLog({ level: config.observability.logLevel, ...(write && { write }) });
  for (const reason of config.warnings) log.warn('setting', { reason });
  const { handle, nodeHandler, schema, close } = await startHosted(config, { log });
  return { handle, nodeHandler, schema: printSchema(schema), close };
}
