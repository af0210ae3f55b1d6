import {
  type DomainName,
  parseDomainName,
  parseTld,
  splitAtTld,
} from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { mostTlds } from '../../kernel/search-size.ts';

/** What is searched for: a label, and the TLD that was written behind it, if any. Both in ASCII. */
export interface Wanted {
  readonly label: string;
  readonly tld: string | null;
}

/** What stands between labels, in whatever script. */
const dot = /[.\u3002\uff0e\uff61]/u;

/**
 * Reads a label, or a whole name, of which only a catalogue can tell what is the label: `example` of
 * `www.example.co.uk`, next to its TLD. An ending that `isTld` does not know is its last label.
 *
 * @throws Fault `INVALID_INPUT` with one sentence that names the rule.
 */
export function readWanted(text: string): (isTld: (tld: string) => boolean) => Wanted {
  const bare = text.trim();
  if (bare === '')
    throw new Fault('INVALID_INPUT', { message: '"label" must not be empty.', path });
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
    throw error instanceof Fault ? error.with({ path }) : error;
  }
}

/**
 * The TLDs as they were chosen, in ASCII, none twice.
 *
 * @throws Fault `INVALID_INPUT` for too many, and for what is no TLD in any spelling.
 */
export function readTlds(texts: readonly string[]): readonly string[] {
  if (texts.length > mostTlds) {
    const message = `"tlds" takes at most ${mostTlds} items; this one has ${texts.length}.`;
    throw new Fault('INVALID_INPUT', { message, path: ['tlds'] });
  }
  const tlds = texts.map((text) => {
    const tld = parseTld(text);
    if (tld) return tld;
    const message = `"${text.slice(0, 80)}" is no TLD; write it as in "com", ".co.uk" or "рф".`;
    throw new Fault('INVALID_INPUT', { message, path: ['tlds'] });
  });
  return [...new Set(tlds)];
}

const path = ['label'];
/** The whole name of two that are in ASCII, and why they cannot stand together: too long, or scripts that don't go together. */
export function nameUnder(label: string, tld: string): { name: DomainName; fault: Fault | null } {
  const name = `${label}.${tld}` as DomainName;
  try {
    return { name: parseDomainName(name), fault: null };
  } catch (error) {
    if (error instanceof Fault) return { name, fault: error };
    throw error;
  }
}
