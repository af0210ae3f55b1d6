/** A domain name with its TLD highlighted. */
export function DomainLabel({ name }: { readonly name: string }) {
  const dot = name.indexOf('.');
  return (
    <span className="domain">
      {name.slice(0, dot)}
      <span className="domain-tld">{name.slice(dot)}</span>
    </span>
  );
}
