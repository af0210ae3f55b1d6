import { afterAll, describe, expect, test } from 'vitest';
import { replyText } from '../support/upstream/fixtures.ts';
import { startRawSandbox } from './raw.ts';
import { shapeOf } from './shape.ts';

const { act, close } = await startRawSandbox();
afterAll(close);

const specified = shapeOf(JSON.parse(replyText('quirks/transferdomain.error-2303')));
const domain = 'unlocked-demo.com';
const glue = { domain, nameServer: `ns1.${domain}` };

test('the failure of the specification is reproduced exactly', async () => {
  const { status, body } = await act('transferdomain', {
    domain: 'outside-a.com',
    authCode: 'wrong',
    period: 1,
  });

  expect(status).toBe(400);
  expect(body).toEqual({
    result: 'ERROR',
    error: {
      Code: 'API_2303_ERROR',
      Message: 'Failed',
      Details: expect.stringMatching(/no additional details/i),
    },
  });
});

describe('a failure of any action is 400 with the specified body', () => {
  test.each([
    ['an unknown action', 'renewdomain', { domain }, 400],
    ['no action', '', { domain }, 400],
    ['a member of every object', 'constructor', { domain }, 400],
    ['a wrong password', 'getdetails', { domain, password: 'x' }, 300],
    ['an unknown user', 'getdetails', { domain, username: 'unknown' }, 300],
    ['no password', 'getdetails', { domain, password: undefined }, 400],
    ['no domain', 'getdetails', {}, 400],
    ['too large a count', 'tldlist', { count: 1001 }, 400],
    ['a name that is none', 'getdetails', { domain: 'a..com' }, 2005],
    ['an unowned domain', 'getdetails', { domain: 'not-owned-by-any.com' }, 510],
    ['a domain of another account', 'syncfromregistry', { domain: 'others-demo.com' }, 510],
    ['no name server', 'modifynameserver', { domain, nameservers: {} }, 400],
    [
      'one where two are needed',
      'modifynameserver',
      { domain: 'xn--bcher-demo-9db.de', nameservers: { ns1: 'a.b.net' } },
      560,
    ],
    [
      'an address that is not public',
      'addchildnameserver',
      { ...glue, ipAddress: '127.11.0.4' },
      2004,
    ],
    ['an address that is none', 'addchildnameserver', { ...glue, ipAddress: '1.2.3' }, 2005],
    ['a locked state', 'disabletheftlock', { domain: 'redemption-demo.com' }, 2304],
    ['a transfer of an own domain', 'transferdomain', { domain, authCode: 'x', period: 1 }, 2002],
    ['a transfer without a code', 'transferdomain', { domain: 'outside-a.com', period: 1 }, 590],
  ])('%s', async (_what, action, fields, code) => {
    const { status, body } = await act(action, fields);

    expect(status).toBe(400);
    expect(body.error.Code).toBe(`API_${code}_ERROR`);
    expect(shapeOf(body)).toEqual(specified);
  });

  test('captured details have their trailing blanks', async () => {
    const { body } = await act('addchildnameserver', { ...glue, ipAddress: '127.11.0.4' });

    expect(body.error.Details).toBe(
      'Parameter value range error; (127.11.0.4) is not a valid, public ip  ',
    );
  });
});
