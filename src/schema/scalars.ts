import { GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { parseDomainName } from '../kernel/domain-name.ts';
import { Fault } from '../kernel/faults.ts';
import { parseDateOrInstant } from '../kernel/instant.ts';
import { currencyCode, Decimal } from '../kernel/money.ts';
import { builder, type GraphTypes } from './builder.ts';

interface TextScalar<Name extends keyof GraphTypes['Scalars']> {
  readonly name: Name;
  readonly description: string;
  readonly parse: (text: string) => GraphTypes['Scalars'][Name]['Input'];
  readonly print: (value: GraphTypes['Scalars'][Name]['Output']) => string;
  readonly specifiedByURL?: string;
}

/** A scalar that is text in JSON and in documents, both ways; a number or a boolean is refused, never guessed at. */
function textScalar<Name extends keyof GraphTypes['Scalars']>(scalar: TextScalar<Name>): void {
  const parseValue = (value: unknown) => {
    if (typeof value !== 'string') {
      throw new Fault('INVALID_INPUT', { message: `${scalar.name} must be written as a string.` });
    }
    return scalar.parse(value);
  };
  builder.addScalarType(
    scalar.name,
    new GraphQLScalarType({
      name: scalar.name,
      description: scalar.description,
      specifiedByURL: scalar.specifiedByURL ?? null,
      serialize: (value) => scalar.print(value as GraphTypes['Scalars'][Name]['Output']),
      parseValue,
      parseLiteral: (node: ValueNode) =>
        parseValue(node.kind === Kind.STRING ? node.value : undefined),
    }),
  );
}

const invalid = (message: string) => new Fault('INVALID_INPUT', { message });

textScalar({
  name: 'DomainName',
  description:
    'A domain or host name. Accepts Unicode or ASCII, any case, blanks around it and a trailing dot; gives lower-case ASCII (A-labels), such as `xn--bcher-kva.example`. What can never be a name is refused with one sentence.',
  parse: parseDomainName,
  print: String,
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc5890',
});

textScalar({
  name: 'Decimal',
  description:
    'An exact decimal number as a string, with at least four fractional digits: `"11.2900"`. Never a binary float.',
  parse: Decimal.parse,
  print: String,
});

textScalar({
  name: 'CurrencyCode',
  description:
    'An ISO 4217 code such as `USD`, in upper case. A code of the service that ISO does not know is kept; its `TL` is written `TRY`.',
  parse(text) {
    if (!/^[a-z]{2,10}$/i.test(text.trim())) throw invalid('A currency is a code such as "USD".');
    return currencyCode(text);
  },
  print: String,
  specifiedByURL: 'https://en.wikipedia.org/wiki/ISO_4217',
});

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

textScalar({
  name: 'CountryCode',
  description: 'An ISO 3166-1 alpha-2 country code such as `DE`; any case is accepted.',
  parse(text) {
    const code = text.trim().toUpperCase();
    if (!/^[A-Z]{2}$/.test(code) || countryNames.of(code) === undefined) {
      throw invalid(`"${text.slice(0, 40)}" is not a country code such as "DE" (ISO 3166-1).`);
    }
    return code;
  },
  print: String,
  specifiedByURL: 'https://en.wikipedia.org/wiki/ISO_3166-1_alpha-2',
});

textScalar({
  name: 'DateTime',
  description:
    'An instant in UTC, written as ISO 8601 with milliseconds: `2026-01-31T12:00:00.000Z`. Input may have another offset; without one it is UTC, and a date alone is its midnight.',
  parse: parseDateOrInstant,
  print: (value) => value.toISOString(),
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
});

textScalar({
  name: 'URL',
  description: 'An absolute `http` or `https` address.',
  parse(text) {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
      throw invalid('A URL must be an absolute http or https address without credentials.');
    }
    return url.href;
  },
  print: String,
  specifiedByURL: 'https://url.spec.whatwg.org/',
});
