import { createCipheriv, createDecipheriv, hash, hkdfSync } from 'node:crypto';
import type { Caller } from '../../../kernel/caller.ts';
import { invalidInput } from '../../../kernel/faults.ts';
import type { Clock, Randomness } from '../../../lib/clock.ts';
import { resultOr } from '../../../lib/result-or.ts';

const validMs = 10 * 60_000;
const maxLength = 4_096;
const algorithm = 'aes-256-gcm';
const ivBytes = 16;
const tagBytes = 16;

/** The tool that accepts a token. */
type Acceptor = 'buy' | 'apply_change';

interface Content {
  readonly expiresAtMs: number;
  readonly input: object;
}

export type Tokens = ReturnType<typeof createTokens>;

/**
 * Creates and reads the tokens of quotes and previews. A token is the encrypted input of the second step. It is valid for one
 * caller and tool, and for ten minutes. The idempotency key is derived from it, so that its step is executed once.
 */
export function createTokens(
  secret: string,
  clock: Pick<Clock, 'now'>,
  randomness: Pick<Randomness, 'uuid'>,
) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tokens of tools', 32));
  const contextOf = ({ tenant, name }: Caller, acceptor: Acceptor) =>
    Buffer.from(JSON.stringify([tenant, name, acceptor]));

  function decrypt(caller: Caller, acceptor: Acceptor, bytes: Buffer): Content {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(contextOf(caller, acceptor)).setAuthTag(bytes.subarray(-tagBytes));
    const text = decipher.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8');
    return JSON.parse(text + decipher.final('utf8'));
  }

  return {
    /** @throws Fault `INVALID_INPUT` for an input that is too long. */
    make(caller: Caller, acceptor: Acceptor, input: object) {
      const expiresAt = new Date(clock.now().getTime() + validMs);
      const iv = Buffer.from(randomness.uuid().replaceAll('-', ''), 'hex');
      const cipher = createCipheriv(algorithm, key, iv).setAAD(contextOf(caller, acceptor));
      const content: Content = { expiresAtMs: expiresAt.getTime(), input };
      const text = cipher.update(JSON.stringify(content), 'utf8');
      const bytes = Buffer.concat([iv, text, cipher.final(), cipher.getAuthTag()]);
      const token = bytes.toString('base64url');
      if (token.length > maxLength) throw invalidInput(tooLong);
      return { token, tokenExpiresAt: expiresAt.toISOString() };
    },
    /** The input, and its idempotency key. @throws Fault `INVALID_INPUT` for any other token. */
    read<Input extends object>(caller: Caller, acceptor: Acceptor, token: unknown) {
      // The key is that of the bytes, because several texts have the same bytes.
      const bytes = Buffer.from(typeof token === 'string' ? token : '', 'base64url');
      const content = resultOr(() => decrypt(caller, acceptor, bytes), null);
      if (!content) throw invalidInput(notValid);
      if (clock.now().getTime() >= content.expiresAtMs) throw invalidInput(expired);
      return { input: content.input as Input, key: `mcp-${hash('sha256', bytes)}` };
    },
  };
}

const tooLong = 'This input is too long for a token. Shorten it; for many domains use a filter.';
/** Where a client finds what an earlier call with the token did. */
const earlierUse =
  'This call did nothing. If the token was used before, `purchases` shows the purchase, and `domain` the change. Otherwise request a new token.';
const notValid = `This token is not valid for this caller and tool; a restart of the gateway may have invalidated it. ${earlierUse}`;
const expired = `This token has expired. ${earlierUse}`;
