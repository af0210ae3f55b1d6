import { isDomainName, parseDomainName, unicodeName } from '../../kernel/domain-name.ts';

const before = ['get', 'my', 'the', 'go', 'try'];
const behind = ['hq', 'app', 'online', 'shop', 'hub'];

/** The ends that are split off. A shorter word, or one in front, is too often a part of another one: goldenbakery, github. */
const split = ['online', 'shop'];
/** Minimum length of the rest when a word is split off. */
const shortest = 3;
const letterBesideDigit = /(?<=\p{L})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/u;

/** Similar labels, the closest first: words split or joined, then words added before and after. */
export function otherLabels(label: string): readonly string[] {
  const shown = unicodeName(parseDomainName(`${label}.com`)).slice(0, -4);
  // A lookalike label is never decoded, and nothing is added to its encoded form.
  if (shown.startsWith('xn--')) return [];
  const affixed = before.flatMap((word, at) => [`${word}-${shown}`, `${shown}-${behind[at]}`]);
  const labels = [...parted(shown), ...affixed]
    .filter((one) => one !== shown && isDomainName(`${one}.com`))
    .map((one) => parseDomainName(`${one}.com`).slice(0, -4));
  return [...new Set(labels)];
}

function parted(shown: string): readonly string[] {
  if (shown.includes('-')) return [shown.replaceAll('-', '')];
  const atDigits = shown.split(letterBesideDigit).join('-');
  const last = split.find((word) => leaves(shown, word) && shown.endsWith(word));
  return [atDigits, ...(last ? [`${shown.slice(0, -last.length)}-${last}`] : [])];
}

const leaves = (shown: string, word: string) => shown.length - word.length >= shortest;
