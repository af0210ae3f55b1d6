import { type Config, type ReadOptions, readConfig as readWith } from '../config/config.ts';
import { type Environment, fileNameOf } from '../config/read-values.ts';
import { settingsWith } from '../config/settings.ts';
import { features } from '../features/index.ts';
import { StartError } from '../lib/errors.ts';
import type { Feature } from '../seam/feature.ts';
import { selectFeatures } from './features.ts';

const settingsOf = (some: readonly Feature[]) => some.flatMap(({ settings }) => settings ?? []);

/** All settings of this build. */
export const settings = settingsWith(settingsOf(features));

/** Reads and checks the settings of the gateway and of the features that `FEATURES` selects. @throws ConfigError */
export const readConfig = (
  env?: Environment,
  options: Omit<ReadOptions, 'featuresOf'> = {},
): Config => readWith(env, { ...options, featuresOf: (found) => selectSettings(features, found) });

/** A setting of a feature that is left out is an error: it may be the one that protects something. */
export function selectSettings(all: readonly Feature[], env: Environment) {
  try {
    const selected = selectFeatures(all, env.FEATURES?.trim() || 'all');
    const leftOut = all.filter((feature) => !selected.includes(feature));
    const errors = leftOut.flatMap(({ name: feature, settings: own }) =>
      Object.keys(own?.rows ?? {})
        .filter((name) => env[name]?.trim() || env[fileNameOf(name)]?.trim())
        .map(
          (name) =>
            `${name} is a setting of the feature ${feature}, which FEATURES leaves out: remove the setting, or add the feature.`,
        ),
    );
    return { features: settingsOf(selected), errors };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { features: settingsOf(all), errors: [error.message] };
  }
}
