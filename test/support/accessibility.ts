import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly unknown[] }[];
  }[];
}

/** A rule of axe that the page breaks, with its elements. */
export interface AxeFault {
  readonly rule: string;
  readonly elements: readonly string[];
}

export async function axeFaults(page: Page): Promise<readonly AxeFault[]> {
  // As an expression: the policy of a page may forbid another script.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const { violations } = (await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )) as AxeResults;
  return violations.map(({ id, nodes }) => ({
    rule: id,
    elements: nodes.map(({ target }) => target.join(' ')),
  }));
}

/** The pixels by which the page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

export interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/** Each width in both colour schemes. */
export const looksOf = (...widths: readonly number[]): readonly Look[] =>
  widths.flatMap((width) => [
    { width, colorScheme: 'light' },
    { width, colorScheme: 'dark' },
  ]);

export async function setLook(page: Page, { width, colorScheme }: Look): Promise<void> {
  await page.setViewportSize({ width, height: 740 });
  await page.emulateMedia({ colorScheme });
}
