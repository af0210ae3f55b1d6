import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { apiKeysOf, keyOf } from '../../../test/access/keys.ts';
import { pageTimeoutMs, startBrowser } from '../../../test/support/browser.ts';
import { newFolder } from '../../../test/support/folder.ts';
import {
  everyTld,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '../../../test/support/gateway.ts';
import { runPurchases } from '../../../test/support/process.ts';
import { startTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Reason to skip the tests that need the packages of the storefront; null when they are installed. */
export const whyNoPackages: string | null = existsSync(`${root}node_modules/vite`)
  ? null
  : 'run "npm ci" in examples/storefront';

/** Runs a program in the storefront's folder, with PATH as its only environment. */
export function runThere(command: string, args: readonly string[], env = {}) {
  return spawn(command, args, {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The storefront's server in its own process, once it listens. */
export interface Serving {
  readonly page: string;
  stop(): Promise<void>;
}

export async function serveStorefront(env: Readonly<Record<string, string>>): Promise<Serving> {
  const child = runThere(process.execPath, ['start.js'], { STOREFRONT_PORT: '0', ...env });
  const ended = once(child, 'exit');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  void ended.then(() => reject(new Error('The storefront ended before it listened.')));
  child.stdout.on('data', (chunk) => {
    const [, page] = /Storefront\s+(http:\S+)/.exec(String(chunk)) ?? [];
    if (page) resolve(page);
  });
  return {
    page: await promise,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** The built storefront over a real gateway and sandbox, with a browser. */
export interface Storefront {
  /** The address of the storefront, with a slash at its end. */
  readonly url: string;
  readonly gateway: TestGateway;
  /** The folder of the key that signs its tokens. */
  readonly keys: string;
  /** Between the storefront's server and the gateway. */
  readonly network: TcpProxy;
  /** The names that the sandbox was paid for, in order. */
  bought(): Promise<readonly string[]>;
  /** Runs the operator's command, such as `stop reason`. */
  operate(...words: readonly string[]): Promise<void>;
  /** A query with the rights of the staff. */
  query: TestGateway['query'];
  /** A new tab with an empty cart, signed in as the staff unless `account` is another or null. `trouble` receives its errors. */
  open(
    path?: string,
    options?: BrowserContextOptions,
    account?: string | null,
  ): Promise<{ readonly page: Page; readonly trouble: readonly string[] }>;
  /** Closes all tabs: one that stays open renders and polls on. */
  closeTabs(): Promise<void>;
  close(): Promise<void>;
}

/** A module of the server, which has no types. */
export const program = (name: string) => import(new URL(`../${name}`, import.meta.url).href);

/** Hours of a session; the clock of some tests is moved by days. */
const hours = 1_000;

export interface StorefrontOptions extends TestGatewayOptions {
  /** Whether customers pay their orders. */
  readonly takesPayments?: boolean;
}

export async function openStorefront(options: StorefrontOptions = {}): Promise<Storefront> {
  const { env: more, takesPayments = false, ...overrides } = options;
  const folder = await newFolder('storefront');
  const keys = `${folder}/storefront-keys`;
  const sessions = (await program('session.js')).createSessions(keys, hours);
  const JWT_ISSUERS = JSON.stringify(sessions.issuers);
  const env = { DATA_DIR: folder, AUTH: 'keys', PRICES_FILE: 'none', JWT_ISSUERS, ...more };
  const paid = {
    PAYMENT_REQUIRED: 'customers',
    // A scope of a feature that can be deleted.
    API_KEYS: apiKeysOf({ payments: ['payments:confirm', 'ops'] as never }),
  };
  const gateway = await startTestGateway({
    sandboxTlds: everyTld,
    accountToken: null,
    ...{ sandboxDomains: 60, reconcileEveryMs: 200 },
    ...overrides,
    env: { ...env, ...(takesPayments && paid) },
  });
  const token: string = sessions.tokenForServer('staff');
  await (await program('seed.js')).seed(gateway.url, token);
  const network = await startTcpProxy('127.0.0.1', Number(new URL(gateway.url).port));
  const serving = await serveStorefront({
    GATEWAY_URL: `http://${network.host}`,
    ...{ STOREFRONT_KEYS: keys, STOREFRONT_SESSION_HOURS: `${hours}` },
    ...(takesPayments && { PAYMENTS_KEY: keyOf('payments') }),
  });
  const browser: Browser = await startBrowser();
  return {
    url: serving.page,
    gateway,
    keys,
    network,
    async bought() {
      const { purchases } = (await gateway.admin('GET', '/state')) as {
        purchases: readonly { domain: string }[];
      };
      return purchases.map(({ domain }) => domain);
    },
    async operate(...words) {
      const { exitCode, stderr } = await runPurchases(env, ...words);
      if (exitCode !== 0) throw new Error(stderr);
    },
    query: (document, variables, headers) =>
      gateway.query(document, variables, {
        authorization: `Bearer ${token}`,
        ...headers,
      }),
    async open(path = '', options = {}, account = 'staff') {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      context.setDefaultTimeout(pageTimeoutMs);
      const page = await context.newPage();
      const trouble = watchTrouble(page);
      if (account) {
        await context.request.post(`${serving.page}session`, { data: { account } });
      }
      await page.goto(`${serving.page}${path}`);
      return { page, trouble };
    },
    async closeTabs() {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    async close() {
      await browser.close();
      await serving.stop();
      await network.cut();
      await gateway.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Types a label into the search and waits for the end of the search. */
export async function searchFor(page: Page, label: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Name to search for' }).fill(label);
  await page.getByText(new RegExp(`^${label}: \\d+ names`)).waitFor();
}

export const resultOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });

export const lineOf = (page: Page, name: string) =>
  page.getByRole('listitem', { name, exact: true });

/** Searches for the label of each name, puts it into the cart and goes there. */
export async function takeToCart(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await page.getByRole('link', { name: 'Search' }).click();
    await searchFor(page, name.split('.')[0] ?? '');
    await page.getByRole('button', { name: `Add : ${name}`, exact: true }).click();
  }
  await page.getByRole('link', { name: /^Cart/ }).click();
  for (const name of names) await lineOf(page, name).waitFor();
}

/** The idempotency keys of the orders that the page sends from now on. */
export function placements(page: Page): readonly string[] {
  const keys: string[] = [];
  page.on('request', (request) => {
    const { idempotencyKey } = request.postDataJSON()?.variables?.input ?? {};
    if (idempotencyKey) keys.push(idempotencyKey);
  });
  return keys;
}

export const buyButton = (page: Page, domains = 1) =>
  page.getByRole('button', { name: `Register ${domains} domain` });

/** Presses the button once the prices are known, and waits for the page of the order. */
export async function order(page: Page, domains = 1): Promise<void> {
  await buyButton(page, domains).click();
  await page.waitForURL('**/#/orders/*');
}

/** Waits until so many lines of the order are complete. */
export const registered = (page: Page, domains: string) =>
  page.locator('.order-progress').getByText(`${domains} complete`).waitFor();

/** Errors of the page. An aborted request is none: the page ends a search or a finished stream that way. */
function watchTrouble(page: Page): readonly string[] {
  const trouble: string[] = [];
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    if (why !== 'net::ERR_ABORTED') trouble.push(`${why}: ${request.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') trouble.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => trouble.push(`thrown: ${error.message}`));
  return trouble;
}

/** The documents that a page requests from now on, each with its variables. */
export function requestsOf(page: Page): readonly SentRequest[] {
  const requests: SentRequest[] = [];
  page.on('request', (request) => {
    const body = request.postDataJSON();
    if (body?.query) requests.push(body);
  });
  return requests;
}

export interface SentRequest {
  readonly query: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into variables of any shape
  readonly variables: any;
}
