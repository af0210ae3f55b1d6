import type { Config } from '../config/config.ts';
import { given } from './tenant.ts';

/** The settings of the process, and what tests replace. */
export interface ModuleSettings extends Pick<Config, 'featureValues' | 'maxAges' | 'purchases'> {
  readonly jobLeaseMs: number | undefined;
  readonly reconcileEveryMs: number;
}

export const settings = given<ModuleSettings>('settings');
