import { serverAudits } from 'graphql-http';
import { afterAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { requestPaths } from '../support/request-paths.ts';

/** These audits expect 400, where the first release of the specification has 422. */
const olderThanRelease = new Map([
  ['423L', 'notice'],
  ['86EE', 'warn'],
]);

describe.each(requestPaths)('on %s', (_name, way) => {
  describe('GraphQL over HTTP, by the audits of graphql-http', async () => {
    const app = await startApp(way);
    afterAll(() => app.close());
    const audits = serverAudits({ url: `${app.url}/graphql` });

    test('the suite has 61 audits', () => expect(audits).toHaveLength(61));

    for (const { id, name, fn } of audits) {
      test(`${id} ${name}`, async () => {
        expect(await fn()).toMatchObject({
          status: olderThanRelease.get(id) ?? 'ok',
        });
      });
    }
  });
});
