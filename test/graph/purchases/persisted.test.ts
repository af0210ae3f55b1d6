import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { registrationText } from '../../samples/shared.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import {
  type ManifestFile,
  persistedQuery,
  sha256,
  writeManifest,
} from '../../support/manifest.ts';
import { requestPaths } from '../../support/request-paths.ts';

const buy = (name: string) => registrationText(name, 'purchase { state } errors { code }');
const twice = `mutation A { ${buy('hashed-one.com')} } mutation B { ${buy('hashed-two.com')} }`;

describe.each(requestPaths)('on %s', (way, options) => {
  const slug = way.replaceAll(' ', '-');
  const once = `mutation Once { ${buy(`${slug}-once.com`)} }`;
  let manifest: ManifestFile;
  let gateway: TestGateway;
  beforeAll(async () => {
    manifest = writeManifest(JSON.stringify({ once }));
    gateway = await startTestGateway({
      sandboxDomains: 1,
      env: { DOCUMENT_MANIFEST: manifest.path },
      ...options,
    });
  });
  beforeEach(() => gateway.resetCalls());
  afterAll(async () => {
    await gateway?.close();
    manifest?.remove();
  });

  const send = async (body: object) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
    return (await response.json()) as any;
  };

  test('a persisted document with two purchases is refused without an upstream call', async () => {
    const byHash = { ...persistedQuery(sha256(twice)), operationName: 'A' };

    const responses = [
      await send({ query: twice, ...byHash }),
      await send(byHash),
      await send(byHash),
    ];

    for (const { data, errors } of responses) {
      expect(data).toBeUndefined();
      expect(errors).toMatchObject([
        { message: 'A document may hold one purchase; send each in a request of its own.' },
      ]);
    }
    expect(await gateway.countCalls()).toEqual({});
  });

  test('a purchase in a document of the manifest is made once', async () => {
    const result = await send({ documentId: 'once' });

    expect(result.data.registerDomain).toEqual({ purchase: { state: 'SUCCEEDED' }, errors: [] });
    expect(await gateway.countCalls()).toMatchObject({ registerdomain: 1 });
  });

  test('a manifest whose document contains two purchases prevents the start', async () => {
    const file = writeManifest(JSON.stringify({ twice }));

    const start = startTestGateway({ env: { DOCUMENT_MANIFEST: file.path } });

    await expect(start).rejects.toThrow(/"twice" of the manifest.*may hold one purchase/);
    file.remove();
  });
});
