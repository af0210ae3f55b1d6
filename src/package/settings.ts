/**
 * Settings by the names of the environment variables, such as `{ UPSTREAM: 'live' }`. Text has the format of the environment
 * variable. scripts/package.ts prints the type that users of the package have, with each name and its type.
 */
export type GatewaySettings = Readonly<Record<string, string | number | boolean | undefined>>;
