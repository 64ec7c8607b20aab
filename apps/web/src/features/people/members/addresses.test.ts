import { expect, it } from 'vitest';
import { parseAddresses } from './addresses.ts';

it.each([
  ['', []],
  [' ada@example.org ', ['ada@example.org']],
  [
    'ada@example.org\r\nben@example.org\r\n\r\ncy@example.org\r\n',
    ['ada@example.org', 'ben@example.org', 'cy@example.org'],
  ],
  [
    'ada@example.org, ben@example.org;cy@example.org\tdi@example.org',
    ['ada@', 'ben@', 'cy@', 'di@'].map((at) => `${at}example.org`),
  ],
  [
    'Ada Lindqvist <ada@example.org>, "Ruiz, Ben" <ben@example.org>; cy@example.org',
    ['ada@', 'ben@', 'cy@'].map((at) => `${at}example.org`),
  ],
  ['ada@example.org Ben Ruiz <ben@example.org>', ['ben@example.org']],
])('reads %j', (text, valid) => {
  expect(parseAddresses(text).valid).toEqual(valid);
});

it('names each address once, whatever its case, and keeps the first spelling and the order', () => {
  const text = 'Zoe@example.org ada@example.org zoe@EXAMPLE.org Ada@example.org';
  expect(parseAddresses(text)).toEqual({ valid: ['Zoe@example.org', 'ada@example.org'], invalid: [] });
});

it('returns what is no address as it was typed', () => {
  const text = 'ada@example.org ben@example -x@example.org @example.org\nName\nada@example..org Name';
  expect(parseAddresses(text)).toEqual({
    valid: ['ada@example.org'],
    invalid: ['ben@example', '-x@example.org', '@example.org', 'Name', 'ada@example..org'],
  });
});

it('does not change its mind about its own answer', () => {
  const { valid } = parseAddresses('Ada <ada@example.org>; ben@example.org');
  for (const divider of ['\n', ' ', ', ', ';', '\t']) expect(parseAddresses(valid.join(divider)).valid).toEqual(valid);
});
