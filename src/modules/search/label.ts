import {
  type DomainName,
  domainNameOrFault,
  parseDomainName,
  parseTld,
  splitAtTld,
} from '../../kernel/domain-name.ts';
import { asFault, Fault, invalidInput } from '../../kernel/faults.ts';
import { mostTlds } from '../../kernel/search-size.ts';

/** The label of a search, and the TLD that was written after it, if any; both in ASCII. */
export interface Wanted {
  readonly label: string;
  readonly tld: string | null;
}

const path = ['label'];

/** The separators of labels in all scripts. */
const dot = /[.\u3002\uff0e\uff61]/u;

/**
 * Reads a label or a whole name. The label of a whole name stands directly before the TLD: `example` in
 * `www.example.co.uk`. The TLD is the longest ending for which `isTld` is true, else the last label.
 *
 * @throws Fault `INVALID_INPUT` with one sentence that names the rule.
 */
export function readWanted(text: string): (isTld: (tld: string) => boolean) => Wanted {
  const bare = text.trim();
  if (bare === '') throw invalidInput('"label" must not be empty.', { path });
  try {
    if (!dot.test(bare)) {
      const label = parseDomainName(`${bare}.com`).slice(0, -4);
      return () => ({ label, tld: null });
    }
    const name = parseDomainName(bare);
    return (isTld) => {
      const parts = splitAtTld(name, isTld) ?? splitAtTld(name, (tld) => !tld.includes('.'));
      return { label: parts?.label.split('.').at(-1) ?? name, tld: parts?.tld ?? null };
    };
  } catch (error) {
    throw asFault(error).with({ path });
  }
}

/**
 * The chosen TLDs in ASCII and in their order, without duplicates.
 *
 * @throws Fault `INVALID_INPUT` for too many TLDs, and for text that is no TLD.
 */
export function readTlds(texts: readonly string[]): readonly string[] {
  if (texts.length > mostTlds) {
    const message = `"tlds" takes at most ${mostTlds} items; this one has ${texts.length}.`;
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
