import { isDomainName, parseDomainName, unicodeName } from '../../kernel/domain-name.ts';

const before = ['get', 'my', 'the', 'go', 'try'];
const behind = ['hq', 'app', 'online', 'shop', 'hub'];

/** What is left of a word that was taken off must still be worth a hyphen. */
const shortest = 3;
const letterBesideDigit = /(?<=\p{L})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/u;

/** Other labels that say nearly the same, the closest first: parted or joined words, then words before and behind. */
export function otherLabels(label: string): readonly string[] {
  const shown = unicodeName(parseDomainName(`${label}.com`)).slice(0, -4);
  // A label that could deceive is never decoded, and there is nothing to add to its coded form.
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
  const first = before.find((word) => leaves(shown, word) && shown.startsWith(word));
  const last = behind.find((word) => leaves(shown, word) && shown.endsWith(word));
  return [
    atDigits,
    ...(first ? [`${first}-${shown.slice(first.length)}`] : []),
    ...(last ? [`${shown.slice(0, -last.length)}-${last}`] : []),
  ];
}

const leaves = (shown: string, word: string) => shown.length - word.length >= shortest;
