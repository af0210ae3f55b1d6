import { stored } from '../../scope/tenant.ts';
import { createEventStore } from './store.ts';
import { createDomainWriteStore } from './write-store.ts';

export const eventStore = stored('eventStore', createEventStore);
export const domainWriteStore = stored('domainWriteStore', createDomainWriteStore);
