import {
  type DomainName,
  domainNameOrFault,
  parseDomainName,
  parseLabel,
  parseTld,
  splitAtTld,
  withPlainI,
} from '../../kernel/domain-name.ts';
import { asFault, Fault, invalidInput } from '../../kernel/faults.ts';
import { quoted } from '../../lib/text.ts';
import { labelDot, maxSearchNames } from './size.ts';

/** The label of a search, and the TLD that was written after it, if any; both in ASCII. */
export interface Wanted {
  readonly label: string;
  readonly tld: string | null;
}

/** What precedes and follows the host in a pasted address. */
const scheme = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;
const afterHost = /(?::\d*)?(?:[/?#].*)?$/s;
const lastDot = /[.\u3002\uff0e\uff61]$/u;
const www = /^www[.\u3002\uff0e\uff61](?=.)/iu;

/**
 * Reads a label, a whole name, or the address of a website. The label of a whole name stands directly before the TLD:
 * `example` in `shop.example.co.uk`. The TLD is the longest ending for which `isTld` is true, else the last label.
 * A `www.` in front is no part of the name, unless only a TLD follows. A last dot may be that of a name that is being typed.
 *
 * `at` is the index in `labels`.
 *
 * @throws Fault `INVALID_INPUT` with one sentence that names the rule.
 */
export function readWanted(text: string, at: number): (isTld: (tld: string) => boolean) => Wanted {
  const path = ['labels', String(at)];
  const trimmed = text.trim();
  if (trimmed === '') throw invalidInput('A label must not be empty.', { path });
  const site = trimmed.replace(scheme, '').replace(afterHost, '');
  const isAddress = site !== trimmed || site.includes('@');
  const host = site.replace(lastDot, '');
  if (host.includes(',')) {
    throw invalidInput(`${quoted(host)} has a comma; send each name as its own label.`, { path });
  }
  const bare = host.replace(www, '');
  const isWhole = labelDot.test(bare);
  const name = readName(bare, isWhole);
  // Without a dot, words like "and/or" would be read as an address too.
  if (isAddress && (name instanceof Fault || !labelDot.test(host))) {
    throw invalidInput('Enter the name only, such as maple-field.', { path });
  }
  if (name instanceof Fault) throw name.with({ path });
  return (isTld) => {
    if (bare !== host && isTld(name)) return { label: 'www', tld: name };
    if (!isWhole) return { label: name, tld: null };
    const parts =
      splitAtTld(name as DomainName, isTld) ??
      splitAtTld(name as DomainName, (tld) => !tld.includes('.'));
    return { label: parts?.label.split('.').at(-1) ?? name, tld: parts?.tld ?? null };
  };
}

/** A whole name or a label in ASCII, or the fault of other text. */
function readName(text: string, isWhole: boolean): string | Fault {
  try {
    const plain = withPlainI(text);
    return isWhole ? parseDomainName(plain) : parseLabel(plain);
  } catch (error) {
    return asFault(error);
  }
}

/** @throws Fault `INVALID_INPUT` for more names than one search checks. */
export function checkSize(labels: readonly string[], tlds: readonly string[]): void {
  const most = Math.floor(maxSearchNames / Math.max(1, tlds.length));
  if (labels.length > most) {
    const message = `A search has at most ${maxSearchNames} names; ${labels.length} labels with ${tlds.length} TLDs are ${labels.length * tlds.length}.`;
    throw invalidInput(message, { path: [tlds.length > labels.length ? 'tlds' : 'labels'] });
  }
}

/**
 * The chosen TLDs in ASCII and in their order, without duplicates.
 *
 * @throws Fault `INVALID_INPUT` for text that is no TLD.
 */
export function readTlds(texts: readonly string[]): readonly string[] {
  const tlds = texts.map((text) => {
    const tld = parseTld(text);
    if (tld) return tld;
    const message = `${quoted(text)} is no TLD; write it as in "com", ".co.uk" or "рф".`;
    throw invalidInput(message, { path: ['tlds'] });
  });
  return [...new Set(tlds)];
}

/** Why a name in ASCII is invalid, which is too long or mixes scripts that must not be mixed; null when it is valid. */
export function faultOfName(name: DomainName): Fault | null {
  const parsed = domainNameOrFault(name);
  return parsed instanceof Fault ? parsed : null;
}
