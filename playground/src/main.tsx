import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import '@graphiql/plugin-explorer/style.css';
import './style.css';
import { explorerPlugin } from '@graphiql/plugin-explorer';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { createRoot } from 'react-dom/client';
import { createFetcher } from './fetcher.ts';
import { isKeyMissing } from './key.ts';
import { readPageOptions } from './page-options.ts';
import { createStorage } from './storage.ts';

const { graph, environment, tabs } = readPageOptions();
const root = document.querySelector('#root');
if (!root) throw new Error('The page has no element #root.');

// Without a key it cannot read the schema.
if (!isKeyMissing()) {
  createRoot(root).render(
    <GraphiQL
      fetcher={createFetcher(graph)}
      plugins={[HISTORY_PLUGIN, explorerPlugin()]}
      defaultTabs={[...tabs]}
      storage={createStorage(localStorage, environment)}
      shouldPersistHeaders={false}
      showPersistHeadersSettings={false}
      defaultEditorToolsVisibility={false}
      schemaDescription
    >
      {/* The banner of the page says whose it is, and leaves this place to the tabs. */}
      <GraphiQL.Logo>{null}</GraphiQL.Logo>
    </GraphiQL>,
  );
}
