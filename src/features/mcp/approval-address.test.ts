import { expect, test } from 'vitest';
import { createRequest } from '../../../test/support/server/request.ts';
import { approvalAddress } from './approval-address.ts';

test.each([
  ['graph.example', '/mcp', 'https://graph.example/approvals/QXBw'],
  ['graph.example:8443', '/api/v1/mcp', 'https://graph.example:8443/api/v1/approvals/QXBw'],
  ['127.0.0.1:4000', '/mcp/?a=/mcp', 'http://127.0.0.1:4000/approvals/QXBw'],
  ['localhost:4000', '/mcp', 'http://localhost:4000/approvals/QXBw'],
  // Of a program in the same process, which serves no pages.
  ['localhost', '/mcp', '/approvals/QXBw'],
])('a request to %s%s leads to the page %s', (host, target, address) => {
  const request = createRequest({ method: 'POST', target, headers: { host } });

  expect(approvalAddress(request, 'QXBw')).toBe(address);
});
