import { describe, expect, onTestFinished, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { leapingClock } from '../../support/leaping-clock.ts';
import { requestPaths } from '../../support/request-paths.ts';

const price = '{ tld(name: "com") { price(operation: RENEWAL) { price { amount } } } }';

describe.each(requestPaths)('on %s', (_name, way) => {
  test('extensions.stale lists a price list that is served stale, and is absent otherwise', async () => {
    const { clock, pass } = leapingClock();
    const env = { DEVELOPMENT: 'false', TLD_MAX_AGE_SECONDS: '600' };
    const gateway = await startTestGateway({ ...way, clock, env });
    onTestFinished(() => gateway.close());
    const fresh = await gateway.query(price);
    await gateway.admin('POST', '/faults', { fault: 'gateway', action: 'tldlist', times: 100 });
    pass(20 * 3_600);

    const stale = await gateway.query(price);

    expect(fresh.extensions).not.toHaveProperty('stale');
    expect(stale.data).toEqual(fresh.data);
    expect(stale.extensions.stale).toEqual([{ action: 'tldlist', ageSeconds: expect.any(Number) }]);
    expect(stale.extensions.stale[0].ageSeconds).toBeGreaterThanOrEqual(72_000);
  });
});
