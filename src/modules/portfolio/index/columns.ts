import { type DomainName, unicodeName } from '../../../kernel/domain-name.ts';
import { type FieldResult, valueOr } from '../../../kernel/field-result.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';
import { type Bits, clearBit, noBits, setBit } from './bits.ts';

/** Distinct texts with a number for each: a column holds the numbers. */
export class Dictionary {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  /** The number here of the text with this number in `other`. */
  numberIn(other: Dictionary, number: number): number {
    return this.numberOf(other.texts[number] ?? '');
  }

  /** By number: 1 for each text that passes. */
  marked(test: (text: string) => boolean): Uint8Array {
    return Uint8Array.from(this.texts, (text) => Number(test(text)));
  }
}

/** The calendar month in UTC: `2026-11`. */
export const monthText = (date: Date): string =>
  `${String(date.getUTCFullYear()).padStart(4, '0')}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`;

/** The code of a flag: off, on, or a field that cannot be read. */
const flagOf = (flag: FieldResult<boolean>) => (flag instanceof Error ? 2 : Number(flag));

/** Spare capacity, so that a new domain does not need new columns. */
const spareSlots = 64;

const codeColumns = ['zone', 'hostSet', 'state', 'month', 'locked', 'hidden'] as const;
type Codes = Readonly<Record<(typeof codeColumns)[number], Uint32Array>>;

const codesFor = (capacity: number): Codes =>
  Object.fromEntries(codeColumns.map((name) => [name, new Uint32Array(capacity)])) as Codes;

/**
 * The fields by which domains are filtered, ordered and counted: one typed array for each field. A domain has the same
 * slot in all of them.
 */
export class Columns {
  /** `''` where a domain was removed. */
  readonly names: (DomainName | '')[] = [];
  /** The part of a name after its first dot: `com`, `co.uk`. */
  readonly zones = new Dictionary();
  /** Sets of name servers: the hosts in lower case, one per line. */
  readonly hostSets = new Dictionary();
  readonly hosts = new Dictionary();
  /** By host set: the numbers of its distinct hosts. */
  readonly hostsOfSet: (readonly number[])[] = [];
  readonly states = new Dictionary();
  /** Months of expiry; `''` without a date. */
  readonly months = new Dictionary();
  /** By slot: the Unicode form of an internationalized name. */
  readonly unicode = new Map<number, string>();

  codes: Codes;
  /** Epoch milliseconds; NaN without a date that can be read. */
  expires: Float64Array;
  registered: Float64Array;
  #present: Bits;

  constructor(size: number) {
    const capacity = size + spareSlots;
    this.codes = codesFor(capacity);
    this.expires = new Float64Array(capacity);
    this.registered = new Float64Array(capacity);
    this.#present = noBits(capacity);
  }

  get size(): number {
    return this.names.length;
  }

  /** Writes a domain to a slot that is in use, or to the next one. */
  set(slot: number, row: DomainDetails): void {
    const expiresAt = valueOr(row.expiresAt, null);
    const registeredAt = valueOr(row.registeredAt, null);
    const hosts = valueOr(row.nameServers, []);
    this.#enter(slot, row.name);
    const { codes } = this;
    codes.zone[slot] = this.zones.numberOf(row.name.slice(row.name.indexOf('.') + 1));
    codes.hostSet[slot] = this.#hostSetOf(hosts.join('\n').toLowerCase());
    codes.state[slot] = this.states.numberOf(row.state);
    codes.month[slot] = this.months.numberOf(expiresAt ? monthText(expiresAt) : '');
    codes.locked[slot] = flagOf(row.transferLocked);
    codes.hidden[slot] = flagOf(row.privacyProtected);
    this.expires[slot] = expiresAt?.getTime() ?? Number.NaN;
    this.registered[slot] = registeredAt?.getTime() ?? Number.NaN;
    if (row.name.includes('xn--')) this.unicode.set(slot, unicodeName(row.name));
  }

  /** Copies a domain of other columns to the next slot. */
  addFrom(other: Columns, from: number): void {
    const slot = this.size;
    this.#enter(slot, other.names[from] as DomainName);
    const [code, own] = [other.codes, this.codes];
    own.zone[slot] = this.zones.numberIn(other.zones, code.zone[from] as number);
    own.hostSet[slot] = this.#hostSetOf(other.hostSets.texts[code.hostSet[from] as number] ?? '');
    own.state[slot] = this.states.numberIn(other.states, code.state[from] as number);
    own.month[slot] = this.months.numberIn(other.months, code.month[from] as number);
    own.locked[slot] = code.locked[from] as number;
    own.hidden[slot] = code.hidden[from] as number;
    this.expires[slot] = other.expires[from] as number;
    this.registered[slot] = other.registered[from] as number;
    const unicode = other.unicode.get(from);
    if (unicode !== undefined) this.unicode.set(slot, unicode);
  }

  clear(slot: number): void {
    this.names[slot] = '';
    this.unicode.delete(slot);
    clearBit(this.#present, slot);
  }

  /** The fields that decide the position of a domain in an order. */
  placedAt(slot: number) {
    const dateAt = (dates: Float64Array) => {
      const ms = dates[slot] as number;
      return Number.isNaN(ms) ? null : new Date(ms);
    };
    return {
      name: this.names[slot] as string,
      expiresAt: dateAt(this.expires),
      registeredAt: dateAt(this.registered),
    };
  }

  /** The slots that hold a domain. */
  present(): Bits {
    return this.#present.slice(0, noBits(this.size).length);
  }

  #enter(slot: number, name: DomainName): void {
    if (slot >= this.expires.length) this.#grow();
    this.names[slot] = name;
    setBit(this.#present, slot);
  }

  #hostSetOf(text: string): number {
    const number = this.hostSets.numberOf(text);
    if (number === this.hostsOfSet.length) {
      const hosts = text === '' ? [] : text.split('\n');
      this.hostsOfSet.push([...new Set(hosts.map((host) => this.hosts.numberOf(host)))]);
    }
    return number;
  }

  #grow(): void {
    const capacity = 2 * this.expires.length;
    const codes = codesFor(capacity);
    for (const name of codeColumns) codes[name].set(this.codes[name]);
    this.codes = codes;
    this.expires = grown(this.expires, capacity);
    this.registered = grown(this.registered, capacity);
    const present = noBits(capacity);
    present.set(this.#present);
    this.#present = present;
  }
}

function grown(values: Float64Array, capacity: number): Float64Array {
  const larger = new Float64Array(capacity);
  larger.set(values);
  return larger;
}
