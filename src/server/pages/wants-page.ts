import { isReading } from '../plugins/use-routes.ts';

/** Whether a browser asks for a page; a client that takes anything wants no HTML. */
export const wantsPage = (request: Request): boolean =>
  isReading(request) && /\btext\/html\b/.test(request.headers.get('accept') ?? '');
