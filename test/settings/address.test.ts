import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddress, parseMotifId } from '../../src/settings/address.ts';
import { isLoopback } from '../../src/wire/http.ts';
import { runs } from '../support/runs.ts';

const good = 'https://good.example/api/v1/apps/bot';

test.each(['localhost:1/api/v1/apps/a', 'localhost', 'gw.example/x', '127.0.0.1:80', 'gateway:8080/x'])(
  '%s lacks http:// or https://',
  (text) => {
    expect(() => parseAddress(text)).toThrow('must start with https:// (http:// on this machine)');
  },
);

describe('what is shown is what is used', () => {
  test('whatever is taken has the origin that the standard parser sees, in printable ASCII', () => {
    const piece = fc.constantFrom(
      'https://',
      'http://',
      '//',
      '@',
      '\\',
      '#',
      '?',
      '/',
      ':',
      '.',
      '%2f',
      '%40',
      '%00',
      ' ',
    );
    const host = fc.constantFrom(
      'good.example',
      'evil.example',
      'ｇood',
      'gооd',
      '127.0.0.1',
      '[::1]',
      '0x7f.1',
      'localhost',
    );
    const rest = fc.constantFrom(
      '/api/v1/apps/',
      'bot',
      '/prompts',
      '/api/v2/',
      '..',
      '%2e%2e',
      '\u200b',
      '\t',
      '\n',
      'ß',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, host, rest, fc.string({ maxLength: 3 })), { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        const parsed = attempt(text);
        if (parsed === undefined) return;
        const seen = new URL(text.trim());
        expect(parsed.origin).toBe(seen.origin);
        expect(parsed.origin).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
        expect(new URL(parsed.baseUrl).origin).toBe(seen.origin);
        expect([seen.username, seen.password, seen.hash]).toEqual(['', '', '']);
        expect(text).not.toContain('\\');
      }),
      runs(20_000),
    );
  });

  test('a Motif ID, once taken, is one segment of the path and never climbs', () => {
    const unit = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point));
    const piece = fc.constantFrom('a', '.', '..', '%2e', '%2F', '%', ';', ':', '@', '．', '／', 'é', '𝕒');
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, unit), { maxLength: 6 }), (pieces) => {
        const id = pieces.join('');
        const taken = attemptId(id);
        if (taken === undefined) return;
        const { pathname } = new URL(`https://good.example/api/v1/apps/${encodeURIComponent(taken)}/prompts`);
        expect(pathname.split('/')).toHaveLength(6);
        expect(pathname.startsWith('/api/v1/apps/')).toBe(true);
        expect(pathname.endsWith('/prompts')).toBe(true);
      }),
      runs(5_000),
    );
  });

  test.each(['', '.', '..', '\ud800', '\0', 'a\nb', 'a\u001bb'])('the Motif ID %j is refused', (id) => {
    expect(attemptId(id)).toBeUndefined();
  });

  const sameOrigin = [
    'https://good.example:443',
    'HTTPS://GOOD.example',
    'https://ｇood.example',
    'https://good。example',
  ];
  test.each(sameOrigin)('%s is the same origin, or refused', (base) => {
    const seen = attempt(`${base}/api/v1/apps/bot`)?.origin;
    expect([parseAddress(good).origin, undefined]).toContain(seen);
  });

  const otherOrigins = [
    'http://good.example',
    'https://good.example:8443',
    'https://good.example.',
    'https://www.good.example',
    'https://good.example.evil.example',
    'https://goodxexample',
    'https://gооd.example',
    'https://good-example',
    'https://good.examplе',
    'https://xn--gd-fmca.example',
  ];
  test.each(otherOrigins)('%s is another origin, or refused', (base) => {
    expect(attempt(`${base}/api/v1/apps/bot`)?.origin).not.toBe(parseAddress(good).origin);
  });
});

describe('loopback', () => {
  test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '[::1]'])('%s is', (host) => {
    expect(isLoopback(new URL(`http://${host}/`).hostname)).toBe(true);
  });

  test.each([
    '10.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '128.0.0.1',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil-localhost',
    'notlocalhost',
    '[::2]',
    '[fe80::1]',
    'gw.example',
  ])('%s is not', (host) => {
    expect(isLoopback(new URL(`http://${host}/`).hostname)).toBe(false);
  });
});

function attempt(text: string): ReturnType<typeof parseAddress> | undefined {
  try {
    return parseAddress(text);
  } catch (error) {
    expect((error as Error).name).toBe('SettingFault');
    return undefined;
  }
}

function attemptId(text: string): string | undefined {
  try {
    return parseMotifId(text);
  } catch (error) {
    expect((error as Error).name).toBe('SettingFault');
    return undefined;
  }
}

test.each(['support-bot', 'support bot', 'bot/prompts'])('%s is told what an address looks like', (text) => {
  expect(() => parseAddress(text)).toThrow('https://HOST/api/v1/apps/MOTIF-ID');
  expect(() => parseAddress(text)).not.toThrow('is no address');
});
