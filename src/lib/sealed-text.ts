import { createCipheriv, createDecipheriv, hash } from 'node:crypto';
import { systemRandomBytes } from './system.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** The first part of every encrypted text. JSON never begins with it. */
const version = 'v1';

/** Encrypts stored texts. */
export interface TextSeal {
  /** The text to store. `about` names its place: in another place it cannot be read. */
  seal(text: string, about: readonly string[]): string;
  /** The text that was stored, also one from a time without a key. @throws SealError */
  open(stored: string, about: readonly string[]): string;
}

/** A stored text that cannot be decrypted. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/** A seal with a key of 32 bytes. Without a key new texts are stored as they are. */
export function createSeal(key: Uint8Array | null): TextSeal {
  const keyId = key && hash('sha256', key).slice(0, 8);
  const contextOf = (about: readonly string[]) => Buffer.from(JSON.stringify(about));
  return {
    seal(text, about) {
      if (!key) return text;
      const nonce = systemRandomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(contextOf(about));
      const bytes = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return `${version}.${keyId}.${Buffer.concat(bytes).toString('base64url')}`;
    },
    open(stored, about) {
      const [first, storedKeyId, text = ''] = stored.split('.', 3);
      if (first !== version) return stored;
      if (!key) throw new SealError('is encrypted, and the gateway has no key');
      if (storedKeyId !== keyId) throw new SealError('is encrypted with another key');
      const bytes = Buffer.from(text, 'base64url');
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        });
        decipher.setAAD(contextOf(about)).setAuthTag(bytes.subarray(-tagBytes));
        const start = decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8');
        return start + decipher.final('utf8');
      } catch {
        throw new SealError('is damaged');
      }
    },
  };
}
