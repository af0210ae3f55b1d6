import type { BulkChange } from '../../../../client/index.ts';
import type { BulkChangeInput, BulkChangeItemInput } from '../../../../client/operations.ts';
import type { Gateway } from '../../../console/gateway-client.ts';
import { printErrors, printProgress } from '../../../console/program.ts';
import { maxBulkChangeDomains } from '../../../kernel/job-sizes.ts';
import { StartError } from '../../../lib/errors.ts';

/** A bulk change that is not created yet. */
export interface NewChange {
  readonly names?: readonly string[];
  readonly change: BulkChangeInput;
  readonly expectedCount: number;
}

/** Characters of the domains of a bulk change at most, so that its request is shorter than the default of MAX_BODY_BYTES. */
const maxLength = 200_000;

/** The bulk changes that give each domain its name servers. */
export const itemChanges = (items: readonly BulkChangeItemInput[]): readonly NewChange[] =>
  inParts(items).map((part) => ({ expectedCount: part.length, change: { items: part } }));

/** The bulk changes that turn privacy protection of the domains on or off. */
export const privacyChanges = (
  names: readonly string[],
  privacyProtected: boolean,
): readonly NewChange[] =>
  inParts(names).map((part) => ({
    ...{ names: part, expectedCount: part.length },
    change: { privacyProtected },
  }));

function inParts<T>(values: readonly T[]): readonly (readonly T[])[] {
  const parts: T[][] = [];
  let left = 0;
  for (const value of values) {
    const { length } = JSON.stringify(value);
    left -= length + 1;
    if (left < 0 || parts.at(-1)?.length === maxBulkChangeDomains) {
      parts.push([]);
      left = maxLength - length;
    }
    parts.at(-1)?.push(value);
  }
  return parts;
}

type Progress = BulkChange['progress'];

const noProgress: Progress = {
  ...{ waiting: 0, running: 0, succeeded: 0, unchanged: 0, failed: 0, unknown: 0, cancelled: 0 },
};
const states = Object.keys(noProgress) as readonly (keyof Progress)[];

const sumOf = (one: Progress, other: Progress) =>
  Object.fromEntries(states.map((state) => [state, one[state] + other[state]])) as Progress;

const endedOf = ({ succeeded, unchanged, failed, unknown, cancelled }: Progress): number =>
  succeeded + unchanged + failed + unknown + cancelled;

/** Whether every domain has the value that was requested. */
export const isComplete = ({ succeeded, unchanged, ...others }: Progress): boolean =>
  Object.values(others).every((count) => count === 0);

interface RunOptions {
  /** Receives a sentence for each domain that was not changed. */
  readonly failures: string[];
  /** When it aborts, the domains for which nothing was sent are cancelled. */
  readonly signal: AbortSignal;
}

const cancelDocument = /* GraphQL */ `
  mutation CancelBulkChange($by: LookupInput!) {
    cancelBulkChange(input: $by) { errors { message } }
  }
`;

/**
 * Makes the bulk changes one after the other, and follows each to its end. The gateway completes the one that is in progress
 * when this process ends.
 *
 * @returns the number of domains in each state
 * @throws StartError when the gateway refuses one; those before it are complete
 */
export async function runChanges(
  { client, origin }: Gateway,
  changes: readonly NewChange[],
  { failures, signal }: RunOptions,
): Promise<Progress> {
  const total = changes.reduce((sum, { expectedCount }) => sum + expectedCount, 0);
  let complete = noProgress;
  /** The bulk change that is followed. */
  let id = '';
  const cancel = () =>
    client
      .request(cancelDocument, { by: { id } })
      .catch((error: Error) => printErrors('domains', [error.message]));
  for (const change of changes) {
    if (signal.aborted) {
      complete = sumOf(complete, { ...noProgress, cancelled: change.expectedCount });
      continue;
    }
    const { bulkChange, errors } = await client.bulkChanges.start(change);
    if (!bulkChange) {
      const sentences = errors.map(({ message }) => message).join(' ');
      const rest = `The other ${endedOf(complete)} of ${total} domains are complete.`;
      throw new StartError(endedOf(complete) > 0 ? `${sentences} ${rest}` : sentences);
    }
    if (bulkChange.state === 'AWAITING_APPROVAL') {
      const address = `${origin}/approvals/${bulkChange.approval?.id ?? ''}`;
      printErrors('domains', [
        `A bulk change waits for the approval of another person: ${address}`,
      ]);
    }
    id = bulkChange.id;
    let { progress } = bulkChange;
    if (signal.aborted) await cancel();
    else signal.addEventListener('abort', cancel);
    for await (const update of client.bulkChanges.follow(id)) {
      progress = update.bulkChange.progress;
      printProgress(`${endedOf(complete) + endedOf(progress)} of ${total} domains`);
    }
    complete = sumOf(complete, progress);
    const { failed, unknown, cancelled } = progress;
    if (failed + unknown + cancelled > 0) failures.push(...(await readFailures(client, id)));
  }
  printProgress('');
  return complete;
}

/** Domains of one page. */
const pageLength = 500;

interface FailedItem {
  readonly cursor: string;
  readonly domainName: string;
  readonly state: string;
  readonly errors: readonly { readonly message: string }[];
}

interface FailedItems {
  readonly bulkChange: { readonly items: readonly FailedItem[] } | null;
}

const failedItems = /* GraphQL */ `
  query FailedItems($id: ID!, $first: Int!, $after: String) {
    bulkChange(by: { id: $id }) {
      items(states: [FAILED, UNKNOWN, CANCELLED], first: $first, after: $after) {
        cursor domainName state errors { message }
      }
    }
  }
`;

async function readFailures(client: Gateway['client'], id: string): Promise<readonly string[]> {
  const failures: string[] = [];
  for (let after: string | null = null; ; ) {
    const variables = { id, first: pageLength, after };
    const { bulkChange } = await client.request<FailedItems>(failedItems, variables);
    const items: readonly FailedItem[] = bulkChange?.items ?? [];
    for (const { domainName, state, errors } of items) {
      failures.push(`${domainName} is ${state}: ${errors[0]?.message ?? 'nothing was sent.'}`);
    }
    if (items.length < pageLength) return failures;
    after = items.at(-1)?.cursor ?? null;
  }
}
