import { idna } from '../lib/packages.cjs';
import { composed, quoted } from '../lib/text.ts';
import { asFault, type FieldResult, invalidInput, valueOr } from './faults.ts';

/** A domain or host name in its one canonical form: lower-case ASCII, no trailing dot. */
export type DomainName = string & { readonly __brand: 'DomainName' };

const idnaRules = {
  checkBidi: true,
  checkHyphens: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  // `parseDomainName` checks the lengths itself, to name them.
  verifyDNSLength: false,
  transitionalProcessing: false,
} as const;

/** Of a text in Unicode, in UTF-16 units. */
const maxInputLength = 512;
const maxLabelLength = 63;
const maxNameLength = 253;

/**
 * The canonical form of a name written in Unicode or ASCII, in any case, with blanks around it or a dot behind it.
 *
 * IDNA2008 by way of UTS #46, non-transitional. TLD bounds are the caller's business: only what can never be a name is
 * refused here.
 *
 * @throws Fault `INVALID_INPUT` with one sentence that names the rule.
 */
export function parseDomainName(text: string): DomainName {
  if (isOrdinary(text)) return text;
  const name = text.trim().replace(/[.\u3002\uff0e\uff61]$/u, '');
  return canonicalName(name, quoted(name));
}

/** The canonical form of a label, whose errors have the label only. @throws Fault `INVALID_INPUT`. */
export const parseLabel = (label: string): string =>
  canonicalName(`${label}.com`, quoted(label)).slice(0, -'.com'.length);

/** `shown`: the text in messages. */
function canonicalName(name: string, shown: string): DomainName {
  if (name === '') throw invalidInput('A domain name must not be empty.');
  const tooLong = (length: number) =>
    invalidInput(
      `${shown} is too long: a domain name has at most ${maxNameLength} characters; this one has ${length}.`,
    );
  if (name.length > maxInputLength) throw tooLong(name.length);
  if (hidden.test(name))
    throw invalidInput(`${shown} contains blanks or invisible characters; a domain name has none.`);

  const labels = name.split(/[.\u3002\uff0e\uff61]/u);
  if (labels.some((label) => label === ''))
    throw invalidInput(`${shown} has an empty label: two dots in a row.`);
  if (labels.length < 2)
    throw invalidInput(`${shown} has no TLD: write the whole name, such as "example.com".`);
  // The ASCII form is not shorter.
  for (const label of labels) {
    refuseBadHyphens(label);
    refuseLong(label.normalize('NFKC'));
  }
  const { length } = [...name.normalize('NFKC')];
  if (length > maxNameLength) throw tooLong(length);

  const ascii = idna().toASCII(name, idnaRules);
  if (ascii === null)
    throw invalidInput(`${shown} holds characters or a combination that no domain name may have.`);
  const asciiLabels = ascii.split('.');
  for (const label of asciiLabels) {
    // A label of characters that IDNA drops, such as the soft hyphen, is empty only now.
    if (label === '')
      throw invalidInput(`${shown} has an empty label: it holds nothing that is shown.`);
    refuseLong(label);
  }
  if (ascii.length > maxNameLength) throw tooLong(ascii.length);
  for (const label of asciiLabels) refuseBadIdn(label);
  if (!/^(?:[a-z]{2,63}|xn--[a-z0-9-]+)$/.test(asciiLabels.at(-1) ?? '')) {
    throw invalidInput(`${shown} does not end in a TLD.`);
  }
  return ascii as DomainName;
}

/** Names in their canonical form, as nearly every name that is sent: labels without two hyphens in a row. */
const ordinary = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}$/;

/** A text of the length of one label has no label that is too long. */
const isOrdinary = (text: string): text is DomainName =>
  text.length <= maxLabelLength && ordinary.test(text);

/** The canonical form, or the fault of text that is no name. */
export function domainNameOrFault(text: string): FieldResult<DomainName> {
  try {
    return parseDomainName(text);
  } catch (error) {
    return asFault(error);
  }
}

/** The canonical form, or null for text that is no name. */
export const tryParseDomainName = (text: string): DomainName | null =>
  valueOr(domainNameOrFault(text), null);

/** It matches from the start of a run only: an attempt at each dot of a long run would take quadratic time. */
const dotsAtEnd = /(?<![\s.\u3002\uff0e\uff61])[\s.\u3002\uff0e\uff61]+$/u;

/** The one form in which a host is compared and shown. Text that is no host is only trimmed and in lower case. */
export function canonicalHost(text: string): string {
  const lower = text.toLowerCase();
  if (isOrdinary(lower)) return lower;
  const trimmed = lower.trim().replace(dotsAtEnd, '');
  return trimmed === '' ? '' : (tryParseDomainName(trimmed) ?? trimmed);
}

/** The hosts in canonical form, without empty texts and repetitions. */
export function canonicalHosts(hosts: readonly string[]): readonly string[] {
  const found = new Set(hosts.map(canonicalHost));
  found.delete('');
  return [...found];
}

/** The hosts as one text, which is the same for every order and spelling. */
export const hostSetText = (hosts: readonly string[]): string =>
  canonicalHosts(hosts).toSorted().join(' ');

/** Whether both lists have the same hosts, regardless of order and spelling. */
export const isSameHosts = (one: readonly string[], other: readonly string[]): boolean =>
  hostSetText(one) === hostSetText(other);

export const isDomainName = (text: string): boolean => tryParseDomainName(text) !== null;

/**
 * The name as a person reads it. A label that could deceive (see `isLookalike`) stays in its `xn--` form, as in browsers.
 */
export const unicodeName = (name: DomainName): string => {
  const labels = name.split('.');
  return labels.map((label) => (deceives(label, labels) ? label : decode(label))).join('.');
};

/** Whether the label of a name, which stands first, holds non-ASCII letters. */
export const isIdn = (name: string): boolean => name.startsWith('xn--');

/**
 * Whether a label mixes scripts that do not belong together, is written wholly in letters that look Latin, or has letters or
 * marks that a person cannot see.
 */
export const isLookalike = (name: DomainName): boolean =>
  name.includes('xn--') && name.split('.').some((label, _at, labels) => deceives(label, labels));

/**
 * Parts a name at the longest TLD that `isTld` knows: `shop.example.co.uk` is `shop.example` + `co.uk`.
 *
 * `null` when no ending of the name is a TLD.
 */
export function splitAtTld(
  name: DomainName,
  isTld: (tld: string) => boolean,
): { readonly label: string; readonly tld: string } | null {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const tld = name.slice(dot + 1);
    if (isTld(tld)) return { label: name.slice(0, dot), tld };
  }
  return null;
}

/** Whether `host` is `domain` or a name under it. */
export const isWithin = (host: DomainName, domain: DomainName): boolean =>
  host === domain || host.endsWith(`.${domain}`);

/** The i of a person who writes Turkish: İ is its capital, whose lower case in Unicode is i with a second dot. */
export const withPlainI = (text: string): string => composed(text).replace(/\u0130|i\u0307/g, 'i');

/** A part of a name as it is in the Unicode form of names: each letter in lower case on its own, as in UTS #46. */
export const partOfName = (text: string): string =>
  text.length > maxInputLength
    ? text
    : withPlainI(
        Array.from(text.trim().normalize('NFKC'), (letter) => letter.toLowerCase()).join(''),
      );

/** `"com"`, `".COM"` and `"рф"` as the ASCII form that the upstream lists: `com`, `xn--p1ai`; null when it cannot be one. */
export function parseTld(text: string): string | null {
  const bare = text.trim().replace(/^\.+|(?<!\.)\.+$/g, '');
  return tryParseDomainName(`a.${bare}`)?.slice(2) ?? null;
}

/** No TLD has a comma, so that a text with one is several. @throws Fault `INVALID_INPUT` */
export function refuseSeveralTlds(texts: readonly string[]): void {
  const several = texts.find((text) => /[,;]/.test(text));
  if (several === undefined) return;
  throw invalidInput(`${quoted(several)} is no TLD; send each one as its own item of the list.`);
}

/** White space, controls, bidirectional marks and other format characters; joiners are judged by IDNA itself. */
const hidden = /[\s\p{Cc}\p{Zs}]|(?!\u200c|\u200d|\u00ad)\p{Cf}/u;

function refuseLong(label: string): void {
  const { length } = [...label];
  if (length <= maxLabelLength) return;
  throw invalidInput(
    `A label of a domain name has at most ${maxLabelLength} characters; ${quoted(label)} has ${length}.`,
  );
}

function refuseBadHyphens(label: string): void {
  if (label.startsWith('-') || label.endsWith('-')) {
    throw invalidInput(`A label must not begin or end with a hyphen; ${quoted(label)} does.`);
  }
  if (label.slice(2, 4) === '--' && label.slice(0, 4).toLowerCase() !== 'xn--') {
    throw invalidInput(
      `A label must not have hyphens as its third and fourth characters; ${quoted(label)} does.`,
    );
  }
}

const decode = (label: string): string =>
  label.startsWith('xn--') ? idna().toUnicode(label, idnaRules).domain : label;

function refuseBadIdn(label: string): void {
  if (!label.startsWith('xn--')) return;
  const unicode = idna().toUnicode(label, idnaRules);
  if (unicode.error || idna().toASCII(unicode.domain, idnaRules) !== label) {
    throw invalidInput(
      `${quoted(label)} is not a valid internationalised label: it does not survive a round trip.`,
    );
  }
  const characters = [...unicode.domain];
  const bad = characters.find((_, at) => !isIdna2008(characters, at));
  if (bad !== undefined) {
    const point = bad.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    throw invalidInput(
      `${quoted(unicode.domain)} must not contain the character U+${point} there (IDNA2008).`,
    );
  }
}

/**
 * RFC 5892: letters, marks and digits; the letters it excepts; the signs it allows in context (appendix A). `toASCII`
 * refuses digits of both Arabic kinds in one label, because of their text direction.
 */
const letterLike =
  /^(?:[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\u06fd\u06fe\u0f0b\u3007-]|\u200c|\u200d)$/u;
const excepted = /^[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]$/u;

function isIdna2008(label: readonly string[], at: number): boolean {
  const character = label[at] ?? '';
  const before = label[at - 1] ?? '';
  const after = label[at + 1] ?? '';
  switch (character) {
    case '\u00b7':
      return before === 'l' && after === 'l';
    case '\u0375':
      return /^\p{Script=Greek}$/u.test(after);
    case '\u05f3':
    case '\u05f4':
      return /^\p{Script=Hebrew}$/u.test(before);
    case '\u30fb':
      return label.some((one) =>
        /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]$/u.test(one),
      );
  }
  return letterLike.test(character) && !excepted.test(character);
}

/** Scripts that one label may mix (UTS #39, "highly restrictive"); each set includes what its members share. */
const togetherAllowed = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];
const scripts = [
  'Latin Greek Cyrillic Armenian Hebrew Arabic Syriac Thaana Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu',
  'Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Hangul Ethiopic Cherokee Canadian_Aboriginal Khmer',
  'Mongolian Hiragana Katakana Bopomofo Han Coptic Lisu Tifinagh',
].flatMap((row) => row.split(' '));
const scriptTests = scripts.map(
  (script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')] as const,
);

/**
 * What a person does not see: signs without an image, and a dot above a letter that has one already (UTS #39, "hidden
 * overlay"). The lower case of İ in UTS #46 is i with U+0307.
 */
const unseen =
  /[\u2d7f\u{1107f}\u{13441}\u{13442}\u{16fe4}]|[l\u0131\u0237\p{Soft_Dotted}]\p{Mn}*\u0307/u;
/** The second of two equal marks of a letter, in NFD. */
const repeatedMark = /(\p{Mn})\p{Mn}*\1/u;
/** Latin letters that many fonts draw as a and g. */
const looksAscii = /[\u0251\u0261]/;

const hasUnseen = (label: string): boolean =>
  unseen.test(label) || looksAscii.test(label) || repeatedMark.test(label.normalize('NFD'));

/** Cyrillic and Greek letters that most fonts draw as a Latin letter (from the confusables of UTS #39). */
const looksLatin = /^[асԁеһіјӏорԛѕԝхупгѵαικνρυωηοτ0-9-]+$/u;
const foreignScript = /\p{Script=Cyrillic}|\p{Script=Greek}/u;

function deceives(label: string, labels: readonly string[]): boolean {
  if (!label.startsWith('xn--')) return false;
  const unicode = decode(label);
  if (hasUnseen(unicode)) return true;
  const used = scriptTests.filter(([, test]) => test.test(unicode)).map(([script]) => script);
  if (used.length > 1) {
    return !togetherAllowed.some((set) => used.every((script) => set.includes(script)));
  }
  // Under a TLD of the same script a name like оса.рф is not deceptive.
  return looksLatin.test(unicode) && !foreignScript.test(decode(labels.at(-1) ?? ''));
}
