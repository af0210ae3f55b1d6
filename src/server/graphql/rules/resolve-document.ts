import type { Log } from '../../../observability/log.ts';
import {
  createDocumentTexts,
  type DocumentTextsOptions,
} from '../persisted-documents/document-texts.ts';
import { createUnlistedLog } from '../persisted-documents/unlisted-log.ts';
import type { Rule } from '../rule.ts';

export interface ResolveDocumentOptions extends Omit<DocumentTextsOptions, 'onUnlisted'> {
  readonly log: Log;
}

/** Replaces the id or the hash of a document by its text. Refuses or logs unlisted documents, as the mode says. */
export const resolveDocument = ({ log, ...options }: ResolveDocumentOptions): Rule => ({
  onParams: createDocumentTexts({ ...options, onUnlisted: createUnlistedLog(log) }),
});
