import { hash } from 'node:crypto';
import { Fault } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import * as syntax from '../../lib/json.ts';
import { createSlices } from '../../lib/slices.ts';
import type { BodyReader } from './classify.ts';
import { maxReplyDepth, startOfJson } from './find-json.ts';
import { itemsOf } from './read.ts';
import { isClean, type Redact, redactMessages } from './upstream-text.ts';

/** No member that leads to rows has a longer name. */
const maxNameLength = 64;

/**
 * Finds the elements of one list in the bytes of a JSON body as they arrive, and sets everything else aside.
 *
 * It counts brackets and skips strings, nothing else. The caller parses the elements and the rest, and a body that is not
 * JSON fails there.
 */
export class RowScanner {
  /** All bytes but those of the elements: the same body with an empty list. */
  readonly rest: Buffer[] = [];
  /** Whether the list has begun. */
  hasList = false;

  readonly #at: readonly string[];
  /** The member last named at each level, `''` in a list. */
  readonly #names: string[] = [''];
  #word: number[] = [];
  #inString = false;
  #escaped = false;
  /** Brackets that are open: in the body until the list begins, and within an element from there on. */
  #depth = 0;
  #inRows = false;
  #isFirst = false;
  #element: Buffer[] = [];

  /** `at` leads from the body to the list, one member name a level. */
  constructor(at: readonly string[]) {
    this.#at = at;
  }

  /** The elements that end in this chunk, of which no more is read than the caller takes. */
  *elementsIn(chunk: Buffer): Generator<Buffer> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (!this.#inRows) {
        if (!this.#meet(chunk[at] as number)) continue;
        this.rest.push(chunk.subarray(start, at + 1));
        start = at + 1;
        continue;
      }
      at = this.#endOfElement(chunk, at);
      if (at === chunk.length) break;
      const end = chunk.subarray(start, at);
      const element =
        this.#element.length > 0 ? Buffer.concat([...this.#element.splice(0), end]) : end;
      start = at;
      const isOver = chunk[at] === syntax.closeList;
      if (isOver) this.#inRows = false;
      else start += 1;
      // `[]` has no element, where `[1,]` has one too many.
      const isEmptyList = this.#isFirst && isOver && element.toString().trim() === '';
      this.#isFirst = false;
      if (isOver) this.#depth -= 1;
      if (!isEmptyList) yield element;
    }
    (this.#inRows ? this.#element : this.rest).push(chunk.subarray(start));
  }

  /** Where the element ends that `from` is in: at its comma, or at the end of the list; the chunk's length if later. */
  #endOfElement(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (this.#inString) this.#passString(byte);
      else if (byte === syntax.quote) this.#inString = true;
      else if (byte === syntax.openObject || byte === syntax.openList) this.#open();
      else if (this.#depth > this.#at.length + 1) {
        if (byte === syntax.closeObject || byte === syntax.closeList) this.#depth -= 1;
      } else if (byte === syntax.comma || byte === syntax.closeList) return at;
    }
    return chunk.length;
  }

  /** @throws SyntaxError when brackets are nested deeper than in any real reply. */
  #open(): void {
    this.#depth += 1;
    if (this.#depth > maxReplyDepth) throw new SyntaxError('The JSON is nested too deeply.');
  }

  #passString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === syntax.backslash) this.#escaped = true;
    else if (byte === syntax.quote) this.#inString = false;
  }

  /** One byte outside the list; true for the bracket that begins it. */
  #meet(byte: number): boolean {
    if (this.#inString) {
      this.#passString(byte);
      if (this.#inString && this.#word.length < maxNameLength) this.#word.push(byte);
      return false;
    }
    switch (byte) {
      case syntax.quote:
        this.#inString = true;
        this.#word = [];
        break;
      case syntax.colon:
        this.#names[this.#depth] = Buffer.from(this.#word).toString();
        break;
      case syntax.openList:
      case syntax.openObject:
        this.#open();
        if (byte === syntax.openList && this.#isList()) {
          if (this.hasList) throw new SyntaxError('The list is there twice.');
          this.#inRows = true;
          this.#isFirst = true;
          this.hasList = true;
          return true;
        }
        this.#names[this.#depth] = '';
        break;
      case syntax.closeObject:
      case syntax.closeList:
        this.#depth -= 1;
    }
    return false;
  }

  #isList = (): boolean =>
    this.#depth === this.#at.length + 1 &&
    this.#at.every((name, level) => this.#names[level + 1] === name);
}

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
