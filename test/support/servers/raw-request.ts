import fc from 'fast-check';

/** A request before it is bytes, so that a fault can be put into one place of it. */
interface RawRequest {
  readonly line: string;
  readonly headers: readonly string[];
  readonly body: string;
  /** The pieces in which the body goes out, or none where its length is told. */
  readonly chunks: readonly string[] | null;
}

export function toBytes({ line, headers, body, chunks }: RawRequest): string {
  const framing = chunks === null ? `Content-Length: ${body.length}` : 'Transfer-Encoding: chunked';
  return `${line}\r\n${[...headers, framing].join('\r\n')}\r\n\r\n${chunks?.join('') ?? body}`;
}

const anyCase = (name: string) =>
  fc.constantFrom(name, name.toLowerCase(), name.toUpperCase(), name.replace(/e/g, 'E'));
const blanks = fc.constantFrom('', ' ', '\t', ' \t  ');
const field = (name: string, value: string) =>
  fc.tuple(anyCase(name), blanks, blanks).map(([said, before, after]) => `${said}:${before}${value}${after}`);
/** Fields that mean nothing here, each as RFC 9110 allows it. */
const others = fc.constantFrom(
  'Via: 1.1 a (a comment (in one)), 1.0 b',
  'X-Empty:',
  'X-Latin: caf\xe9 \xff',
  'Warning: 199 - "quoted \\" ; , : POST / HTTP/1.1"',
  'TE: trailers, deflate;q=0.5',
  'Accept: */*;q=0.1,text/html',
  'Cookie: a=b; c="d"',
  "!#$%&'*+-.^_`|~9: odd",
  'Trailer: X-Sum',
  'Expect: 100-continue',
);
const extension = fc.constantFrom('', ';a', ';a=b', ';a="b;c"');
const endOfChunks = fc.constantFrom('0\r\n\r\n', '000\r\n\r\n', '0;a=b\r\n\r\n', '0\r\nX-Sum: 1\r\n\r\n');
const sizes = fc.array(fc.tuple(fc.integer({ min: 1, max: 70 }), fc.constantFrom('', '0', '000'), extension), {
  minLength: 1,
  maxLength: 5,
});

/** The body in chunks of these sizes in turn, spelt in one of the ways that RFC 9112 has for each. */
const inChunks = (body: string) =>
  fc.tuple(sizes, fc.boolean(), endOfChunks).map(([ways, isUpper, end]) => {
    const chunks: string[] = [];
    for (let at = 0, turn = 0; at < body.length; turn += 1) {
      const [size, zeros, extra] = ways[turn % ways.length]!;
      const part = body.slice(at, (at += size));
      const digits = part.length.toString(16);
      chunks.push(`${zeros}${isUpper ? digits.toUpperCase() : digits}${extra}\r\n${part}\r\n`);
    }
    return [...chunks, end];
  });

/** A good prompt, in any of the ways in which HTTP/1.1 lets a client say it. */
export function goodRequest(token: string, more: Readonly<Record<string, string>>, body: string) {
  const fields = Object.entries({ Host: 'gw', Authorization: `Bearer ${token}`, ...more });
  const type = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
  );
  const all = fc
    .tuple(
      ...fields.map(([name, value]) => field(name, value)),
      type.chain((value) => field('Content-Type', value)),
    )
    .chain((needed) => fc.tuple(fc.constant(needed), fc.uniqueArray(others, { maxLength: 4 })))
    .chain(([needed, extra]) =>
      fc.shuffledSubarray([...needed, ...extra], { minLength: needed.length + extra.length }),
    );
  return fc.record({
    line: fc.constant('POST /api/v1/apps/bot/prompts HTTP/1.1'),
    headers: all,
    body: fc.constant(body),
    chunks: fc.option(inChunks(body)),
  });
}

const withLine =
  (line: string) =>
  (request: RawRequest): string =>
    toBytes({ ...request, line });
const withField =
  (...fields: readonly string[]) =>
  (request: RawRequest): string =>
    toBytes({ ...request, headers: [...fields, ...request.headers] });
const withLength = (value: (length: number) => string) => (request: RawRequest) =>
  toBytes({ ...request, chunks: null }).replace(
    `Content-Length: ${request.body.length}`,
    `Content-Length:${value(request.body.length)}`,
  );
const withCoding = (value: string) => (request: RawRequest) =>
  toBytes({ ...request, chunks: chunksOf(request.body) }).replace('Transfer-Encoding: chunked', value);
const withChunks = (say: (body: string, size: string) => string) => (request: RawRequest) =>
  toBytes({ ...request, chunks: [say(request.body, request.body.length.toString(16))] });
const chunksOf = (body: string) => [`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`];
const path = '/api/v1/apps/bot/prompts';

/**
 * Faults that RFC 9112 forbids, or that two readers may take in two ways. Where such a request ends is anybody's guess,
 * so that nothing behind it may be answered, nor itself be asked.
 */
export const faults: Readonly<Record<string, (request: RawRequest) => string>> = {
  'a line feed alone behind the request line': (request) => toBytes(request).replace('\r\n', '\n'),
  'a line feed alone behind a field': withField('X-A: b\nX-C: d'),
  'a line feed alone before the body': (request) => toBytes(request).replace('\r\n\r\n', '\r\n\n'),
  'line feeds alone': (request) => toBytes(request).replaceAll('\r\n', '\n'),
  'a carriage return in a field': withField('X-A: b\rX-C: d'),
  'a carriage return behind a carriage return': withField('X-A: b\r'),
  'a null in a field': withField('X-A: b\0c'),
  'a null in a name': withField('X-\0A: b'),
  'an escape in a field': withField('X-A: \x1b[2J'),
  'a blank before the colon': withField('X-A : b'),
  'a blank before the colon of the length': withField('Content-Length : 5'),
  'a tab before the colon of the coding': withField('Transfer-Encoding\t: chunked'),
  'a folded field': withField('X-A: b\r\n c'),
  'a folded length': withLength((length) => `\r\n ${length}`),
  'a folded coding': withCoding('Transfer-Encoding:\r\n\tchunked'),
  'a blank before the first field': withField(' X-A: b'),
  'no colon': withField('X-A'),
  'no name': withField(': b'),
  'a bracket in a name': withField('X(A): b'),
  'a quoted name': withField('"X-A": b'),
  'a letter beyond ASCII in a name': withField('X-\xc3\xa9: b'),
  'two hosts': withField('Host: other'),
  'no host': (request) =>
    toBytes({ ...request, headers: request.headers.filter((one) => !one.toLowerCase().startsWith('host')) }),
  'two lengths': withField('Content-Length: 3'),
  'a length beside chunks': (request) =>
    toBytes({ ...request, headers: ['Content-Length: 3', ...request.headers], chunks: chunksOf(request.body) }),
  'chunks beside a length': (request) =>
    toBytes({ ...request, headers: ['Transfer-Encoding: chunked', ...request.headers], chunks: null }),
  'a length with a plus': withLength((length) => ` +${length}`),
  'a length below zero': withLength((length) => ` -${length}`),
  'a length in hex': withLength((length) => ` 0x${length.toString(16)}`),
  'a length with a point': withLength((length) => ` ${length}.0`),
  'a length with a blank in it': withLength((length) => ` ${length} ${length}`),
  'lengths in a list': withLength((length) => ` ${length}, 3`),
  'a quoted length': withLength((length) => ` "${length}"`),
  'a length beyond 64 bits': withLength((length) => ` ${2n ** 64n + BigInt(length)}`),
  'no number as length': withLength(() => ''),
  'a coding that is none': withCoding('Transfer-Encoding: xchunked'),
  'identity behind chunked': withCoding('Transfer-Encoding: chunked, identity'),
  'identity alone': withCoding('Transfer-Encoding: identity'),
  'chunked twice': withCoding('Transfer-Encoding: chunked, chunked'),
  'chunked in two fields': withCoding('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'),
  'gzip behind chunked in two fields': withCoding('Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip'),
  'a quoted coding': withCoding('Transfer-Encoding: "chunked"'),
  'a coding behind a form feed': withCoding('Transfer-Encoding: \x0cchunked'),
  'a coding with a letter that looks like k': withCoding('Transfer-Encoding: chun\xe2\x84\xaaed'),
  'chunks of HTTP/1.0': (request) =>
    toBytes({ ...request, line: `POST ${path} HTTP/1.0`, chunks: chunksOf(request.body) }),
  'a size with 0x': withChunks((body, size) => `0x${size}\r\n${body}\r\n0\r\n\r\n`),
  'a size with a plus': withChunks((body, size) => `+${size}\r\n${body}\r\n0\r\n\r\n`),
  'a size below zero': withChunks((body, size) => `-${size}\r\n${body}\r\n0\r\n\r\n`),
  'a size behind a blank': withChunks((body, size) => ` ${size}\r\n${body}\r\n0\r\n\r\n`),
  'a size beyond 64 bits': withChunks((body, size) => `1${size.padStart(16, '0')}\r\n${body}\r\n0\r\n\r\n`),
  'no size': withChunks((body) => `\r\n${body}\r\n0\r\n\r\n`),
  'a word as size': withChunks((body, size) => `${size}g\r\n${body}\r\n0\r\n\r\n`),
  'a line feed alone behind a size': withChunks((body, size) => `${size}\n${body}\r\n0\r\n\r\n`),
  'a carriage return alone behind a size': withChunks((body, size) => `${size}\r${body}\r\n0\r\n\r\n`),
  'a line feed in an extension': withChunks((body, size) => `${size};a\n${body}\r\n0\r\n\r\n`),
  'a null in an extension': withChunks((body, size) => `${size};a\0\r\n${body}\r\n0\r\n\r\n`),
  'a line feed alone behind a chunk': withChunks((body, size) => `${size}\r\n${body}\n0\r\n\r\n`),
  'nothing behind a chunk': withChunks((body, size) => `${size}\r\n${body}0\r\n\r\n`),
  'more in a chunk than its size': withChunks((body, size) => `${size}\r\n${body}xx\r\n0\r\n\r\n`),
  'line feeds alone behind the chunks': withChunks((body, size) => `${size}\r\n${body}\r\n0\n\n`),
  'a trailer without a colon': withChunks((body, size) => `${size}\r\n${body}\r\n0\r\nX-Sum\r\n\r\n`),
  'a blank before the colon of a trailer': withChunks((body, size) => `${size}\r\n${body}\r\n0\r\nX-Sum : 1\r\n\r\n`),
  'HTTP/2.0': withLine(`POST ${path} HTTP/2.0`),
  'HTTP/0.9': withLine(`POST ${path} HTTP/0.9`),
  'no version': withLine(`POST ${path}`),
  'http/1.1': withLine(`POST ${path} http/1.1`),
  'a version of three numbers': withLine(`POST ${path} HTTP/1.1.1`),
  'a version without a point': withLine(`POST ${path} HTTP/11`),
  'a blank behind the version': withLine(`POST ${path} HTTP/1.1 `),
  'a tab in the request line': withLine(`POST\t${path}\tHTTP/1.1`),
  'a blank before the method': withLine(` POST ${path} HTTP/1.1`),
  'a null in the path': withLine(`POST ${path}\0 HTTP/1.1`),
  'a blank in the path': withLine(`POST ${path} x HTTP/1.1`),
  'a method in small letters': withLine(`post ${path} HTTP/1.1`),
  'a method that goes on': withLine(`POSTS ${path} HTTP/1.1`),
  'a preface of HTTP/2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a greeting of TLS': () => '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03',
  'a head of PROXY': (request) => `PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n${toBytes(request)}`,
};
