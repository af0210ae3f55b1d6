import type { Tone } from '../shared/badge.tsx';
import type { DomainState } from './documents.ts';

/** Every state that a domain can be in, as a person reads it. */
export const states: Readonly<Record<DomainState, { readonly tone: Tone; readonly word: string }>> =
  {
    ACTIVE: { tone: 'good', word: 'Active' },
    EXPIRED: { tone: 'bad', word: 'Expired' },
    PENDING_REGISTRATION: { tone: 'unsure', word: 'Being registered' },
    PENDING_TRANSFER_IN: { tone: 'unsure', word: 'Coming in' },
    PENDING_TRANSFER_OUT: { tone: 'special', word: 'Leaving' },
    REDEMPTION: { tone: 'bad', word: 'In redemption' },
    TRANSFER_FAILED: { tone: 'bad', word: 'Transfer failed' },
    TRANSFERRED_OUT: { tone: 'quiet', word: 'Gone' },
    DELETED: { tone: 'quiet', word: 'Deleted' },
    OTHER: { tone: 'quiet', word: 'Other' },
    UNKNOWN: { tone: 'unsure', word: 'Unknown' },
  };

export const isState = (text: string): text is DomainState => text in states;
