/** A live figure of the start page. Its query runs with `DOCUMENT_MODE=enforce` too. The browser reads it from the graph with the credential of the visitor. */
export interface Figure {
  /** The function of `linesOf` in `live-figures.js` that shows it. */
  readonly id: string;
  readonly title: string;
  /** Without variables and type names, which a feature can change. */
  readonly query: string;
  /** Between two reads of a visible page. */
  readonly everyMs: number;
  /** The scopes of the query, in words. */
  readonly needs: string;
  /** Adds the function of a figure of a feature. */
  readonly script?: URL;
}

const first: readonly Figure[] = [
  {
    id: 'balance',
    title: 'Balance',
    query: 'query HomeBalance { reseller { name active balances { money { amount currency } } } }',
    everyMs: 60_000,
    needs: 'the scope account:read',
  },
  {
    id: 'purchases',
    title: 'Open purchases',
    query: `query HomePurchases {
  pending: purchases(first: 0, filter: { states: [SENDING, PENDING] }) { totalCount }
  transfers: purchases(first: 0, filter: { states: [IN_PROGRESS] }) { totalCount }
  unknown: purchases(first: 0, filter: { states: [UNKNOWN] }) { totalCount }
  open: purchases(first: 5, filter: { states: [SENDING, PENDING, IN_PROGRESS, UNKNOWN] }) {
    nodes { domainName state createdAt nextStep }
  }
}`,
    everyMs: 15_000,
    needs: 'the scope domains:spend or ops',
  },
  {
    id: 'upstream',
    title: 'Upstream',
    query:
      'query HomeUpstream { gateway { environment upstream { api state failingActions resumesAt respondedAt inFlight waiting } } }',
    everyMs: 15_000,
    needs: 'the scope ops',
  },
];

const last: readonly Figure[] = [
  {
    id: 'access',
    title: 'Access',
    query: 'query HomeAccess { gateway { version tenant caller purchasesStopped { since } } }',
    everyMs: 60_000,
    needs: 'a scope',
  },
];

/** All figures of the page in their order. */
export const figuresWith = (ofFeatures: readonly Figure[]): readonly Figure[] => [
  ...first,
  ...ofFeatures,
  ...last,
];
