import { expect, test } from 'vitest';
import { routeIn, withoutMount } from './routes.ts';

const served = Object.fromEntries(
  ['/graphql', '/health/live', '/export/domains.csv', '/approvals', '/approvals/*'].map((path) => [
    path,
    true,
  ]),
);

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
  expect(withoutMount(target, (path) => routeIn(served, path) === true)).toBe(own);
});

test.each([
  ['/approvals', true],
  ['/approvals/QXBwcm92YWw-_1', true],
  ['/approvals/a/b', false],
  ['/approvals/a.b', false],
  ['/approvalsx', false],
  ['/x/approvals/a', false],
  ['/graphql/a', false],
  [null, false],
])('the path %s has a route: %s', (path, isServed) => {
  expect(routeIn(served, path) ?? false).toBe(isServed);
});
