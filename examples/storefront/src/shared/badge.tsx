import type { ReactNode } from 'react';

export type Tone = 'good' | 'special' | 'quiet' | 'unsure' | 'bad';

/** A state in a word; the word says what the colour does. */
export const Badge = ({
  tone,
  children,
}: {
  readonly tone: Tone;
  readonly children: ReactNode;
}) => <span className={`badge badge-${tone}`}>{children}</span>;
