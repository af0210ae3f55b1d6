import { expect, onTestFinished, test } from 'vitest';
import { whyNotShort } from '../support/long.ts';
import { openDeployment, sendQuery } from './deployment.ts';

const write = `mutation { setPrivacyProtection(
  input: { domain: "private-demo.net", privacyProtected: false }) { errors { message } } }`;
const read =
  '{ events { nodes { id type foundAt subject domainName source before { text } after { text } } } }';

test.skipIf(whyNotShort)(
  'another replica publishes the event of a killed gateway before its lease ends',
  {
    tags: ['E14'],
  },
  async () => {
    const deployment = await openDeployment({
      databaseUrl: null,
      env: { EVENTS_INTERVAL_SECONDS: '1' },
    });
    onTestFinished(() => deployment.close());
    const first = await deployment.start();
    // The first comparison only stores the states.
    await expect
      .poll(() => deployment.countCalls('getdomainlist'), { timeout: 20_000 })
      .toBeGreaterThan(1);
    const second = await deployment.start();
    const eventsOf = async (gateway: typeof first) => (await sendQuery(gateway, read)).events.nodes;
    await sendQuery(first, write);
    await expect.poll(() => eventsOf(first), { timeout: 5_000 }).toHaveLength(1);

    await first.kill();
    const [event] = await eventsOf(second);
    const { foundAt: at, domainName: domain, before, after, ...facts } = event;
    const values = { before: before.text, after: after.text };
    const outbox = JSON.stringify([
      { ...facts, ...values, at, domain, purchaseId: null, caller: null },
    ]);
    // The state before the publication.
    await deployment.statement(`delete from events;
    update watched_subjects set outbox = '${outbox}' where subject = '${domain}'`);

    // The lease of the killed process is valid for 20 seconds at least.
    await expect.poll(() => eventsOf(second), { timeout: 10_000 }).toEqual([event]);
  },
);
