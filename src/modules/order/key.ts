import { perRequest } from '../../scope/keys.ts';
import { jobReads } from '../job/reads.ts';
import { purchasing } from '../purchase/request-deps.ts';
import { createOrderService } from './service.ts';

export const orders = perRequest('orders', ({ use }) =>
  createOrderService({ ...use(purchasing), jobReads: use(jobReads) }),
);
