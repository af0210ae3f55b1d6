import { deflateSync, gzipSync } from 'node:zlib';
import { type AbuseInput, bad, written } from './input.ts';

const question = JSON.stringify({ query: '{ __typename }' });
const body = (text: string | Buffer) => written({ body: text });
const typed = (type: string, text = question) =>
  written({ headers: { 'content-type': type }, body: text });
const encoded = (encoding: string, bytes: Buffer) =>
  written({ headers: { 'content-encoding': encoding }, body: bytes });
const chunked = (text: string) =>
  written({
    headers: { 'content-length': null, 'transfer-encoding': 'chunked' },
    body: `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
  });
const bomb = gzipSync(Buffer.alloc(20_000_000, ' '));
const long = JSON.stringify({ query: '{ __typename }', variables: { pad: 'p'.repeat(300_000) } });
const variables = (text: string) => body(`{"query":"{ __typename }","variables":${text}}`);
const upload = [
  '--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n',
  '{"query":"mutation ($f: Upload!) { a(f: $f) }","variables":{"f":null}}',
  '\r\n--x\r\ncontent-disposition: form-data; name="map"\r\n\r\n{"0":["variables.f"]}',
  '\r\n--x\r\ncontent-disposition: form-data; name="0"; filename="../x"\r\n\r\nx\r\n--x--\r\n',
].join('');

/** Bodies that are no JSON, too large, or ambiguous between parsers. */
export const bodyInputs: readonly AbuseInput[] = [
  bad('no body', body('')),
  ...['{', 'null', '"x"', '5', 'true', 'NaN', 'undefined', '{}', '[]', "{'query':'{a}'}"].map(
    (text) => bad(`the body ${text}`, body(text)),
  ),
  bad('a batch', body(`[${question}]`)),
  bad('a batch of a thousand', body(`[${Array(1_000).fill(question).join(',')}]`)),
  bad('an object that looks like a batch', body(`{"0":${question},"length":1}`)),
  { name: 'a mark before the body', bytes: body(`\uFEFF${question}`), statuses: [200] },
  bad('two marks before the body', body(`\uFEFF\uFEFF${question}`)),
  bad('a member twice', body('{"query":"{ __typename }","query":"{ a }"}')),
  bad('bytes that are no UTF-8', body(Buffer.from('{"query":"{ a } # \xff"}', 'latin1'))),
  bad('half a letter', body(Buffer.from('{"query":"\xc3"}', 'latin1'))),
  bad('UTF-16', body(Buffer.from(question, 'utf16le'))),
  bad('text after the body', body(`${question} x`)),
  bad('two bodies', body(`${question}${question}`)),
  bad('a comma too many', body('{"query":"{ a }",}')),
  bad('a comment', body(`/* x */ ${question}`)),
  bad('zeros', body(Buffer.alloc(1_000))),
  bad('too long', body(long), 413),
  bad('too long, in chunks', chunked(long), 413),
  bad('announced as endless', written({ headers: { 'content-length': '9007199254740993' } }), 413),
  bad('a gzip bomb', encoded('gzip', bomb), 415),
  bad('gzip', encoded('gzip', gzipSync(question)), 415),
  bad('deflate', encoded('deflate', deflateSync(question)), 415),
  bad('br', encoded('br', Buffer.from(question)), 415),
  bad('an encoding that is unknown', encoded('x-gzip, identity', Buffer.from(question)), 415),
  bad('lists in lists', body('['.repeat(100_000))),
  bad('lists in lists that end', variables(`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)),
  bad('objects in objects', variables(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)),
  bad('a list of more than ten thousand', variables(`{"a":[${Array(10_001).fill(1)}]}`)),
  bad(
    'six thousand keys',
    variables(`{${Array.from({ length: 6_000 }, (_, at) => `"a${at}":1`)}}`),
  ),
  ...['__proto__', 'constructor', 'prototype', 'toString', 'then', 'hasOwnProperty'].map((name) =>
    bad(`the key ${name}`, variables(`{"${name}":{"isAdmin":true}}`)),
  ),
  bad('a prototype in code', body('{"query":"{ __typename }","__pr\\u006fto__":{"a":1}}')),
  bad('a prototype beside the document', body(`{"query":"{ a }","__proto__":${question}}`)),
  {
    name: 'a member that is unknown',
    bytes: body('{"query":"{ __typename }","admin":true}'),
    statuses: [200],
  },
  bad('a document that is a number', body('{"query":5}')),
  bad('a document that is a list', body('{"query":["{ a }"]}')),
  bad('a document that is null', body('{"query":null}')),
  bad('a name that is a number', body('{"query":"{ __typename }","operationName":5}')),
  bad('variables that are a list', variables('[1]')),
  bad('variables that are a text', variables('"a"')),
  bad('extensions that are a list', body('{"query":"{ __typename }","extensions":[]}')),
  ...['text/plain', 'application/x-www-form-urlencoded', 'application/graphql', 'text/xml', ''].map(
    (type) => bad(`the type "${type}"`, typed(type), 415),
  ),
  bad('another charset', typed('application/json; charset=utf-7'), 415),
  bad('two types', typed('application/json, text/plain'), 415),
  bad('a sequence of JSON', typed('application/json-seq'), 415),
  bad(
    'a form with a document',
    typed('application/x-www-form-urlencoded', 'query={__typename}'),
    415,
  ),
  bad('a file', typed('multipart/form-data; boundary=x', upload), 415),
];
