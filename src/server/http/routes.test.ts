import { expect, test } from 'vitest';
import { routeOf, withoutMount } from './routes.ts';

const served = new Set(['/graphql', '/health/live', '/export/domains.csv', '/approvals']);

test.each([
  ['/graphql', '/graphql'],
  ['/api/graphql', '/graphql'],
  ['/api/v1.2/graphql?query={a}', '/graphql?query={a}'],
  ['/api/graphql/', '/graphql/'],
  ['/api/health/live', '/health/live'],
  ['/api/export/domains.csv', '/export/domains.csv'],
  ['/export/domains.csv?a', '/export/domains.csv?a'],
  ['/api/approvals', '/approvals'],
  ['/api/approvals/QXBw?a', '/approvals/QXBw?a'],
  ['/api/approvals/a/b', '/api/approvals/a/b'],
  ['/', '/'],
  ['/api', '/api'],
  ['/api/graphqls', '/api/graphqls'],
  ['/api/graphql/more', '/api/graphql/more'],
  ['/api/export/', '/api/export/'],
  ['/api/export/a/b', '/api/export/a/b'],
  ['/api/../graphql', '/api/../graphql'],
  ['/./graphql', '/./graphql'],
  ['/a%2fb/graphql', '/a%2fb/graphql'],
  ['//graphql', '//graphql'],
  ['http://localhost/graphql', 'http://localhost/graphql'],
  ['/api?next=/graphql', '/api?next=/graphql'],
  ['/api/health/live/', '/health/live/'],
  [`${'/a'.repeat(5_000)}/graphql`, '/graphql'],
  [`/graphql${'/a'.repeat(9)}`, `/graphql${'/a'.repeat(9)}`],
])('the target %s is %s for the gateway', (target, own) => {
  expect(withoutMount(target, (path) => served.has(path))).toBe(own);
});

test.each([
  ['/approvals', '/approvals'],
  ['/approvals/QXBwcm92YWw-_1', '/approvals'],
  ['/approvals/a/b', '/approvals/a/b'],
  ['/approvals/a.b', '/approvals/a.b'],
  ['/approvalsx', '/approvalsx'],
  ['/x/approvals/a', '/x/approvals/a'],
  [null, ''],
])('the route of %s is %s', (path, route) => {
  expect(routeOf(path)).toBe(route);
});
