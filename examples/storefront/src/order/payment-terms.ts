import { paysByCard } from '../session/session.ts';

/** The member of an order that a customer pays on the page of the order, before its lines are sent. */
export const paymentTerms = paysByCard ? { payment: { expiresAfter: 'PT30M' } } : {};
