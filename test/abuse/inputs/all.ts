import { bodyInputs } from './bodies.ts';
import { documentInputs, variableInputs } from './documents.ts';
import { foreignInputs, otherInputs, slowInputs, smugglingInputs } from './foreign.ts';
import { headerInputs } from './headers.ts';
import { httpInputs } from './http.ts';
import type { AbuseInput } from './input.ts';
import { schemaInputs } from './schema.ts';

/** All that is tried, by what it goes at. */
export const abuse: Readonly<Record<string, readonly AbuseInput[]>> = {
  'request lines': httpInputs,
  headers: headerInputs,
  bodies: bodyInputs,
  documents: documentInputs,
  variables: variableInputs,
  'names of the schema': schemaInputs,
  'foreign sites': foreignInputs,
  smuggling: smugglingInputs,
  'stored documents and streams': otherInputs,
};

/** What takes as long as the gateway waits, so it is tried at once. */
export const slow: readonly AbuseInput[] = slowInputs;
