import { createLog } from '../../../src/observability/log.ts';
import type { ModuleSettings } from '../../../src/scope/tenant.ts';
import { configOf } from '../own-config.ts';

/** The default settings without events. */
export const testSettings: ModuleSettings = {
  ...configOf({ EVENTS_INTERVAL_SECONDS: '0' }),
  jobLeaseMs: undefined,
  reconcileEveryMs: 3_600_000,
};

export const silentLog = createLog({ level: 'silent' });
