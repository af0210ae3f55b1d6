import { unicodeName } from '../../../kernel/domain-name.ts';
import { type FieldResult, valueOr } from '../../../kernel/faults.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';

/** A set of slots: one bit for each, 12 KB for 100,000 domains. */
export type Bits = Uint32Array;

export const noBits = (size: number): Bits => new Uint32Array((size + 31) >>> 5);

export const hasBit = (bits: Bits, slot: number): boolean =>
  (((bits[slot >>> 5] as number) >>> (slot & 31)) & 1) === 1;

export function setBit(bits: Bits, slot: number): void {
  bits[slot >>> 5] = (bits[slot >>> 5] as number) | (1 << (slot & 31));
}

/** The intersection. */
export function allOf([first, ...others]: readonly [Bits, ...Bits[]]): Bits {
  const bits = first.slice();
  for (const other of others) {
    for (let word = 0; word < bits.length; word += 1) {
      bits[word] = (bits[word] as number) & (other[word] as number);
    }
  }
  return bits;
}

export const without = (bits: Bits, others: Bits): Bits =>
  bits.map((word, at) => word & ~(others[at] as number));

export const anyOf = (bits: Bits, others: Bits): Bits =>
  bits.map((word, at) => word | (others[at] as number));

export function countBits(bits: Bits): number {
  let count = 0;
  for (let word = 0; word < bits.length; word += 1) {
    let rest = bits[word] as number;
    rest -= (rest >>> 1) & 0x5555_5555;
    rest = (rest & 0x3333_3333) + ((rest >>> 2) & 0x3333_3333);
    count += Math.imul((rest + (rest >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
  }
  return count;
}

/** Numbers by slot. */
type Column = number[];

/** Distinct texts with a code for each. */
class Dictionary {
  readonly texts: string[] = [];
  readonly #codes = new Map<string, number>();

  codeOf(text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    this.#codes.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

/** A column of texts: it has the codes of the texts. */
class TextColumn extends Dictionary {
  readonly codes: Column = [];

  set(slot: number, text: string): void {
    this.codes[slot] = this.codeOf(text);
  }

  /** The slots whose text passes. Each distinct text is tested once. */
  where(test: (text: string) => boolean): Bits {
    const { codes } = this;
    const passes = this.texts.map(test);
    const bits = noBits(codes.length);
    for (let slot = 0; slot < codes.length; slot += 1) {
      if (passes[codes[slot] as number]) setBit(bits, slot);
    }
    return bits;
  }

  /** By code: the number of slots of the set that have it. */
  countsIn(bits: Bits): Uint32Array {
    const { codes } = this;
    const counts = new Uint32Array(this.texts.length);
    for (let slot = 0; slot < codes.length; slot += 1) {
      if (!hasBit(bits, slot)) continue;
      const code = codes[slot] as number;
      counts[code] = (counts[code] as number) + 1;
    }
    return counts;
  }
}

/** Dates as epoch milliseconds; NaN without a date that can be read. */
class DateColumn {
  readonly ms: Column = [];

  set(slot: number, date: FieldResult<Date | null>): void {
    this.ms[slot] = valueOr(date, null)?.getTime() ?? Number.NaN;
  }

  /** The slots with a date of at least `from` and below `to`. */
  between(from: number, to: number): Bits {
    const { ms } = this;
    const bits = noBits(ms.length);
    for (let slot = 0; slot < ms.length; slot += 1) {
      if ((ms[slot] as number) >= from && (ms[slot] as number) < to) setBit(bits, slot);
    }
    return bits;
  }

  at(slot: number): Date | null {
    const ms = this.ms[slot] as number;
    return Number.isNaN(ms) ? null : new Date(ms);
  }
}

/** The calendar month in UTC: `2026-11`. */
export const monthText = (date: Date): string => date.toISOString().slice(0, 7);

/** A bit for each pair of adjacent characters. A name without all pairs of a text does not contain the text. */
function pairsIn(text: string): number {
  let pairs = 0;
  for (let at = 1; at < text.length; at += 1) {
    pairs |= 1 << (text.charCodeAt(at - 1) * 7 + text.charCodeAt(at));
  }
  return pairs;
}

/** `''` for a flag that cannot be read, or that the registrar does not send. */
const flagText = (flag: FieldResult<boolean | null>) => String(valueOr(flag, null) ?? '');

/** The fields by which domains are filtered, ordered and counted. A domain has the same slot in all columns. */
export class Columns {
  readonly names: string[] = [];
  readonly #pairs: Column = [];
  /** The Unicode forms of internationalized names. */
  readonly #unicode = new Map<number, string>();
  /** The part of a name after its first dot: `com`, `co.uk`. `''` where a domain was removed. */
  readonly tlds = new TextColumn();
  /** Sets of name servers: the hosts, one per line. */
  readonly nameServers = new TextColumn();
  readonly hosts = new Dictionary();
  readonly #hostsOfSets: (readonly number[])[] = [];
  /** The state regardless of the expiry date. */
  readonly states = new TextColumn();
  /** Months of expiry; `''` without a date. */
  readonly months = new TextColumn();
  /** Flags: `true`, `false`, or `''`. */
  readonly transferLocked = new TextColumn();
  readonly privacyProtected = new TextColumn();
  readonly expires = new DateColumn();
  readonly registered = new DateColumn();

  get size(): number {
    return this.names.length;
  }

  /** Writes a domain to a slot that is in use, or to the next one. */
  set(slot: number, row: DomainDetails): void {
    const { name } = row;
    const expiresAt = valueOr(row.expiresAt, null);
    this.names[slot] = name;
    this.#pairs[slot] = pairsIn(name);
    if (name.includes('xn--')) this.#unicode.set(slot, unicodeName(name));
    this.tlds.set(slot, name.slice(name.indexOf('.') + 1));
    this.nameServers.set(slot, (valueOr(row.nameServers, null) ?? []).join('\n'));
    this.states.set(slot, row.state);
    this.months.set(slot, expiresAt ? monthText(expiresAt) : '');
    this.transferLocked.set(slot, flagText(row.transferLocked));
    this.privacyProtected.set(slot, flagText(row.privacyProtected));
    this.expires.set(slot, row.expiresAt);
    this.registered.set(slot, row.registeredAt);
  }

  /** Removes a domain. Its slot remains in no selection, because it has no zone. */
  clear(slot: number): void {
    this.tlds.set(slot, '');
  }

  /** By code of a host set: the codes of its distinct hosts. */
  hostsOfSets(): readonly (readonly number[])[] {
    for (const set of this.nameServers.texts.slice(this.#hostsOfSets.length)) {
      const hosts = new Set(set.split('\n').filter(Boolean));
      this.#hostsOfSets.push(Array.from(hosts, (host) => this.hosts.codeOf(host)));
    }
    return this.#hostsOfSets;
  }

  /** The slots whose ASCII or Unicode name contains the text. */
  named(text: string): Bits {
    const [names, pairs, wanted] = [this.names, this.#pairs, pairsIn(text)];
    const bits = noBits(names.length);
    for (let slot = 0; slot < names.length; slot += 1) {
      if (((pairs[slot] as number) & wanted) !== wanted) continue;
      if ((names[slot] as string).includes(text)) setBit(bits, slot);
    }
    for (const [slot, name] of this.#unicode) if (name.includes(text)) setBit(bits, slot);
    return bits;
  }

  /** The fields that decide the position of a domain in an order. */
  placedAt(slot: number) {
    return {
      name: this.names[slot] as string,
      expiresAt: this.expires.at(slot),
      registeredAt: this.registered.at(slot),
    };
  }
}
