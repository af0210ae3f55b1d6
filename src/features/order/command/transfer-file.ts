import { createHash } from 'node:crypto';
import type { Client, Order } from '../../../../client/index.ts';
import type { Config } from '../../../config/config.ts';
import { withGateway } from '../../../console/gateway-client.ts';
import {
  print,
  printErrors,
  printProgress,
  RefusedRows,
  readInput,
  withRest,
} from '../../../console/program.ts';
import { maxOrderLines } from '../../../kernel/job-sizes.ts';
import { formatMoney, money, sumsOf } from '../../../kernel/money.ts';
import { CsvError } from '../../../lib/csv.ts';
import { StartError } from '../../../lib/errors.ts';
import { parts } from '../../../lib/slices.ts';
import { several } from '../../../lib/text.ts';
import { type FileTransfer, readTransfers } from './read-transfers.ts';

/** Rows that are printed with what blocks them; of the others only their number. */
const maxReported = 100;

interface SentMoney {
  readonly amount: string;
  readonly currency: string;
}

interface QuoteResult {
  readonly quoteOrder: {
    readonly errors: readonly { readonly message: string }[];
    readonly totals: readonly { readonly price: SentMoney | null }[];
    readonly lines: readonly {
      readonly position: number;
      readonly notChecked: string | null;
      readonly errors: readonly { readonly message: string }[];
    }[];
  } | null;
}

const quoteDocument = /* GraphQL */ `
  query QuoteTransfers($input: QuoteOrderInput!) {
    quoteOrder(input: $input) {
      errors { message }
      totals { price { amount currency } }
      lines { position notChecked errors { message } }
    }
  }
`;

/** Transfers that are one order. */
interface Part {
  readonly key: string;
  readonly transfers: readonly FileTransfer[];
}

/** @throws StartError when something blocks a transfer */
export async function transferByFile(
  config: Config,
  fd: number,
  isConfirmed: boolean,
): Promise<string> {
  const transfers = await readFile(fd);
  return withGateway(config, async ({ client }) => {
    const open: Part[] = [];
    for (const part of parts(transfers, maxOrderLines)) {
      const key = keyOf(part);
      const placed = await client.orders.get({ key });
      if (placed) print(`Placed before: ${textOf(part, placed)}.`);
      else open.push({ key, transfers: part });
    }
    if (open.length === 0) return 'Nothing was sent.';
    const totals = await preview(client, open);
    if (!isConfirmed) return 'Nothing was sent. Repeat the command with --yes to transfer them.';
    return place(client, open, totals);
  });
}

async function readFile(fd: number): Promise<readonly FileTransfer[]> {
  const refused = new RefusedRows();
  const transfers = await readTransfers(readInput(fd), refused).catch((error: unknown) => {
    throw error instanceof CsvError ? new StartError(`${error.message} Nothing was sent.`) : error;
  });
  refused.print('domains');
  if (refused.count > 0) throw new StartError(`Rows refused: ${refused.count}. Nothing was sent.`);
  if (transfers.length === 0) throw new StartError('The file has no domain.');
  return transfers;
}

const linesOf = (transfers: readonly FileTransfer[]) =>
  transfers.map(({ input }) => ({ transfer: input }));

/** Prints the price, and what blocks the transfers. Returns the total of each part. @throws StartError */
async function preview(
  client: Client,
  open: readonly Part[],
): Promise<readonly (readonly SentMoney[])[]> {
  const totals: (readonly SentMoney[])[] = [];
  const blocked: string[] = [];
  const notes = new Set<string>();
  let count = 0;
  for (const { transfers } of open) {
    const variables = { input: { lines: linesOf(transfers) } };
    const { quoteOrder: quote } = await client.request<QuoteResult>(quoteDocument, variables);
    for (const { position, errors, notChecked } of quote?.lines ?? []) {
      const line = transfers[position]?.line;
      for (const { message } of errors) blocked.push(`line ${line}: ${message}`);
      if (notChecked !== null) notes.add(notChecked);
    }
    for (const { message } of quote?.errors ?? []) blocked.push(message);
    totals.push((quote?.totals ?? []).flatMap(({ price }) => price ?? []));
    count += transfers.length;
    printProgress(`${several(count, 'transfer')} checked`);
  }
  printProgress('');
  if (blocked.length > 0) {
    const shown = blocked.slice(0, maxReported);
    printErrors('domains', withRest(shown, blocked.length - maxReported, 'rows'));
    throw new StartError('Nothing was sent, because these rows are blocked.');
  }
  const sums = sumsOf(totals.flat().map(({ amount, currency }) => [money(amount, currency), 1]));
  print(`${several(count, 'transfer')}: ${sums.map(formatMoney).join(' and ')}.`);
  for (const note of notes) print(note);
  return totals;
}

/** The same transfers have the same key, so that a repeated command places no second order. */
const keyOf = (transfers: readonly FileTransfer[]): string => {
  const text = JSON.stringify(transfers.map(({ input }) => input));
  return `transfer-file-${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;
};

const textOf = (transfers: readonly FileTransfer[], order: Pick<Order, 'id' | 'state'>) =>
  `${several(transfers.length, 'transfer')} as the order ${order.id}, which is ${order.state}`;

/** @throws StartError when the gateway refuses an order; those before it are placed */
async function place(
  client: Client,
  open: readonly Part[],
  totals: readonly (readonly SentMoney[])[],
): Promise<string> {
  const placed: string[] = [];
  for (const [at, { key, transfers }] of open.entries()) {
    const { order, errors } = await client.orders.place({
      ...{ idempotencyKey: key, lines: linesOf(transfers) },
      ...{ maxTotal: [...(totals[at] ?? [])], onFailure: 'CONTINUE' },
    });
    if (!order) {
      const sentences = errors.map(({ message }) => message).join(' ');
      throw new StartError([sentences, ...placed.map((one) => `Placed: ${one}.`)].join(' '));
    }
    placed.push(textOf(transfers, order));
  }
  return `Placed: ${placed.join('; ')}.`;
}
