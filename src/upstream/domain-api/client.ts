import type { Client } from '../operation.ts';
import type { domainApi } from './operations.ts';

/** The Domain API as functions, one per action. */
export type DomainApi = Client<typeof domainApi>;
