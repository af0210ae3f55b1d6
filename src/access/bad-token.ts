import { errors } from 'jose';

/** A token that identifies no caller. The message is one sentence and contains nothing of the token. */
export class BadToken extends Error {
  override readonly name = 'BadToken';
}

const ofClaim: Readonly<Record<string, string>> = {
  aud: 'This token is for another audience.',
  nbf: 'This token is not valid yet.',
  exp: 'This token has no valid expiry time ("exp").',
  sub: 'This token has no subject ("sub").',
};

const unsigned = 'The signature of this token is not valid.';

const ofCode: Readonly<Record<string, string>> = {
  [errors.JWTExpired.code]: 'This token has expired.',
  [errors.JOSEAlgNotAllowed.code]:
    'This token is signed with an algorithm that is not allowed for its issuer.',
  [errors.JWKSNoMatchingKey.code]: unsigned,
  [errors.JWKSMultipleMatchingKeys.code]: unsigned,
  [errors.JWSSignatureVerificationFailed.code]: unsigned,
};

/** The `BadToken` for an error of jose; any other error unchanged. */
export function badTokenOf(error: unknown): unknown {
  if (!(error instanceof errors.JOSEError)) return error;
  const byClaim =
    error instanceof errors.JWTClaimValidationFailed ? ofClaim[error.claim] : undefined;
  return new BadToken(byClaim ?? ofCode[error.code] ?? 'This token cannot be read.');
}
