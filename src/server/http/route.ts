/** Responds to GET and HEAD of a path; null when it has no response for this request. */
export type Route = (request: Request) => Promise<Response | null> | Response | null;

/** Whether the client is a browser that opens a page. */
export const acceptsPage = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(headers.get('accept') ?? '');
