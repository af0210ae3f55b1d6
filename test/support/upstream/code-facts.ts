import type { FaultCode } from '../../../src/kernel/faults.ts';

/** What a code means where no action has a reading of its own; executed NO: surely not done. */
type CodeFact = readonly [code: string, fault: FaultCode, executed: 'NO' | 'UNKNOWN'];

/** `API_<n>_ERROR`, one row for all the numbers of one meaning. */
const numbered: readonly CodeFact[] = [
  ['1000 1001 1300 1301 1500', 'UPSTREAM_PROTOCOL', 'UNKNOWN'],
  ['2000 2001 2002', 'UPSTREAM_PROTOCOL', 'NO'],
  ['2003 2004 2005', 'INVALID_INPUT', 'NO'],
  ['2100 2101 2102 2103', 'NOT_SUPPORTED', 'NO'],
  ['2104', 'INSUFFICIENT_FUNDS', 'NO'],
  ['2105 2106', 'NOT_ELIGIBLE', 'NO'],
  ['2200', 'UPSTREAM_AUTH', 'NO'],
  ['2201', 'NOT_OWNED', 'NO'],
  ['2202', 'AUTH_CODE_INVALID', 'NO'],
  ['2300', 'TRANSFER_PENDING', 'NO'],
  ['2301', 'NOT_ELIGIBLE', 'NO'],
  ['2302', 'ALREADY_EXISTS', 'NO'],
  ['2303', 'NOT_FOUND', 'NO'],
  ['2304', 'LOCKED', 'NO'],
  ['2305', 'IN_USE', 'NO'],
  ['2306 2307 2308', 'POLICY', 'NO'],
  ['2400 2500', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['2501', 'UPSTREAM_AUTH', 'NO'],
  ['2502', 'RATE_LIMITED', 'NO'],
  ['101 102 103 598 364 501 502 583', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['200 210 211 597', 'UPSTREAM_PROTOCOL', 'NO'],
  ['300', 'UPSTREAM_AUTH', 'NO'],
  ['301 0', 'IP_NOT_ALLOWED', 'NO'],
  ['310 320 580', 'TLD_UNSUPPORTED', 'NO'],
  ['570', 'IDN_UNSUPPORTED', 'NO'],
  ['321 340', 'PRICE_UNAVAILABLE', 'NO'],
  ['330 571 572 573 574 400 505 594 550 560 561', 'INVALID_INPUT', 'NO'],
  ['350', 'INSUFFICIENT_FUNDS', 'NO'],
  ['360 361', 'RATE_LIMITED', 'NO'],
  ['362', 'PREMIUM_UNAVAILABLE', 'NO'],
  ['363 512 513 514', 'NOT_ELIGIBLE', 'NO'],
  ['410 420 430 450', 'INVALID_CONTACT', 'NO'],
  ['401 402 404 440 451 595 596', 'CONTACT_UNAVAILABLE', 'NO'],
  ['500 504 510 511 581 599', 'NOT_FOUND', 'NO'],
  ['503', 'NOT_AVAILABLE', 'NO'],
  ['507', 'NOT_OWNED', 'NO'],
  ['575 576 584 592 593', 'LOCKED', 'NO'],
  ['530 540', 'PERIOD_OUT_OF_RANGE', 'NO'],
  ['582', 'TRANSFER_PENDING', 'NO'],
  ['590', 'AUTH_CODE_REQUIRED', 'NO'],
  ['591', 'AUTH_CODE_INVALID', 'NO'],
];

const named: readonly CodeFact[] = [
  ['INVALID_CREDENTIALS', 'UPSTREAM_AUTH', 'NO'],
  ['API_RATE_LIMIT_EXCEEDED', 'RATE_LIMITED', 'NO'],
  ['API_429', 'RATE_LIMITED', 'UNKNOWN'],
  ['CURL_28', 'UPSTREAM_TIMEOUT', 'UNKNOWN'],
  ['CURL_7', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['API_500', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['API_-1', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['API_0', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['API_PROCESS_ERROR', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['UNKNOWN_ERROR', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['RESPONSE', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['INVALID_RESPONSE', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['INVALID_DOMAIN_LIST', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['INVALID_TLD_LIST', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['INVALID_CONTACT_INFO', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['INVALID_CONTACT_SAVE', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['INVALID_DOMAIN_DETAILS', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['INVALID_DOMAIN_RENEW', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['INVALID_DOMAIN_REGISTER', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['INVALID_DOMAIN_SYNC', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
  ['INVALID_DOMAIN_TRANSFER_REQUEST', 'UPSTREAM_UNAVAILABLE', 'UNKNOWN'],
];

/** Every code of the table in src, copied by hand from the facts (sections 3 and 4) a second time. */
export const listedCodes: readonly CodeFact[] = [
  ...numbered.flatMap(([codes, fault, executed]) =>
    codes.split(' ').map((code): CodeFact => [`API_${code}_ERROR`, fault, executed]),
  ),
  ...named,
];
