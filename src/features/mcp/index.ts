import type { Feature } from '../../seam/feature.ts';
import { mcpSettings } from './settings.ts';
import { handlesTable } from './table.ts';
import type { FeatureTools as Tools } from './feature-tools.ts';

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
  interface FeatureTools extends Tools {}
}

declare module '../../lib/command-names.ts' {
  interface FeatureCommands {
    readonly mcp: true;
  }
}
