/** A server that is measured, in a process of its own. */
export interface ServerRow {
  readonly id: string;
  readonly title: string;
  /** Started with `DOMAIN_API_URL` of the mock; prints its address once it listens. */
  readonly file: string;
  readonly speaks: 'graphql' | 'paths';
  readonly env: Readonly<Record<string, string>>;
}

/** What every other server is compared with. */
export const yardstick = 'textbook';

const gateway = {
  file: 'src/main.ts',
  speaks: 'graphql',
  env: {
    ...{ AUTH: 'open', DEVELOPMENT: 'false', PORT: '0', LOG_LEVEL: 'warn' },
    ...{ DOMAIN_API_USERNAME: 'bench', DOMAIN_API_PASSWORD: 'bench-password' },
  },
} as const;

const keepNothing = {
  ...{ TLD_MAX_AGE_SECONDS: '0', DOMAIN_MAX_AGE_SECONDS: '0', AVAILABILITY_MAX_AGE_SECONDS: '0' },
};

export const servers: readonly ServerRow[] = [
  { ...gateway, id: 'ours', title: 'ours, default settings' },
  {
    ...gateway,
    id: 'ours-nothing-kept',
    title: 'ours, nothing kept between requests',
    env: { ...gateway.env, ...keepNothing },
  },
  {
    id: yardstick,
    title: 'textbook GraphQL server',
    file: 'bench/servers/textbook.ts',
    speaks: 'graphql',
    env: {},
  },
  {
    id: 'proxy',
    title: 'plain proxy without a graph',
    file: 'bench/servers/proxy.ts',
    speaks: 'paths',
    env: {},
  },
];
