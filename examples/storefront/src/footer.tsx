import { useQuery } from 'urql';
import { graphql } from './graph/graphql.ts';

const environmentDocument = graphql(`query Environment { gateway { environment } }`);

/** Whether purchases cost money. */
export function Footer() {
  const [{ data }] = useQuery({ query: environmentDocument });
  return <footer>{data && texts[data.gateway.environment]}</footer>;
}

const texts = {
  SANDBOX: 'A sandbox: nothing here costs money, and no name is really bought.',
  LIVE: 'Purchases cost money.',
} as const;
