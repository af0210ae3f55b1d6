import { describe, expect, test } from 'vitest';
import { StartError } from '../lib/errors.ts';
import { fill } from '../scope/parts.ts';
import { perTenant, tenantHook } from '../scope/tenant.ts';
import type { Feature, ProcessContext } from '../seam/feature.ts';
import { checkFeatures, openFeatures, selectFeatures } from './features.ts';

const events: Feature = { name: 'event', uses: [], tables: [{ name: 'events', steps: [] }] };
const webhooks: Feature = { name: 'webhook', uses: ['event'], nodes: ['Webhook'] };
const feeds: Feature = { name: 'calendar', uses: [], rootFields: { Query: ['calendarFeeds'] } };
const bulk: Feature = { name: 'bulk-change', uses: [] };
const all = [events, webhooks, feeds, bulk];

describe('FEATURES', () => {
  test.each([
    ['all', 'event webhook calendar bulk-change'],
    [' all ', 'event webhook calendar bulk-change'],
    ['none', ''],
    ['calendar', 'calendar'],
    ['webhook, event', 'event webhook'],
    ['-calendar', 'event webhook bulk-change'],
    ['bulk-change', 'bulk-change'],
    ['-webhook,-event,', 'calendar bulk-change'],
    ['-bulk-change', 'event webhook calendar'],
  ])('%j selects these: %s', (text, names) => {
    expect(selectFeatures(all, text).map(({ name }) => name)).toEqual(names.match(/[\w-]+/g) ?? []);
  });

  test.each([
    [
      'calender',
      'FEATURES has unknown names: calender. There are event, webhook, calendar, bulk-change.',
    ],
    ['-a,-b', 'FEATURES has unknown names: a, b. There are event, webhook, calendar, bulk-change.'],
    [
      'calendar,-event',
      'FEATURES must be a list of names, or a list of names with a minus to leave out; it is both.',
    ],
    [
      'all,calendar',
      'FEATURES has unknown names: all. There are event, webhook, calendar, bulk-change.',
    ],
    ['-event', 'FEATURES has webhook, which needs event. Set FEATURES=-event,-webhook instead.'],
    [
      'webhook,calendar',
      'FEATURES has webhook, which needs event. Set FEATURES=event,webhook,calendar instead.',
    ],
  ])('%j is refused at the start', (text, sentence) => {
    expect(() => selectFeatures(all, text)).toThrow(new StartError(sentence));
  });
});

describe('the list of features', () => {
  test('has each name once, and a feature after those that it uses', () => {
    expect(() => checkFeatures(all)).not.toThrow();
  });

  test.each<[readonly Feature[], string]>([
    [[webhooks, events], 'The feature webhook uses event, which is not before it in the list.'],
    [[{ ...events, uses: ['event'] }], 'The feature event uses event, which is not before it'],
    [[events, events], 'The features event and event have one name: event.'],
    [
      [events, { ...feeds, tables: events.tables ?? [] }],
      'The features event and calendar have one table: events.',
    ],
    [
      [feeds, { ...events, rootFields: { Query: ['calendarFeeds'] } }],
      'The features calendar and event have one root field: Query.calendarFeeds.',
    ],
    [
      [events, webhooks, { ...feeds, nodes: ['Webhook'] }],
      'The features webhook and calendar have one type: Webhook.',
    ],
  ])('%#: is refused with the names', (list, sentence) => {
    expect(() => checkFeatures(list)).toThrow(sentence);
  });
});

describe('opening features', () => {
  const context = {} as ProcessContext;
  const opening = (name: string, log: string[]): Feature => ({
    name,
    uses: [],
    parts: async () => ({
      open: () => ({
        fills: [fill(tenantHook(`hook of ${name}`), () => name)],
        background: [perTenant(`loop of ${name}`, () => name)],
        close: async () => void log.push(`${name} closed`),
      }),
    }),
  });

  test('has the parts of all in the order of the list, and closes them in the reverse order', async () => {
    const log: string[] = [];
    const opened = new AsyncDisposableStack();
    const { fills, background } = await openFeatures(
      [opening('one', log), { name: 'rows', uses: [] }, opening('two', log)],
      context,
      opened,
    );
    await opened.disposeAsync();

    expect(fills.map(({ hook }) => hook.name)).toEqual(['hook of one', 'hook of two']);
    expect(background.map(({ name }) => name)).toEqual(['loop of one', 'loop of two']);
    expect(log).toEqual(['two closed', 'one closed']);
  });

  test('closes those that are open when one cannot be opened', async () => {
    const log: string[] = [];
    const opened = new AsyncDisposableStack();
    const broken: Feature = {
      ...opening('two', log),
      parts: async () => {
        throw new StartError('no file');
      },
    };

    await expect(openFeatures([opening('one', log), broken], context, opened)).rejects.toThrow(
      'no file',
    );
    await opened.disposeAsync();
    expect(log).toEqual(['one closed']);
  });
});
