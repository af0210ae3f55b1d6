import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { pageTimeoutMs, startBrowser, whyNoBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { whyNotShort } from '../support/long.ts';

const folder = fileURLToPath(new URL('../../examples/storefront/', import.meta.url));

/** Reason to skip the tests that need the packages of the storefront; null when they are installed. */
export const whyNoPackages: string | null = existsSync(`${folder}node_modules`)
  ? null
  : 'its packages are not installed: npm ci in examples/storefront';

/** Reason to skip the tests of the pages; null when they can run. */
export const whyNoPages: string | null = whyNotShort ?? whyNoPackages ?? whyNoBrowser;

/** Runs a program in the storefront's folder, with PATH as its only environment. */
export function runThere(command: string, args: readonly string[], env = {}) {
  return spawn(command, args, {
    cwd: folder,
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
  readonly gateway: TestGateway;
  /** A new tab with an empty cart. `trouble` receives its errors. */
  open(
    path?: string,
    options?: BrowserContextOptions,
  ): Promise<{ readonly page: Page; readonly trouble: readonly string[] }>;
  /** Closes all tabs: one that stays open renders and polls on. */
  closeTabs(): Promise<void>;
  close(): Promise<void>;
}

export async function openStorefront(): Promise<Storefront> {
  const gateway = await startTestGateway({ sandboxDomains: 60, reconcileEveryMs: 200 });
  const serving = await serveStorefront({ GATEWAY_URL: gateway.url });
  const browser: Browser = await startBrowser();
  return {
    gateway,
    async open(path = '', options = {}) {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(pageTimeoutMs);
      const trouble = watchTrouble(page);
      await page.goto(`${serving.page}${path}`);
      return { page, trouble };
    },
    async closeTabs() {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    async close() {
      await browser.close();
      await serving.stop();
      await gateway.close();
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

/** Searches for the label of the name, puts it into the cart and goes there. */
export async function takeToCart(page: Page, name: string): Promise<void> {
  await searchFor(page, name.split('.')[0] ?? '');
  await page.getByRole('button', { name: `Add : ${name}`, exact: true }).click();
  await page.getByRole('link', { name: /^Cart/ }).click();
  await lineOf(page, name).waitFor();
}

export const buyButton = (page: Page) => page.getByRole('button', { name: 'Register 1 domain' });

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
