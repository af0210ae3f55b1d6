import { chanceFrom, hash } from './chance.ts';
import { withoutFaultPrefix } from './faults.ts';

/**
 * The names outside the sandbox's accounts. Rules decide their state, so that a demo can predict it.
 *
 * | rule | names |
 * | --- | --- |
 * | taken | labels of the word list below; one in four labels of at most five characters; the prefixes that follow |
 * | `outside-…` | taken elsewhere, ready to be transferred with the code `Transfer-Code-01`, like every outside name |
 * | `locked-…` | taken elsewhere under a transfer lock: 592 |
 * | `fresh-…` | taken elsewhere less than 60 days ago: 2106 |
 * | `reject-…` | taken elsewhere; the transfer starts, and is rejected after five days; the price is refunded |
 * | `cancel-…` | taken elsewhere; the transfer starts, and is cancelled after five days; the price is not refunded |
 * | premium | labels of at most three characters and the words below; 362 for the label `exclusive` |
 * | reserved | `example`, `nic`, `www`, and one-letter labels of generic TLDs |
 */
export const outsideTransferCode = 'Transfer-Code-01';

const words = (text: string) => new Set(text.trim().split(/\s+/));

const takenWords = words(`
weather hotel hotels music google pizza apple amazon market travel flowers sports health energy school books garden
photos movies camera garage tickets recipes finance history science library airport kitchen fashion fitness
`);

const premiumWords = words(`
casino gold crypto voice cloud poker diamond bitcoin wine loans money jackpot insurance luxury exclusive silver
`);

const reservedWords = words('example nic www');

export const isReserved = (label: string, isGenericTld: boolean): boolean =>
  reservedWords.has(label) || (isGenericTld && /^[a-z]$/.test(label));

export const isPremium = (label: string): boolean =>
  premiumWords.has(label) || ([...label].length <= 3 && !label.startsWith('xn--'));

/** A premium name that is not for sale. */
export const isBlockedPremium = (label: string): boolean => label === 'exclusive';

const premiumPrices = ['125.0000', '250.0000', '480.0000', '950.0000', '1900.0000', '4800.0000'];

/** For one year, in the currency of the TLD; the same for a name every time. */
export const premiumPrice = (name: string): string =>
  premiumPrices[hash(name) % premiumPrices.length] ?? '125.0000';

export type OutsideKind = 'plain' | 'locked' | 'fresh' | 'reject' | 'cancel';

/** How the label is registered elsewhere; null when it is free. */
export function outsideKind(label: string): OutsideKind | null {
  const bare = withoutFaultPrefix(label);
  const prefix = /^(outside|locked|fresh|reject|cancel)-./.exec(bare)?.[1];
  if (prefix) return prefix === 'outside' ? 'plain' : (prefix as OutsideKind);
  if (bare !== label || premiumWords.has(label) || label.startsWith('xn--')) return null;
  if (takenWords.has(label)) return 'plain';
  return label.length <= 5 && chanceFrom(`taken ${label}`)() < 0.25 ? 'plain' : null;
}

/** `delayed-glue-…`: a new child name server appears in the domain's details after some seconds. */
export const hasDelayedGlue = (name: string): boolean => name.startsWith('delayed-glue-');

/** `terse-…`: a change of privacy protection has the reply `{}`. */
export const hasTerseReplies = (name: string): boolean => name.startsWith('terse-');

/** `two-views-…`: a sync reports the registry's view and leaves the account's view as it is. */
export const keepsOwnView = (name: string): boolean => name.startsWith('two-views-');
