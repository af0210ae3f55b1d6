import { connect, send, type Target } from '../engine/target.ts';
import { domainOf } from '../upstream/world.ts';
import type { Workload } from '../workloads.ts';

const pageSize = 50;

/** Few, since a long list is dear to those that read it for every page. */
const clients = 4;

const fields = 'name expiresAt transferLocked nameServers';

const shown = (from: number) =>
  Array.from({ length: pageSize }, (_, at) => domainOf(from + at)).map(
    ({ name, expiresAt, locked, nameServers }) => ({
      ...{ name, expiresAt: expiresAt.toISOString(), transferLocked: locked, nameServers },
    }),
  );

function page(title: string, after: string | null, from: number): Workload {
  return {
    ...{ id: 'page', title, clients, calls: { getdomainlist: 1 } },
    document: `query Page($after: String) { domains(first: ${pageSize}, after: $after) { nodes { ${fields} } } }`,
    exchange: () => ({
      variables: { after },
      path: '/domains?first=50',
      expected: () => ({ domains: { nodes: shown(from) } }),
    }),
  };
}

export const firstPage = async (): Promise<Workload> => page('first page', null, 0);

/** The last page of a portfolio, requested by the cursor of the domain before it. */
export async function lastPage(target: Target, domains: number): Promise<Workload> {
  const pool = connect(target, 1);
  try {
    const cursorOnly: Workload = {
      ...page('cursor', null, 0),
      document: `{ domains(last: ${pageSize + 1}) { pageInfo { startCursor } } }`,
    };
    const text = await send(pool, target, cursorOnly, cursorOnly.exchange(0));
    const cursor: string = JSON.parse(text).data.domains.pageInfo.startCursor;
    return page('deep page', cursor, domains - pageSize);
  } finally {
    await pool.close();
  }
}
