import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { App } from './app.tsx';
import { client } from './graph/client.ts';

const element = document.getElementById('root');
if (!element) throw new Error('The page has no place for the storefront.');

createRoot(element).render(
  <StrictMode>
    <Provider value={client}>
      <App />
    </Provider>
  </StrictMode>,
);
