import type { Entropy } from '../lib/clock.ts';

export interface NewKey {
  /** The ten digits after `rg_`. */
  readonly prefix: string;
  /** The whole key: `rg_<prefix>_<secret>`. */
  readonly text: string;
}

const prefixBytes = 5;
/** 256 bits. */
const secretBytes = 32;

/** Makes a new random key. */
export function makeKey(entropy: Entropy): NewKey {
  const prefix = Buffer.from(entropy.bytes(prefixBytes)).toString('hex');
  const secret = Buffer.from(entropy.bytes(secretBytes)).toString('base64url');
  return { prefix, text: `rg_${prefix}_${secret}` };
}

const made = /^rg_([0-9a-f]{10})_[\w-]{43}$/;

/** The prefix of a made key; null for any other text. */
export const prefixOf = (text: string): string | null => made.exec(text)?.[1] ?? null;
