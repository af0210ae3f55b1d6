import type { Randomness } from '../../src/lib/clock.ts';

/** A number of 32 bits that depends on the text alone: FNV-1a, mixed once more so that near names differ. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Chance that is the same for the same text, so that a seed is always the same seed. */
export function chanceFrom(text: string): () => number {
  let state = hash(text);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
const digits = '23456789';
const specials = '!#$%*+-=?@_';

/** 16 characters with at least two each of letters, digits and specials. */
export function authCode(fraction: Randomness['fraction']): string {
  const pick = (from: string) => from[Math.floor(fraction() * from.length)] ?? '';
  const sets = [letters, digits, specials, letters, letters, digits, letters, specials];
  return [...sets, ...sets].map(pick).join('');
}
