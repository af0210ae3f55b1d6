import type { settingRows } from '../config/setting-rows.ts';
import type { SettingName, Values } from '../config/settings.ts';

/** As `typeOf` of scripts/package.ts prints it: the parsed value where it is a number, a flag or a word of a list. */
type SettingType<Value> = [Value] extends [number | boolean | string] ? Value : string;

type SecretName = {
  [Name in SettingName]: (typeof settingRows)[Name] extends { readonly secret: true }
    ? Name
    : never;
}[SettingName];

/**
 * Settings by the names of the environment variables, such as `{ UPSTREAM: 'live' }`. Text has the format of the environment
 * variable.
 */
export type GatewaySettings = {
  readonly [Name in SettingName]?: SettingType<NonNullable<Values[Name]>> | undefined;
} & { readonly [Name in SecretName as `${Name}_FILE`]?: string | undefined };
