import { featureSettings } from '../../config/feature-settings.ts';
import * as format from '../../config/formats.ts';
import { defaultScopes } from '../../kernel/caller.ts';

export const mcpSettings = featureSettings({
  title: 'Tools for models',
  rows: {
    MCP: {
      example: 'true',
      default: '`true` with the sandbox, `false` with `live`',
      description: 'Serves tools for models at /mcp; see docs/mcp.md.',
      schema: format.flag.optional(),
    },
    MCP_WRITES: {
      default: 'false',
      description:
        'Adds the tools `quote_purchase` and `buy` for callers with `domains:spend`, and `preview_change` and `apply_change` for callers with `domains:write`.',
      schema: format.flag.default(false),
    },
    MCP_KEY: {
      description: 'API key of the caller of the command `mcp`.',
      secret: true,
      schema: format.secretKey.optional(),
    },
    MCP_SCOPES: {
      get default() {
        return defaultScopes.join(',');
      },
      description:
        'Scopes of the caller of the command `mcp` without MCP_KEY, and scopes that a client requests when it signs in at /mcp; separated by commas.',
      schema: format.scopes.default(() => defaultScopes),
    },
  },
  check: (_values, { isOpen, has }) => ({
    warnings: [isOpen && has('MCP_KEY') && 'MCP_KEY has no effect while AUTH is open.'],
  }),
});
