import { test } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { registration } from '../../scripts/upstream-calls.ts';
test('m', async () => {
  const g = await startTestGateway({ env: { UPSTREAM_TIMEOUT_MS: '10000' } });
  const out: string[] = [];
  await Promise.all(['slow','hang','html','empty','gateway','busy','drip','cut','wrongtypes','maps','reset','lost-answer','late'].map(async (f) => {
    const t = Date.now();
    const a = await g.query(`{ availability(name: "${f}-maple.com") { state errorCode retryable reason } }`);
    const t2 = Date.now();
    const b = await g.query(`mutation { ${registration(`${f}-maple.com`, 'operation { state nextStep } errors { code executed message }')} }`);
    const t3 = Date.now();
    out.push([f, `${t2-t}ms`, JSON.stringify(a.data?.availability ?? a.errors), 'calls', a.extensions?.upstream?.calls, '\n     ', `${t3-t2}ms`, JSON.stringify(b.data?.registerDomain ?? b.errors), JSON.stringify(b.extensions?.upstream?.byAction)].join(' '));
  }));
  console.log(out.join('\n'));
  console.log(g.lines);
  await g.close();
}, 120000);
