import type { Target } from '../engine/target.ts';
import { labelOverTlds, oneNameEach, portfolioSize, type Workload } from '../workloads.ts';
import { firstPage, lastPage } from './pages.ts';

/** One quantity that grows, and the requests at each size. */
export interface Series {
  readonly id: string;
  readonly title: string;
  /** What the sizes count. */
  readonly unit: string;
  readonly sizes: readonly number[];
  /** Domains of the portfolio at one size. */
  domainsAt(size: number): number;
  workloadAt(size: number, target: Target): Promise<Workload>;
}

const portfolios = [1_000, 10_000, 100_000];

export const allSeries: readonly Series[] = [
  {
    ...{ id: 'first', title: 'First page', unit: 'domains', sizes: portfolios },
    domainsAt: (size) => size,
    workloadAt: firstPage,
  },
  {
    ...{ id: 'deep', title: 'Last page', unit: 'domains', sizes: portfolios },
    domainsAt: (size) => size,
    workloadAt: (size, target) => lastPage(target, size),
  },
  {
    ...{ id: 'names', title: 'Names of one check', unit: 'names', sizes: [1, 3, 10, 30, 100] },
    domainsAt: () => portfolioSize,
    workloadAt: async (size) => labelOverTlds(size),
  },
  {
    ...{ id: 'users', title: 'People at a time', unit: 'users', sizes: [1, 10, 100, 1_000] },
    domainsAt: () => portfolioSize,
    workloadAt: async (size) => oneNameEach(size),
  },
];
