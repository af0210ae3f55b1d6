interface EmptyProps {
  readonly title: string;
  readonly href: string;
  readonly link: string;
}

/** A page without content, with a link to another one. */
export const Empty = ({ title, href, link }: EmptyProps) => (
  <section className="empty">
    <h1>{title}</h1>
    <a className="button" href={href}>
      {link}
    </a>
  </section>
);
