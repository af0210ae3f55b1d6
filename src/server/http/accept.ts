/** An entry of an `accept` header, in lower case. */
export interface MediaRange {
  /** A type and a subtype, each of which may be a star. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** From 0, which excludes the range, to 1. */
  readonly weight: number;
}

export const readAccept = (header: string): readonly MediaRange[] =>
  header
    .toLowerCase()
    .split(',')
    .map((entry) => {
      const [type = '', ...rest] = entry.split(';').map((one) => one.replaceAll(/\s/g, ''));
      const parameters = new Map(rest.map(readParameter));
      return { type, parameters, weight: weightOf(parameters.get('q')) };
    });

function readParameter(text: string): [name: string, value: string] {
  const [name = '', value = ''] = text.split('=');
  return [name, value.replace(/^"(.*)"$/, '$1')];
}

/** A weight that is none counts as 1: the client has named the type. */
function weightOf(text = '1'): number {
  const weight = Number(text || 'none');
  return weight >= 0 && weight <= 1 ? weight : 1;
}

/** The most specific entry that matches a media type, whose text is in UTF-8 (RFC 9110, 12.5.1); null without one. */
export function rangeFor(ranges: readonly MediaRange[], type: string): MediaRange | null {
  const [best] = ranges
    .filter((range) => isInRange(type, range.type) && isUtf8(range.parameters.get('charset')))
    .toSorted((a, b) => specificityOf(b) - specificityOf(a) || b.weight - a.weight);
  return best ?? null;
}

/** The number of parts that are no star. */
export const specificityOf = ({ type }: MediaRange): number =>
  type.split('/').filter((part) => part !== '*').length;

function isInRange(type: string, range: string): boolean {
  const [main, sub] = type.split('/');
  const [rangeMain, rangeSub] = range.split('/');
  return (rangeMain === '*' || rangeMain === main) && (rangeSub === '*' || rangeSub === sub);
}

const isUtf8 = (charset = 'utf-8'): boolean => /^(?:utf-?8|\*)$/.test(charset);

/** Whether a response of this type is acceptable; every one is without a header. */
export function isAcceptable(header: string | null | undefined, type: string): boolean {
  const range = rangeFor(readAccept(header || '*/*'), type);
  return range !== null && range.weight > 0;
}
