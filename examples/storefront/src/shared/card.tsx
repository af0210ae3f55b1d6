import type { ReactNode } from 'react';

interface CardProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A section with a heading. */
export const Card = ({ title, children }: CardProps) => (
  <section className="card" aria-label={title} tabIndex={-1}>
    <h2>{title}</h2>
    {children}
  </section>
);
