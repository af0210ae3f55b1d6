import { readFileSync } from 'node:fs';
import type { Route } from '../plugins/use-routes.ts';

export const iconPath = '/icon.svg';

const icon = readFileSync(new URL('icon.svg', import.meta.url), 'utf8');

export const iconRoute: Route = () =>
  new Response(icon, {
    headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' },
  });
