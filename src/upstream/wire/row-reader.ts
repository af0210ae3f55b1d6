import { hash } from 'node:crypto';
import { Fault } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import { createSlices } from '../../lib/slices.ts';
import { startOfJson } from './find-json.ts';
import { itemsOf } from './read.ts';
import type { BodyReader } from './response.ts';
import { RowScanner } from './row-scanner.ts';
import { isClean, type Redact, redactMessages } from './upstream-text.ts';

/** Bytes outside the rows at most, which are parsed in one piece, as is a body without rows. */
const maxRestBytes = 16 * 1024 * 1024;

/** A list in a reply. `reply` of the operation finds its rows read. */
export interface Rows {
  /** The members that lead to it. */
  readonly at: readonly string[];
  /** One row in the gateway's spelling; undefined leaves it out. */
  readonly read: (row: unknown) => unknown;
  /** The members of a row that may be stored. `read` decodes them like the whole row, except for secrets. */
  readonly stored: readonly string[];
  /** A longer reply fails the call. */
  readonly maxBytes: number;
}

/** Takes the rows of a list as they arrive; the reply then has none. */
export interface RowSink {
  /** An attempt begins; the rows of an earlier one are void. `read` decodes the stored part of a row. */
  begin(read: Rows['read']): void;
  /** Takes the next row without parsing it, if the digest of its bytes is known. */
  takeKnown(digest: string): boolean;
  /** Takes the next row: the decoded row, and the part of its JSON that may be stored. */
  take(row: unknown, stored: unknown, digest: string): Promise<void> | void;
}

interface RowReaderOptions {
  readonly rows: Rows;
  readonly clock: Pick<Clock, 'monotonicMs' | 'wait'>;
  readonly redact: Redact;
  /** Without one the rows stand in the reply. */
  readonly sink: RowSink | undefined;
}

/**
 * Reads a body whose bulk is one list row by row as it arrives, in slices between which the event loop runs other work.
 *
 * `body` is what remains: the same with an empty list, or nothing when a row is no JSON. A body that does not begin as
 * JSON, behind a warning perhaps, is left whole, and `rows` is absent.
 */
export function createRowReader({ rows, clock, redact, sink }: RowReaderOptions): BodyReader {
  const scanner = new RowScanner(rows.at);
  const found: unknown[] = [];
  let isBroken = false;
  let head: Buffer | null = Buffer.alloc(0);
  const slices = createSlices(clock);

  // What an earlier attempt was sent is void.
  sink?.begin(rows.read);

  const add = (bytes: Buffer): Promise<void> | void => {
    const digest = sink && hash('sha1', bytes, 'binary');
    if (digest && sink.takeKnown(digest)) return;
    const text = bytes.toString();
    const parsed: unknown = JSON.parse(text);
    const members = isClean(text, redact)
      ? parsed
      : redactMessages(parsed, redact, false, rows.at.length + 1);
    const row = rows.read(members);
    if (row === undefined) return;
    if (digest) return sink.take(row, storedPartOf(rows, members), digest);
    found.push(row);
  };

  return {
    maxBytes: rows.maxBytes,
    async take(chunk) {
      if (isBroken) return;
      let next = chunk;
      if (head) {
        head = Buffer.concat([head, chunk]);
        const start = startOfJson(head);
        if (start === 'later') return;
        next = start === 'nowhere' ? head : head.subarray(start);
        head = null;
      }
      try {
        for (const bytes of scanner.elementsIn(next)) {
          const taken = add(bytes);
          if (taken) await taken;
          if (slices.isOver()) await slices.next();
        }
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        isBroken = true;
      }
      const restBytes = scanner.rest.reduce((sum, { length }) => sum + length, 0);
      if (restBytes > maxRestBytes) throw new Fault('UPSTREAM_PROTOCOL', { executed: 'UNKNOWN' });
    },
    end() {
      const rest = head ? [head] : scanner.rest;
      const body = isBroken ? '' : new TextDecoder().decode(Buffer.concat(rest));
      return { body, ...(scanner.hasList && { rows: found }) };
    },
  };
}

/** The members of a row that may be stored, as the upstream sent them. */
function storedPartOf({ stored }: Rows, row: unknown): unknown {
  const found: Record<string, unknown> = {};
  for (const name of stored) {
    if (Object.hasOwn(row as object, name)) found[name] = (row as Record<string, unknown>)[name];
  }
  return found;
}

/** The body with its rows decoded: `read`, or else the rows of the list. */
export function withRows(rows: Rows, body: unknown, read: readonly unknown[] | undefined): unknown {
  const holder = rows.at.slice(0, -1).reduce(member, body);
  const name = rows.at.at(-1) ?? '';
  const listed = itemsOf(member(holder, name));
  if (!listed) return body;
  const found = read ?? listed.map((row) => rows.read(row)).filter((row) => row !== undefined);
  Object.assign(holder as object, { [name]: found });
  return body;
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
