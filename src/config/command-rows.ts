import * as format from './formats.ts';
import type { SettingRow } from './setting-row.ts';

/** The settings of commands that send requests to a gateway that runs. */
export const commandRows = {
  GATEWAY_URL: {
    to: 'gateway.url',
    example: 'https://graph.example',
    default: '`http://127.0.0.1` with PORT',
    description:
      'Address of the gateway to which `domains change`, `domains plan` and `domains apply` send their requests, with or without `/graphql`.',
    schema: format.httpUrl.optional(),
  },
  GATEWAY_KEY: {
    to: 'gateway.key',
    description: 'API key of the caller of these commands.',
    secret: true,
    schema: format.secretKey.optional(),
  },
} satisfies Record<string, SettingRow>;
