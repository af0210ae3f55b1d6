import * as syntax from '../../lib/json-syntax.ts';
import { maxReplyDepth } from './find-json.ts';

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
