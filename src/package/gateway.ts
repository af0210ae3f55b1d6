import { printSchema } from 'graphql';
import { startHosted } from '../app/compose.ts';
import { readConfig } from '../config/config.ts';
import { createLog } from '../observability/log.ts';
import type { Gateway, GatewayOptions, GatewaySettings } from './index.ts';

/** @throws ConfigError, StartError or Fault `JOURNAL_UNAVAILABLE` */
export async function openGateway(
  settings: GatewaySettings,
  { log: write }: GatewayOptions,
): Promise<Gateway> {
  const config = readConfig(textsOf(settings));
  const log = createLog({ level: config.observability.logLevel, ...(write && { write }) });
  for (const reason of config.warnings) log.warn('setting', { reason });
  const { handle, nodeHandler, schema, close } = await startHosted(config, { log });
  return { handle, nodeHandler, schema: printSchema(schema), close };
}

const textsOf = (settings: GatewaySettings): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, value?.toString()] as const),
  );
