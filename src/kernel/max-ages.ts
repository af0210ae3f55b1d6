/** How long data of the upstream is cached. */
export interface MaxAges {
  readonly tldsMs: number;
  readonly domainsMs: number;
  readonly availabilityMs: number;
}

export const defaultMaxAges: MaxAges = {
  tldsMs: 600_000,
  domainsMs: 10_000,
  availabilityMs: 3_000,
};
