import { mutants as access } from './equivalent/access.ts';
import { mutants as app } from './equivalent/app.ts';
import { mutants as client } from './equivalent/client.ts';
import { mutants as config } from './equivalent/config.ts';
import { mutants as kernel } from './equivalent/kernel.ts';
import { mutants as lib } from './equivalent/lib.ts';
import { mutants as modules } from './equivalent/modules.ts';
import { mutants as observability } from './equivalent/observability.ts';
import { mutants as outbound } from './equivalent/outbound.ts';
import { mutants as persistence } from './equivalent/persistence.ts';
import { mutants as purchase } from './equivalent/purchase.ts';
import { mutants as quote } from './equivalent/quote.ts';
import { mutants as registration } from './equivalent/registration.ts';
import { mutants as sandbox } from './equivalent/sandbox.ts';
import { mutants as schema } from './equivalent/schema.ts';
import { mutants as server } from './equivalent/server.ts';
import { mutants as sharedState } from './equivalent/shared-state.ts';
import { mutants as upstream } from './equivalent/upstream.ts';

/** A mutant that no test has to find. */
export interface EquivalentMutant {
  readonly file: string;
  /** Name of Stryker's mutator. */
  readonly mutator: string;
  /** The first source line of the mutant, without its indentation. */
  readonly line: string;
  /** The first line of the mutated code, and of its replacement. */
  readonly original: string;
  readonly replacement: string;
  /** Why the mutant behaves the same, or why a test of the difference is not worth its time. */
  readonly reason: string;
}

/** All survivors that do not count, one file for each folder of `src`. */
export const equivalentMutants: readonly EquivalentMutant[] = [
  ...access,
  ...app,
  ...client,
  ...config,
  ...kernel,
  ...lib,
  ...modules,
  ...observability,
  ...outbound,
  ...persistence,
  ...purchase,
  ...quote,
  ...registration,
  ...sandbox,
  ...schema,
  ...server,
  ...sharedState,
  ...upstream,
];
