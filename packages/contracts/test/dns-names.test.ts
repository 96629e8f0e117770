import { describe, expect, test } from 'vitest';
import { readDomain, readHostName, readRecordName } from '../src/dns-names.ts';

const LABEL = 'a'.repeat(63);
/** 253 characters. */
const LONGEST = [LABEL, LABEL, LABEL, 'a'.repeat(61)].join('.');

const LETTERS = 'Use only letters, digits and hyphens, like www.example.com.';
const UNDERSCORES = 'Use only letters, digits, hyphens and underscores, like www.example.com.';
const EMPTY = 'Enter a name without empty parts, like www.example.com.';
const HYPHEN = "Parts of a name can't start or end with a hyphen.";
const LONG_LABEL = 'Each part of a name can have at most 63 characters.';
const LONG_NAME = 'A full name can have at most 253 characters.';
const NUMBER = 'Enter a host name, not an IP address.';
const PARTS = 'Enter a domain with at least two parts, like example.com.';
const STAR = 'A wildcard must be the whole first part, like * or *.dev.';

describe('a domain', () => {
  test.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.Com', 'example.com'],
    ['example.com.', 'example.com'],
    ['a.b', 'a.b'],
    ['1.example', '1.example'],
    ['123.456.example', '123.456.example'],
    ['a--b.example', 'a--b.example'],
    ['ab--c.example', 'ab--c.example'],
    ['2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa'],
    [`${LABEL}.com`, `${LABEL}.com`],
    [LONGEST, LONGEST],
    [`${LONGEST}.`, LONGEST],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['faß.example', 'xn--fa-hia.example'],
    ['ＥＸＡＭＰＬＥ。com', 'example.com'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['пример.рф.', 'xn--e1afmkfd.xn--p1ai'],
    ['شركة.test', 'xn--ogbpi5d.test'],
    ['☕.example', 'xn--53h.example'],
    ['\u212aelvin.example', 'kelvin.example'],
  ])('%s is %s', (given, text) => {
    expect(readDomain(given)).toEqual({ ok: true, text });
    expect(readDomain(text)).toEqual({ ok: true, text });
  });

  test.each([
    ['', PARTS],
    ['.', EMPTY],
    ['com', PARTS],
    ['localhost', PARTS],
    ['com.', 'Enter the full name, like com.example.com.'],
    ['.example.com', EMPTY],
    ['a..com', EMPTY],
    ['example.com..', EMPTY],
    ['-a.com', HYPHEN],
    ['a-.com', HYPHEN],
    ['a.-com', HYPHEN],
    ['a_b.com', LETTERS],
    ['_a.com', LETTERS],
    ['*.com', LETTERS],
    ['a b.com', LETTERS],
    ['a@b.com', LETTERS],
    ['https://example.com', LETTERS],
    ['example.com/', LETTERS],
    ['example.com:53', LETTERS],
    ['ü.example.com/x', LETTERS],
    ['ü@example.com', LETTERS],
    ['ü%2eexample.com', LETTERS],
    ['ex%61mple.com', LETTERS],
    ['a\\.b.com', LETTERS],
    ["a';drop table dns_zones;.com", LETTERS],
    ['$(id).example.com', LETTERS],
    ['a\u0000.com', LETTERS],
    ['a\u200d.com', LETTERS],
    ['1א.com', LETTERS],
    ['xn--ü.com', LETTERS],
    ['％.example', LETTERS],
    ['192.0.2.1', NUMBER],
    ['example.1', NUMBER],
    ['[::1].com', LETTERS],
    [`${LABEL}a.com`, LONG_LABEL],
    [`${'ü'.repeat(63)}.com`, LONG_LABEL],
    [`a${LONGEST}`, LONG_LABEL],
    [`a.${LONGEST}`, LONG_NAME],
  ])('%j is refused: %s', (given, problem) => {
    expect(readDomain(given)).toEqual({ ok: false, problem });
  });
});

describe("a record's name in example.test", () => {
  test.each([
    ['@', '@'],
    ['', '@'],
    ['www', 'www'],
    ['WWW', 'www'],
    ['a.b.c', 'a.b.c'],
    ['www.example.test', 'www'],
    ['Www.Example.TEST.', 'www'],
    ['example.test', '@'],
    ['example.test.', '@'],
    ['example.test.example.test.', 'example.test'],
    ['www.other.test', 'www.other.test'],
    ['notexample.test', 'notexample.test'],
    ['*', '*'],
    ['*.dev', '*.dev'],
    ['*.example.test', '*'],
    ['_dmarc', '_dmarc'],
    ['_sip._tcp', '_sip._tcp'],
    ['*._tcp', '*._tcp'],
    ['a_b', 'a_b'],
    ['1', '1'],
    ['1.2.3.4', '1.2.3.4'],
    ['bücher', 'xn--bcher-kva'],
    ['*.bücher', '*.xn--bcher-kva'],
    ['ü.5', 'xn--tda.5'],
    ['_a.ü', '_a.xn--tda'],
    ['ü.example.test', 'xn--tda'],
    [LABEL, LABEL],
    [[LABEL, LABEL, LABEL, 'a'.repeat(48)].join('.'), [LABEL, LABEL, LABEL, 'a'.repeat(48)].join('.')],
  ])('%s is %s', (given, text) => {
    expect(readRecordName(given, 'example.test')).toEqual({ ok: true, text });
  });

  test.each([
    ['www.other.test.', "www.other.test. isn't part of example.test. Enter @, www or www.example.test."],
    ['www.', "www. isn't part of example.test. Enter @, www or www.example.test."],
    ['notexample.test.', "notexample.test. isn't part of example.test. Enter @, www or www.example.test."],
    ['test.', "test. isn't part of example.test. Enter @, www or www.example.test."],
    ['.', ". isn't part of example.test. Enter @, www or www.example.test."],
    ['a..b', EMPTY],
    ['.a', EMPTY],
    ['-a', HYPHEN],
    ['a-', HYPHEN],
    ['a b', UNDERSCORES],
    ['a/b', UNDERSCORES],
    ['@.a', UNDERSCORES],
    ['a\\046b', UNDERSCORES],
    ['"a"', UNDERSCORES],
    ['a\nb', UNDERSCORES],
    ['ü@x', UNDERSCORES],
    ['ü/x', UNDERSCORES],
    ['1א', UNDERSCORES],
    ['a*', STAR],
    ['**', STAR],
    ['a.*', STAR],
    ['*.*', STAR],
    ['a.*.b', STAR],
    ['*a.b', STAR],
    ['ü*', STAR],
    [`${LABEL}a`, LONG_LABEL],
    [[LABEL, LABEL, LABEL, 'a'.repeat(49)].join('.'), LONG_NAME],
    [`*.${[LABEL, LABEL, LABEL, 'a'.repeat(47)].join('.')}`, LONG_NAME],
  ])('%j is refused: %s', (given, problem) => {
    expect(readRecordName(given, 'example.test')).toEqual({ ok: false, problem });
  });
});

test('a host has underscores only where it may', () => {
  expect(readHostName('_dmarc.example.com').ok).toBe(false);
  expect(readHostName('_dmarc.example.com', { underscores: true })).toEqual({
    ok: true,
    text: '_dmarc.example.com',
  });
});
