/** A server that is measured, in a process of its own. */
export interface ServerRow {
  readonly id: string;
  readonly title: string;
  /** Started with `DOMAIN_API_URL` of the mock; prints its address once it listens. */
  readonly file: string;
  readonly args?: readonly string[];
  /** Flags of Node, as `npm start` sets them. */
  readonly nodeArgs?: readonly string[];
  readonly speaks: 'graphql' | 'paths';
  readonly env: Readonly<Record<string, string>>;
}

/** What every other server is compared with. */
export const yardstick = 'proxy';

/** As in the script `start` of package.json. */
export const gatewayNodeArgs = ['--no-allocation-site-pretenuring'] as const;

/** Starts a program from its bundle, as `npm start` does. */
export const gatewayFile = 'src/cli/run.mjs';

const gateway = {
  file: gatewayFile,
  args: ['--build', 'src/main'],
  nodeArgs: gatewayNodeArgs,
  speaks: 'graphql',
  env: {
    ...{ AUTH: 'open', DEVELOPMENT: 'false', PORT: '0', LOG_LEVEL: 'warn' },
    ...{ DOMAIN_API_USERNAME: 'bench', DOMAIN_API_PASSWORD: 'bench-password' },
  },
} as const;

const cacheTldsOnly = { DOMAIN_MAX_AGE_SECONDS: '0', AVAILABILITY_MAX_AGE_SECONDS: '0' };

export const servers: readonly ServerRow[] = [
  { ...gateway, id: 'ours', title: 'ours, default settings' },
  {
    ...gateway,
    id: 'ours-uncached',
    title: 'ours, nothing cached but TLDs',
    env: { ...gateway.env, ...cacheTldsOnly },
  },
  {
    id: 'textbook',
    title: 'textbook GraphQL server',
    file: 'bench/servers/textbook.ts',
    speaks: 'graphql',
    env: {},
  },
  {
    id: 'textbook-jit',
    title: 'textbook server with graphql-jit',
    file: 'bench/servers/textbook-jit.ts',
    speaks: 'graphql',
    env: {},
  },
  {
    id: 'mercurius',
    title: 'Mercurius with JIT',
    file: 'bench/servers/mercurius.ts',
    speaks: 'graphql',
    env: {},
  },
  {
    id: yardstick,
    title: 'plain proxy without a graph',
    file: 'bench/servers/proxy.ts',
    speaks: 'paths',
    env: {},
  },
];
