import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../test/support/long.ts';
import {
  isDomainName,
  isLookalike,
  isWithin,
  parseDomainName,
  parseLabel,
  parseTld,
  partOfName,
  splitAtTld,
  unicodeName,
  withPlainI,
} from './domain-name.ts';
import { Fault } from './faults.ts';

const label63 = 'a'.repeat(63);
const longest = `${label63}.${label63}.${label63}.${'a'.repeat(57)}.com`;

/** Labels of letters, digits and inner hyphens, which most names have. */
const asciiLabel = fc.stringMatching(/^[a-z0-9](?:[a-z0-9]{0,6}|[a-z0-9]-[a-z0-9]{1,6})$/);
/** Labels in one script each, without digits or marks, so that each is valid. */
const scriptLabel = fc
  .constantFrom('äöüßéñ', 'абвгде', 'αβγδ', '日本語字', 'กขคง', '한국어')
  .chain((letters) => fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 8 }));
const label = fc.oneof(asciiLabel, scriptLabel);
const nameText = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom('com', 'co.uk', 'рф'))
  .map(([labels, tld]) => [...labels, tld].join('.'));

const sentenceOf = (text: string): string => {
  try {
    return `accepted as ${parseDomainName(text)}`;
  } catch (error) {
    return error instanceof Fault ? error.message : `not a Fault: ${String(error)}`;
  }
};

describe('an invalid name is refused with the message of its rule:', { tags: ['G4'] }, () => {
  const combination = 'holds characters or a combination that no domain name may have.';
  const hidden = (shown: string) =>
    `"${shown}" contains blanks or invisible characters; a domain name has none.`;

  test.each([
    ['', 'A domain name must not be empty.'],
    [' \t ', 'A domain name must not be empty.'],
    ['.', 'A domain name must not be empty.'],
    ['com', '"com" has no TLD: write the whole name, such as "example.com".'],
    ['a..com', '"a..com" has an empty label: two dots in a row.'],
    ['a.com..', '"a.com." has an empty label: two dots in a row.'],
    ['.a.com', '".a.com" has an empty label: two dots in a row.'],
    ['-a.com', 'A label must not begin or end with a hyphen; "-a" does.'],
    ['a-.com', 'A label must not begin or end with a hyphen; "a-" does.'],
    [
      'ab--cd.com',
      'A label must not have hyphens as its third and fourth characters; "ab--cd" does.',
    ],
    [
      `${label63}a.com`,
      `A label of a domain name has at most 63 characters; "${label63}a" has 64.`,
    ],
    [
      `a${longest}`.replace('com', 'info').slice(1),
      `"${`a${longest}`.slice(1, 81)}…" is too long: a domain name has at most 253 characters; this one has 254.`,
    ],
    [
      `a${'\u0301\u0323'.repeat(40)}.com`,
      `A label of a domain name has at most 63 characters; "${`a${'\u0301\u0323'.repeat(40)}`.normalize('NFKC').slice(0, 80)}" has 80.`,
    ],
    [
      'a'.repeat(5_000),
      `"${'a'.repeat(80)}…" is too long: a domain name has at most 253 characters; this one has 5000.`,
    ],
    ['\u00ad.com', '"\\u{ad}.com" has an empty label: it holds nothing that is shown.'],
    ['www.\ufe0f.com', '"www.\ufe0f.com" has an empty label: it holds nothing that is shown.'],
    ['a b.com', hidden('a b.com')],
    ['a\tb.com', hidden('a\\u{9}b.com')],
    ['a\u00a0b.com', hidden('a\u00a0b.com')],
    ['\u0000.com', hidden('\\u{0}.com')],
    ['a\u200bb.com', hidden('a\\u{200b}b.com')],
    ['a\ufeffb.com', hidden('a\\u{feff}b.com')],
    ['a_b.com', `"a_b.com" ${combination}`],
    ['a/b.com', `"a/b.com" ${combination}`],
    ['a%41.com', `"a%41.com" ${combination}`],
    ['*.com', `"*.com" ${combination}`],
    ['user@host.com', `"user@host.com" ${combination}`],
    ['xn--a.com', `"xn--a.com" ${combination}`],
    ['a\u200db.com', `"a\\u{200d}b.com" ${combination}`],
    ['\ud800.com', `"\\u{d800}.com" ${combination}`],
    ['0x7f.1', '"0x7f.1" does not end in a TLD.'],
    ['1.2.3.4', '"1.2.3.4" does not end in a TLD.'],
    ['a.c', '"a.c" does not end in a TLD.'],
    ['☃.com', '"☃" must not contain the character U+2603 there (IDNA2008).'],
    ['o’brien.com', '"o’brien" must not contain the character U+2019 there (IDNA2008).'],
    ['xn--ls8h.com', '"💩" must not contain the character U+1F4A9 there (IDNA2008).'],
    ['a·b.com', '"a·b" must not contain the character U+00B7 there (IDNA2008).'],
    ['・a.com', '"・a" must not contain the character U+30FB there (IDNA2008).'],
  ])('%j', (text, sentence) => {
    expect(sentenceOf(text)).toBe(sentence);
    expect(isDomainName(text)).toBe(false);
  });

  test.each(['a·l.com', 'l·a.com', 'l·.com', '͵a.com', 'α͵.com', 'ا׳.com', 'ا״.com', 'a・b.com'])(
    'a sign beside letters for which it is not allowed is refused: %s',
    (text) => {
      expect(sentenceOf(text)).toContain('(IDNA2008)');
    },
  );

  test.each([
    ['an override of the direction', 'moc\u202egro.com'],
    ['an isolate', 'a\u2066b\u2069.com'],
    ['a mark of the direction', 'a\u200eb.com'],
    ['letters of both directions in one label', 'אa.com'],
    ['a right-to-left label that begins with a digit', '1א.com'],
    ['a label that is wrong only beside a right-to-left one', '1a.אב'],
    ['digits of both Arabic kinds', 'ا\u0660\u06f0.com'],
    ['digits of both Arabic kinds in another order', 'ا\u06f0\u0660.com'],
    ['digits of both Arabic kinds after a Latin letter', 'a\u0660\u06f0.com'],
  ])('a label with misleading text direction is refused: %s', (_trick, text) => {
    expect(sentenceOf(text)).not.toMatch(/^accepted|^not a Fault/);
  });
});

describe('a valid name has one canonical form:', () => {
  test.each([
    ['  Example.COM. ', 'example.com'],
    ['example。com', 'example.com'],
    ['ｅｘａｍｐｌｅ.com', 'example.com'],
    ['BÜCHER.de', 'xn--bcher-kva.de'],
    ['XN--BCHER-KVA.de', 'xn--bcher-kva.de'],
    ['bu\u0308cher.de', 'xn--bcher-kva.de'],
    ['faß.de', 'xn--fa-hia.de'],
    ['exam\u00adple.com', 'example.com'],
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['l·l.cat', 'xn--ll-0ea.cat'],
    ['ア・イ.jp', 'xn--ccke4x.jp'],
    ['あ・.jp', 'xn--l8j4u.jp'],
    ['漢・a.jp', 'xn--a-hju699u.jp'],
    ['͵α.com', 'xn--wva4j.com'],
    ['א׳.com', 'xn--4db4e.com'],
    ['א״.com', 'xn--4db6e.com'],
    ['ب٠١.com', 'xn--ngb6id.com'],
    ['123.com', '123.com'],
    ['a.b.c.example.com', 'a.b.c.example.com'],
    [`${label63}.com`, `${label63}.com`],
    [longest, longest],
  ])('%s', (text, ascii) => {
    expect(sentenceOf(text)).toBe(`accepted as ${ascii}`);
  });

  test('case, surrounding whitespace and a trailing dot do not change a name', {
    tags: ['G1'],
  }, () => {
    fc.assert(
      fc.property(
        nameText,
        fc.constantFrom('', ' ', '\t', '\u00a0 ', '\n'),
        fc.constantFrom('', '.', '。'),
        fc.boolean(),
        (text, blank, dot, isUpper) => {
          // ß has no capital that maps back to it.
          const cased = isUpper && !text.includes('ß') ? text.toUpperCase() : text;

          expect(parseDomainName(`${blank}${cased}${dot}${blank}`)).toBe(parseDomainName(text));
        },
      ),
    );
  });

  test('a name parses to itself from its ASCII and its Unicode form', { tags: ['G3'] }, () => {
    fc.assert(
      fc.property(nameText, (text) => {
        const name = parseDomainName(text);

        expect(name).toMatch(/^[a-z0-9.-]+$/);
        expect(parseDomainName(name)).toBe(name);
        expect(parseDomainName(unicodeName(name))).toBe(name);
      }),
    );
  });

  test('any text is a name that parses to itself, or a Fault with one sentence', {
    tags: ['G4'],
  }, () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => `${text}.com`),
      fc.string({
        unit: fc.constantFrom(
          'a',
          '-',
          '.',
          '。',
          'x',
          'n',
          'ü',
          'א',
          '1',
          '\u200d',
          '\u0301',
          '\u3164',
          '\ufe0f',
        ),
      }),
      fc.string({ unit: 'binary-ascii', maxLength: 20 }).map((text) => `xn--${text}.com`),
    );

    fc.assert(
      fc.property(anyText, (text) => {
        const sentence = sentenceOf(text);
        if (sentence.startsWith('accepted as ')) {
          const name = parseDomainName(text);
          expect(parseDomainName(name)).toBe(name);
          expect(parseDomainName(unicodeName(name))).toBe(name);
          expect(name.length).toBeLessThanOrEqual(253);
        } else {
          expect(sentence).not.toMatch(/^not a Fault/);
          expect(sentence.replace(/".*"/s, '')).toMatch(/^[^.!?]*\.$/);
          expect(sentence.length).toBeLessThan(300);
        }
      }),
      { numRuns: runs(600, 3_000) },
    );
  });
});

describe('a lookalike name', () => {
  test.each([
    ['Cyrillic letters alone that look Latin', 'аррӏе.com', 'xn--80ak6aa92e.com'],
    ['one Cyrillic letter among Latin ones', 'gооgle.com', 'xn--ggle-55da.com'],
    ['Greek letters that look Latin', 'οο.com', 'xn--0xaa.com'],
    ['in a label further down', 'www.аррӏе.com', 'www.xn--80ak6aa92e.com'],
    ['the capital İ, which is i with a second dot', 'İSTANBUL.com', 'xn--istanbul-o0e.com'],
    ['the capital İ as two characters', 'I\u0307STANBUL.com', 'xn--istanbul-o0e.com'],
    ['a second dot above j', 'maj\u0307or.com', 'xn--major-9fd.com'],
    ['a second dot behind another mark', 'i\u0323\u0307.com', 'xn--rsa923l.com'],
    ['a dot on dotless i', 'k\u0131\u0307t.com', 'xn--kt-hpa49p.com'],
    ['the same mark twice', 'a\u0301\u0301.com', 'xn--1ca20i.com'],
    ['a joiner without an image', 'ⴰ\u2d7fⴰ.com', 'xn--4lja0v.com'],
    ['a Latin letter that looks like g', '\u0261oogle.com', 'xn--oogle-qmc.com'],
  ])('is shown in ASCII: %s', (_trick, text, shown) => {
    const name = parseDomainName(text);

    expect(isLookalike(name)).toBe(true);
    expect(unicodeName(name)).toBe(shown);
  });

  test.each([
    'bücher.de',
    'пример.рф',
    'москва.com',
    'οδός.com',
    'оса.рф',
    '日本語latin.jp',
    'にほんカナ漢字.jp',
    '한국어.kr',
    'plain.com',
    'ışık.com',
    'việt-ế.vn',
    'क्षत्रिय.com',
    'ɔ̃.com',
  ])('is not %s, which is shown in Unicode', (text) => {
    const name = parseDomainName(text);

    expect(isLookalike(name)).toBe(false);
    expect(unicodeName(name)).toBe(text);
  });

  test('is every name with a character that adds only a mark that cannot be seen', () => {
    const unseen = /[ijlıȷ]\p{Mn}*\u0307|(\p{Mn})\p{Mn}*\1/u;
    const found: string[] = [];
    for (let point = 0x80; point < 0x11_0000; point += 1) {
      const text = `i${String.fromCodePoint(point)}.com`;
      // Only these letters and marks have a form that the rule is about, so that the others need no parse.
      const mapped = text.toLowerCase().normalize('NFKD');
      if (!unseen.test(mapped) || !isDomainName(text)) continue;
      found.push(point.toString(16));
      expect(`${point.toString(16)} ${isLookalike(parseDomainName(text))}`).toContain('true');
    }
    expect(found).toEqual(expect.arrayContaining(['130', '307']));
  });

  test.each(['İSTANBUL', 'I\u0307stanbul', 'i\u0307stanbul', 'ISTANBUL', ' Istanbul'])(
    'is not what a search and a filter read: %j',
    (text) => {
      expect(partOfName(text)).toBe('istanbul');
      expect(parseLabel(withPlainI(text).trim())).toBe('istanbul');
    },
  );

  test.each([
    ['BU\u0308CHER', 'bücher'],
    ['ｅｘａｍｐｌｅ', 'example'],
    ['ΟΔΟΣ', 'οδοσ'],
  ])('and the part of a name of a filter is that of the name: %j', (text, part) => {
    expect(partOfName(text)).toBe(part);
    expect(unicodeName(parseDomainName(`${text}.com`))).toBe(`${part}.com`);
  });

  test('has only its lookalike label in ASCII', () => {
    expect(unicodeName(parseDomainName('bücher.аррӏе.com'))).toBe('bücher.xn--80ak6aa92e.com');
  });
});

describe('a name and its TLD', () => {
  const tlds = new Set(['com', 'uk', 'co.uk', 'xn--p1ai']);
  const split = (text: string) => splitAtTld(parseDomainName(text), (tld) => tlds.has(tld));

  test('split at the longest known TLD', () => {
    expect(split('example.com')).toEqual({ label: 'example', tld: 'com' });
    expect(split('example.co.uk')).toEqual({ label: 'example', tld: 'co.uk' });
    expect(split('shop.example.co.uk')).toEqual({ label: 'shop.example', tld: 'co.uk' });
    expect(split('example.org.uk')).toEqual({ label: 'example.org', tld: 'uk' });
    expect(split('пример.рф')).toEqual({ label: 'xn--e1afmkfd', tld: 'xn--p1ai' });
  });

  test('split a TLD at its own ending, and an unknown ending is null', () => {
    expect(split('co.uk')).toEqual({ label: 'co', tld: 'uk' });
    expect(split('example.org')).toBeNull();
  });

  test('the parts of a name join to the name, and no longer TLD matches', () => {
    fc.assert(
      fc.property(nameText, (text) => {
        const name = parseDomainName(text);
        const parts = split(text);

        expect(parts && `${parts.label}.${parts.tld}`).toBe(name);
        for (const tld of tlds) {
          if (name.endsWith(`.${tld}`))
            expect(parts?.tld.length).toBeGreaterThanOrEqual(tld.length);
        }
      }),
    );
  });

  test.each([
    ['com', 'com'],
    [' .COM ', 'com'],
    ['co.uk', 'co.uk'],
    ['рф', 'xn--p1ai'],
    ['xn--p1ai', 'xn--p1ai'],
    ['', null],
    ['.', null],
    ['c', null],
    ['123', null],
    ['co..uk', null],
    ['c m', null],
  ])('%j as a TLD is %j', (text, tld) => {
    expect(parseTld(text)).toBe(tld);
  });

  test('any text is a TLD that parses to itself, or null', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => {
        const tld = parseTld(text);
        if (tld !== null) expect(parseTld(tld)).toBe(tld);
      }),
    );
  });
});

test('a host is within its own domain and not within a name with a similar ending', () => {
  const domain = parseDomainName('example.com');

  expect(isWithin(domain, domain)).toBe(true);
  expect(isWithin(parseDomainName('ns1.example.com'), domain)).toBe(true);
  expect(isWithin(parseDomainName('ns1.my-example.com'), domain)).toBe(false);
  expect(isWithin(parseDomainName('myexample.com'), domain)).toBe(false);
  expect(isWithin(domain, parseDomainName('ns1.example.com'))).toBe(false);
});
