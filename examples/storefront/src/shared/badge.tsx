import type { ReactNode } from 'react';

export type Tone = 'good' | 'special' | 'quiet' | 'unsure' | 'bad';

/** A state as a word and a colour with the same meaning. */
export const Badge = ({
  tone,
  children,
}: {
  readonly tone: Tone;
  readonly children: ReactNode;
}) => <span className={`badge badge-${tone}`}>{children}</span>;
