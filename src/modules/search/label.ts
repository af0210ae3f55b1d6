import {
  type DomainName,
  domainNameOrFault,
  parseTld,
  splitAtTld,
} from '../../kernel/domain-name.ts';
import { Fault, invalidInput } from '../../kernel/faults.ts';
import { maxTlds } from '../../kernel/search-size.ts';

/** The label of a search, and the TLD that was written after it, if any; both in ASCII. */
export interface Wanted {
  readonly label: string;
  readonly tld: string | null;
}

const path = ['label'];

/** The separators of labels in all scripts. */
const dot = /[.\u3002\uff0e\uff61]/u;

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
 * @throws Fault `INVALID_INPUT` with one sentence that names the rule.
 */
export function readWanted(text: string): (isTld: (tld: string) => boolean) => Wanted {
  const trimmed = text.trim();
  if (trimmed === '') throw invalidInput('"label" must not be empty.', { path });
  const site = trimmed.replace(scheme, '').replace(afterHost, '');
  const isAddress = site !== trimmed || site.includes('@');
  const host = site.replace(lastDot, '');
  const bare = host.replace(www, '');
  const isWhole = dot.test(bare);
  const name = domainNameOrFault(isWhole ? bare : `${bare}.com`);
  // Without a dot, words like "and/or" would be read as an address too.
  if (isAddress && (name instanceof Fault || !dot.test(host))) {
    throw invalidInput('Enter the name only, such as maple-field.', { path });
  }
  if (name instanceof Fault) throw name.with({ path });
  return (isTld) => {
    const written = isWhole ? name : name.slice(0, -4);
    if (bare !== host && isTld(written)) return { label: 'www', tld: written };
    if (!isWhole) return { label: written, tld: null };
    const parts = splitAtTld(name, isTld) ?? splitAtTld(name, (tld) => !tld.includes('.'));
    return { label: parts?.label.split('.').at(-1) ?? name, tld: parts?.tld ?? null };
  };
}

/**
 * The chosen TLDs in ASCII and in their order, without duplicates.
 *
 * @throws Fault `INVALID_INPUT` for too many TLDs, and for text that is no TLD.
 */
export function readTlds(texts: readonly string[]): readonly string[] {
  if (texts.length > maxTlds) {
    const message = `"tlds" takes at most ${maxTlds} items; this one has ${texts.length}.`;
    throw invalidInput(message, { path: ['tlds'] });
  }
  const tlds = texts.map((text) => {
    const tld = parseTld(text);
    if (tld) return tld;
    const message = `"${text.slice(0, 80)}" is no TLD; write it as in "com", ".co.uk" or "рф".`;
    throw invalidInput(message, { path: ['tlds'] });
  });
  return [...new Set(tlds)];
}

/** Why a name in ASCII is invalid, which is too long or mixes scripts that must not be mixed; null when it is valid. */
export function faultOfName(name: DomainName): Fault | null {
  const parsed = domainNameOrFault(name);
  return parsed instanceof Fault ? parsed : null;
}
