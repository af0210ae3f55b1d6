import { bodyInputs } from './bodies.ts';
import { documentInputs, variableInputs } from './documents.ts';
import { foreignInputs, otherInputs, slowInputs, smugglingInputs } from './foreign.ts';
import { headerInputs } from './headers.ts';
import { httpInputs } from './http.ts';
import type { AbuseInput } from './input.ts';
import { schemaInputs } from './schema.ts';

/** All inputs by kind. */
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

/** Inputs that take the timeout of the gateway, so they are sent concurrently. */
export const slow: readonly AbuseInput[] = slowInputs;
