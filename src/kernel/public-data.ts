/**
 * The `extensions` of a root field that returns the same to all callers of a tenant. `cacheTag` names the cached data of these
 * arguments; null for arguments with which the field is always null.
 */
export const publicRead = (cacheTag: (args: never) => string | null) => ({ cacheTag });

/** The `extensions` of a type whose objects are read by `publicRead`, and whose fields without a cost are the same for all callers. */
export const publicType = { isPublicType: true };

/** The `extensions` of a field of such a type that is not the same for all callers. */
export const confidential = { isConfidential: true };

interface Marked {
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** The function of `publicRead`. */
export const cacheTagOf = ({ extensions }: Marked) =>
  extensions.cacheTag as ((args: object) => string | null) | undefined;

export const isPublicType = ({ extensions }: Marked): boolean => extensions.isPublicType === true;

export const isConfidential = ({ extensions }: Marked): boolean =>
  extensions.isConfidential === true;
