/** The types of the scalars in JSON, for gql.tada and as a reference for other generators. */
export interface Scalars {
  /** Such as `USD`. */
  CurrencyCode: string;
  /** ISO 8601 in UTC, such as `2026-11-24T09:00:00.000Z`. */
  DateTime: string;
  /** An exact decimal, such as `11.2900`. A number would round it. */
  Decimal: string;
  /** In ASCII, such as `xn--bcher-kva.example`. An input may have any spelling. */
  DomainName: string;
  ID: string;
  URL: string;
}
