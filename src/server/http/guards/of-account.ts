import type { HttpRequest } from '../http-request.ts';
import { graphqlPath } from '../routes.ts';

/** Whether the request is for data of an account. */
export const isOfAccount = ({ path, route }: Pick<HttpRequest, 'path' | 'route'>): boolean =>
  path === graphqlPath || route.isOfAccount === true;
