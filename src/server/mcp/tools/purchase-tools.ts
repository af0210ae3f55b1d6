import { invalidInput } from '../../../kernel/faults.ts';
import { inputObjectSchema, type JsonSchema, objectSchema } from './json-schema.ts';
import type { Price, PurchaseTokens, QuotedPurchase } from './purchase-token.ts';
import type { Tool } from './tool.ts';
import { type DocumentOptions, prepareDocument, type ToolOutcome } from './tool-document.ts';
import {
  commonProperties,
  failedResult,
  type ToolError,
  type ToolResult,
  toolResult,
} from './tool-result.ts';

/** The payload of a purchase, as far as the documents below select it. */
interface ToolPayload {
  readonly errors: readonly ToolError[];
  readonly quote?: { readonly highest: Price | null } | null;
  readonly purchase?: { readonly state: string; readonly id: string } | null;
}

const kinds = [
  {
    kind: 'REGISTRATION',
    member: 'registration',
    field: 'registerDomain',
    type: 'RegisterDomainInput',
  },
  { kind: 'TRANSFER', member: 'transfer', field: 'transferDomain', type: 'TransferDomainInput' },
] as const;

/** The token decides these. */
const ofToken: ReadonlySet<string> = new Set(['dryRun', 'maxPrice', 'idempotencyKey']);

const documentsOf = (options: DocumentOptions, name: string, fields: string) =>
  kinds.map((one) => ({
    ...one,
    document: prepareDocument(
      options,
      `mutation ${name}($input: ${one.type}!) {
        ${one.field}(input: $input) { ${fields} errors { code message path executed retryable upstreamCode upstreamMessage } }
      }`,
    ),
  }));

type Documents = ReturnType<typeof documentsOf>;

const quoteFields =
  'quote { certainty period lowest { amount currency } highest { amount currency } renewalPrice { amount currency } reason }';
const purchaseFields =
  'replayed purchase { id key kind domainName period state price { amount currency } createdAt submittedAt settledAt nextStep }';

/**
 * The tools that buy. `buy` needs the token of a quote for the same input, and sends the purchase with the highest price of
 * that quote. The gateway's own promises of purchases hold, because both run the mutations of the graph.
 */
export function createPurchaseTools(
  options: DocumentOptions,
  tokens: PurchaseTokens,
): readonly Tool[] {
  const quotes = documentsOf(options, 'QuotePurchase', quoteFields);
  const purchases = documentsOf(options, 'BuyQuoted', purchaseFields);
  const inputs = inputsOf(options, quotes);
  return [
    {
      name: 'quote_purchase',
      title: 'Quote a purchase',
      description:
        'Makes all checks of a purchase and returns its price with a token. The token is valid for this caller and this input, for ten minutes. Buys nothing. Show the price to the user, and call `buy` only when the user agrees. Costs three upstream calls, and one more for a name that is taken.',
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
      inputSchema: objectSchema(inputs, []),
      outputSchema: outputSchemaOf(quotes, {
        token: { type: 'string' },
        tokenExpiresAt: { type: 'string' },
      }),
      needed: quotes.flatMap(({ document }) => document.needed),
      async run(request, args) {
        const { quoted, one } = readPurchase(args, quotes);
        const input = { ...quoted.input, dryRun: true };
        const { payload, failure } = payloadOf(
          await one.document.run(request, { input }),
          one.field,
        );
        if (!payload) return failure;
        const highest = payload.quote?.highest;
        if (payload.errors.length > 0 || !highest) return refused(payload);
        const { token, expiresAt } = tokens.make(request.caller, quoted, highest);
        return toolResult({ ...payload, token, tokenExpiresAt: expiresAt.toISOString() }, [
          `The highest price is ${highest.amount} ${highest.currency}. Nothing was bought. To buy, repeat this input with the token in \`buy\`.`,
        ]);
      },
    },
    {
      name: 'buy',
      title: 'Buy a quoted domain',
      description:
        'Buys what `quote_purchase` quoted. It spends money and cannot be undone. Repeat the input of `quote_purchase` without a change and add its token. A token buys once: the same call again returns the same purchase. When the state is SENDING, PENDING or UNKNOWN, buy nothing again and read `purchase`.',
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: true,
      },
      inputSchema: objectSchema(
        [...inputs, ['token', { type: 'string', description: 'The token of `quote_purchase`.' }]],
        ['token'],
      ),
      outputSchema: outputSchemaOf(purchases, {}),
      needed: purchases.flatMap(({ document }) => document.needed),
      async run(request, { token, ...args }) {
        const { quoted, one } = readPurchase(args, purchases);
        const { maxPrice, key } = tokens.verify(request.caller, quoted, token);
        const input = { ...quoted.input, dryRun: false, maxPrice, idempotencyKey: key };
        const { payload, failure } = payloadOf(
          await one.document.run(request, { input }),
          one.field,
        );
        if (!payload) return failure;
        const { purchase } = payload;
        if (!purchase) return refused(payload);
        return toolResult({ ...payload }, [outcomeOf(purchase)], purchase.state === 'FAILED');
      },
    },
  ];
}

type SchemaMembers = readonly (readonly [name: string, schema: JsonSchema])[];

const inputsOf = ({ schema }: DocumentOptions, documents: Documents): SchemaMembers =>
  documents.flatMap(({ member, document: { operation } }) => {
    const [definition] = operation.variableDefinitions ?? [];
    return definition ? [[member, inputObjectSchema(schema, definition.type, ofToken)]] : [];
  });

const outputSchemaOf = (
  [first]: Documents,
  more: Readonly<Record<string, JsonSchema>>,
): JsonSchema => {
  // Both payloads have the same fields.
  const payload = first?.document.dataSchema.properties[first.field] as { properties: object };
  return { type: 'object', properties: { ...payload.properties, ...commonProperties, ...more } };
};

/** The purchase in the arguments. @throws Fault `INVALID_INPUT` */
function readPurchase(args: Readonly<Record<string, unknown>>, documents: Documents) {
  const given = documents.filter(({ member }) => args[member] !== undefined);
  const [one] = given;
  const input = one && args[one.member];
  if (!one || given.length > 1 || typeof input !== 'object' || input === null) {
    throw invalidInput('Give one object: "registration" or "transfer".');
  }
  const unknown = Object.keys(input).find((name) => ofToken.has(name));
  if (unknown !== undefined) {
    throw invalidInput(`"${unknown}" is not an argument of this tool; the token decides it.`);
  }
  return { one, quoted: { kind: one.kind, input } satisfies QuotedPurchase };
}

function payloadOf({ data, errors }: ToolOutcome, field: string) {
  const payload = data?.[field] as ToolPayload | null | undefined;
  if (payload) return { payload };
  const isUnknown = errors.some(({ executed }) => executed !== 'NO');
  return { failure: failedResult(errors, isUnknown ? [mayBeBought] : []) };
}

const mayBeBought =
  'The outcome is not known. Do not buy anything again for this domain before `purchases` shows the outcome.';

/** Nothing was bought. */
function refused(payload: ToolPayload): ToolResult {
  const [first] = payload.errors;
  const reason = first ? `${first.code}: ${first.message}` : 'The price is unknown.';
  return toolResult({ ...payload }, [`Nothing was bought. ${reason}`], true);
}

function outcomeOf({ state, id }: NonNullable<ToolPayload['purchase']>): string {
  switch (state) {
    case 'SUCCEEDED':
      return 'The domain was bought.';
    case 'IN_PROGRESS':
      return 'The registrar accepted the transfer. It takes several days. Do not buy it again.';
    case 'FAILED':
      return 'The purchase failed, and the account does not have the domain.';
    case 'SENDING':
      return `The purchase is being sent. Do not buy anything again for this domain. Call \`purchase\` with "id": "${id}" in a few seconds to find the outcome.`;
    default:
      return `The outcome is not known. Do not buy anything again for this domain. Call \`purchase\` with "id": "${id}" to find the outcome.`;
  }
}
