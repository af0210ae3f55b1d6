import type { Feature } from '../../seam/feature.ts';
import type { Operations } from '../../server/graphql/run-operation.ts';
import type { Handles } from './handle.ts';
import { mcpSettings } from './settings.ts';
import { handlesTable } from './table.ts';
import type { ReadTool, Tool } from './tool.ts';

/** Tools for models, over HTTP and over standard input and output. */
export const mcp: Feature = {
  name: 'mcp',
  uses: [],
  settings: mcpSettings,
  tables: [handlesTable],
  routes: async () => (await import('./route.ts')).mcpRoutes,
  commands: {
    mcp: {
      does: 'Serves tools for models over standard input and output.',
      run: async (context) => (await import('./command.ts')).runMcp(context),
      // npm prints lines of its own to standard output, which has the messages.
      script: 'run mcp --silent',
    },
  },
};

declare module '../../seam/feature.ts' {
  interface FeatureTools {
    readonly reading?: Readonly<Record<string, ReadTool>>;
    /** Those that exist with `MCP_WRITES=true` only. */
    readonly createWriting?: (operations: Operations, handles: Handles) => readonly Tool[];
  }
}

declare module '../../lib/programs.ts' {
  interface FeatureCommands {
    readonly mcp: true;
  }
}
