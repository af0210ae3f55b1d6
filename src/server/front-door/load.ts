import { faults } from '../../kernel/faults.ts';
import type { Arrival, Check } from './arrival.ts';

/** Requests whose answers are not yet over, open streams among them. */
const mostAtATime = 4_096;

/** Refuses what would only wait, before anything of it is read; whether the gateway is well may always be asked. */
export const createLoadCheck =
  (underWay: () => number): Check =>
  ({ path }: Arrival) =>
    underWay() <= mostAtATime || path?.startsWith('/health/')
      ? null
      : {
          status: 503,
          code: 'RATE_LIMITED',
          message: faults.OVERLOADED.message,
          headers: { 'retry-after': '1' },
        };
