import type { Secret } from '../../kernel/secret.ts';
import type { CallOptions, Client } from '../operation.ts';
import type { accountApi } from './operations.ts';

export interface AccountCallOptions extends CallOptions {
  /** The caller's own Bearer token; it goes to this API and nowhere else. */
  readonly token: Secret;
}

/** The Account API as functions, one per call. */
export type AccountApi = Client<typeof accountApi, AccountCallOptions>;
