import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { whyNotShort } from './long.ts';

const executablePath = '/usr/bin/chromium';

/** Why no browser runs: only the long form has tests with one. Null when one can. */
export const whyNoBrowser: string | null =
  whyNotShort ?? (existsSync(executablePath) ? null : `install Chromium as ${executablePath}`);

/** How long a test waits for a page or for a part of it. Beside other tests a page that needs 2 seconds took more than 10. */
export const pageTimeoutMs = 60_000;

/** Debian's Chromium, which can reach nothing but this machine: every other name fails to resolve. */
export async function startBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--headless=new',
      '--disable-gpu',
      '--disable-background-networking',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}

/** The problems of a page, in order: failed or refused requests, console errors, thrown errors. */
export function watchTrouble(page: Page): readonly string[] {
  const trouble: string[] = [];
  page.on('requestfailed', (request) =>
    trouble.push(`${request.failure()?.errorText}: ${request.url()}`),
  );
  page.on('response', (response) => {
    if (response.status() >= 400) trouble.push(`${response.status()}: ${response.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') trouble.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => trouble.push(`thrown: ${error.message}`));
  return trouble;
}
