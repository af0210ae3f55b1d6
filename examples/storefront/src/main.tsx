import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { App } from './app.tsx';
import { client } from './graph/client.ts';
import { watchSession } from './session/session.ts';

const element = document.getElementById('root');
if (!element) throw new Error('The page has no place for the storefront.');

watchSession();

createRoot(element).render(
  <StrictMode>
    <Provider value={client}>
      <App />
    </Provider>
  </StrictMode>,
);
