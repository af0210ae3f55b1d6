import { errors } from 'jose';

/** A token that says nothing here; the message is one sentence, which holds nothing of the token. */
export class BadToken extends Error {
  override readonly name = 'BadToken';
}

const ofClaim: Readonly<Record<string, string>> = {
  aud: 'This token is meant for another audience.',
  nbf: 'This token is not valid yet.',
  exp: 'This token does not say when it expires ("exp").',
  sub: 'This token does not say whom it is about ("sub").',
};

const unsigned = 'The signature of this token does not hold.';

const ofCode: Readonly<Record<string, string>> = {
  [errors.JWTExpired.code]: 'This token has expired.',
  [errors.JOSEAlgNotAllowed.code]:
    'This token is signed in a way that is not allowed to its issuer.',
  [errors.JWKSNoMatchingKey.code]: unsigned,
  [errors.JWKSMultipleMatchingKeys.code]: unsigned,
  [errors.JWSSignatureVerificationFailed.code]: unsigned,
};

/** What is wrong with a token, by what the library says; anything else as it is. */
export function badTokenOf(error: unknown): unknown {
  if (!(error instanceof errors.JOSEError)) return error;
  const byClaim =
    error instanceof errors.JWTClaimValidationFailed ? ofClaim[error.claim] : undefined;
  return new BadToken(byClaim ?? ofCode[error.code] ?? 'This token cannot be read.');
}
