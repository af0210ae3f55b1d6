import { GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { GraphQLDateTimeISO, GraphQLURL } from 'graphql-scalars';
import { parseDomainName } from '../kernel/domain-name.ts';
import { invalidInput, parseDecimal } from '../kernel/faults.ts';
import { currencyCode } from '../kernel/money.ts';
import { resultOr } from '../lib/json.ts';
import { quoted } from '../lib/text.ts';
import { builder, type GraphTypes } from './builder.ts';

interface TextScalar<Name extends keyof GraphTypes['Scalars']> {
  readonly name: Name;
  readonly description: string;
  /** A valid text, for the sentence that refuses another. */
  readonly example: string;
  /** The scalar of `graphql-scalars` that this one refines; its `extensions` help typed clients. */
  readonly refines?: GraphQLScalarType;
  readonly parse: (text: string) => GraphTypes['Scalars'][Name]['Input'];
  /** Default: `String`. */
  readonly print?: (value: GraphTypes['Scalars'][Name]['Output']) => string;
  readonly specifiedByURL?: string;
  /** The text of a number as JSON and documents write it. @throws Fault. Without this a number is refused. */
  readonly textOfNumber?: (written: string) => string;
}

/** A scalar that is a string in JSON and in documents; a value of another type is not converted to one. */
function textScalar<Name extends keyof GraphTypes['Scalars']>(scalar: TextScalar<Name>): void {
  const { example, refines, parse, print = String, textOfNumber, ...definition } = scalar;
  const parseValue = (value: unknown) => {
    if (typeof value === 'string') return parse(value);
    if (typeof value === 'number' && textOfNumber) return parse(textOfNumber(String(value)));
    // Without the type's name, which is hidden from most clients.
    throw invalidInput(`The value must be a string such as "${example}"${instead(value)}.`);
  };
  builder.addScalarType(
    scalar.name,
    new GraphQLScalarType({
      ...(refines && { extensions: refines.extensions }),
      specifiedByURL: null,
      ...definition,
      serialize: (value) => print(value as GraphTypes['Scalars'][Name]['Output']),
      parseValue,
      parseLiteral(node: ValueNode) {
        const isNumber = node.kind === Kind.INT || node.kind === Kind.FLOAT;
        if (isNumber && textOfNumber) return parse(textOfNumber(node.value));
        return parseValue(node.kind === Kind.ENUM ? undefined : valueFromASTUntyped(node));
      },
    }),
  );
}

const instead = (value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean' ? `, not ${value}` : '';

textScalar({
  name: 'DomainName',
  description:
    'A domain or host name. Input may be Unicode or ASCII in any case, with surrounding blanks and a trailing dot. Output is lower-case ASCII (A-labels), such as `xn--bcher-kva.example`.',
  example: 'example.com',
  parse: parseDomainName,
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc5890',
});

textScalar({
  name: 'Decimal',
  description:
    'An exact decimal number. Output is a string with at least four fractional digits: `"11.2900"`. Input is a string of an optional sign, 1 to 18 digits, and optionally a point with 1 to 12 digits, without an exponent; or a number of at most 15 digits, such as `12.5`.',
  example: '12.50',
  parse: parseDecimal,
  textOfNumber: exactText,
});

/** A JSON number is a binary fraction in most programs, which identifies a decimal number of so many digits. */
const maxExactDigits = 15;

/** A number without an exponent; unchanged when that has too many digits for a decimal. @throws Fault when it may have lost digits. */
function exactText(written: string): string {
  const value = Number(written);
  const shortest = String(value);
  if ([written, shortest].some((one) => digitsOf(one) > maxExactDigits)) {
    throw invalidInput(
      `Send ${quoted(written)} as a string: a number of more than ${maxExactDigits} digits may lose some of them.`,
    );
  }
  const text = shortest.includes('e-') ? value.toFixed(12) : shortest;
  return /^[-.\d]+$/.test(text) && Number(text) === value ? text : written;
}

/** The number of digits without an exponent and leading zeros. */
const digitsOf = (number: string): number =>
  number.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '').length;

textScalar({
  name: 'CurrencyCode',
  description: 'A currency code of ISO 4217 in upper case, such as `USD`. `TL` is written `TRY`.',
  example: 'USD',
  parse(text) {
    if (!/^[a-z]{2,10}$/i.test(text.trim())) {
      throw invalidInput(`${quoted(text)} is not a currency code such as "USD".`);
    }
    return currencyCode(text);
  },
  specifiedByURL: 'https://en.wikipedia.org/wiki/ISO_4217',
});

textScalar({
  name: 'DateTime',
  description:
    'An instant in UTC, written as ISO 8601 with milliseconds: `2026-01-31T12:00:00.000Z`. Input may have another offset. Input without an offset is UTC. A plain date such as `2026-01-31` is the first instant of that day in UTC.',
  example: '2026-01-31T12:00:00Z',
  refines: GraphQLDateTimeISO,
  parse(text) {
    const instant = resultOr(() => GraphQLDateTimeISO.parseValue(withZone(text.trim())), null);
    // An offset may lead past the years that ISO 8601 writes with four digits.
    if (!instant || instant.getUTCFullYear() > 9_999 || instant.getUTCFullYear() < 0) {
      throw invalidInput(
        `${quoted(text)} is not a date such as "2026-01-31" or a time such as "2026-01-31T12:00:00Z".`,
      );
    }
    return instant;
  },
  print: isoText,
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
});

/** As `toISOString`, which takes twice the CPU time. @throws for a date that is not valid. */
function isoText(date: Date): string {
  const year = date.getUTCFullYear();
  if (!(year >= 1_000 && year <= 9_999)) return GraphQLDateTimeISO.serialize(date);
  const day = `${year}-${digits[date.getUTCMonth() + 1]}-${digits[date.getUTCDate()]}`;
  const minute = `${digits[date.getUTCHours()]}:${digits[date.getUTCMinutes()]}`;
  const milliseconds = String(date.getUTCMilliseconds()).padStart(3, '0');
  return `${day}T${minute}:${digits[date.getUTCSeconds()]}.${milliseconds}Z`;
}

/** The numbers below 60 with two digits. */
const digits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** `2026-01-31`, `2026-01-31T12:00`, `2026-01-31T12:00:00` and the offset `+0300` completed to RFC 3339; any other text as it is. */
const withZone = (text: string): string =>
  text
    .replace(
      /^(\d{4}-\d{2}-\d{2})(?:(T\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?)?$/i,
      (_all, date: string, time = 'T00:00', seconds = ':00') => `${date}${time}${seconds}Z`,
    )
    .replace(/(?<=T.*[+-]\d{2})(?=\d{2}$)/i, ':');

textScalar({
  name: 'URL',
  description: 'An absolute `http` or `https` address without credentials.',
  example: 'https://example.com/group.png',
  refines: GraphQLURL,
  parse(text) {
    const url = resultOr(() => GraphQLURL.parseValue(text), null);
    const isHttp = url instanceof URL && ['http:', 'https:'].includes(url.protocol);
    if (!isHttp || url.username || url.password) {
      // Not quoted: the text may contain a password.
      throw invalidInput('A URL must be an absolute http or https address without credentials.');
    }
    return url.href;
  },
  print: (value) => String(GraphQLURL.serialize(value)),
  specifiedByURL: 'https://url.spec.whatwg.org/',
});
