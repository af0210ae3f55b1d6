import { perRequest } from '../../scope/keys.ts';
import { jobReads } from '../job/reads.ts';
import { purchasing } from '../purchase/request-deps.ts';
import { createOrderService } from './service.ts';

// In a file of its own, because the planted bugs of the simulation replace the imported function.

export const orders = perRequest('orders', ({ use }) =>
  createOrderService({ ...use(purchasing), jobReads: use(jobReads) }),
);
