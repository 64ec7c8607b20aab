import { expect, it } from 'vitest';
import { textParts, typedName } from './text-parts.ts';

const shown = (text: string, names: string[] = []) =>
  textParts(text, names).map(({ kind, text: piece }) => (kind === 'text' ? piece : `[${kind} ${piece}]`));

it('makes links of addresses on the web, and of nothing else', () => {
  expect(shown('See https://a.example/b?c=1&d, and (http://x.example).')).toEqual([
    'See ',
    '[link https://a.example/b?c=1&d]',
    ', and (',
    '[link http://x.example]',
    ').',
  ]);
  const harmless = 'javascript:alert(1) data:text/html,x <a href="//x">ftp://x</a>';
  expect(shown(harmless)).toEqual([harmless]);
  expect(shown('https://x.example/"onclick=alert(1)')).toEqual(['[link https://x.example/]', '"onclick=alert(1)']);
});

it('marks who is mentioned, the longer name where one begins with the other', () => {
  expect(shown('@Ann Lee and @Ann, not @Bob', ['Ann', 'Ann Lee'])).toEqual([
    '[mention @Ann Lee]',
    ' and ',
    '[mention @Ann]',
    ', not @Bob',
  ]);
});

it('knows the name that is being typed, which may have a space', () => {
  expect(typedName('Ask @', 5)).toEqual({ from: 4, typed: '' });
  expect(typedName('Ask @Ann Le', 11)).toEqual({ from: 4, typed: 'Ann Le' });
  expect(typedName('ann@example.org', 15)).toBeUndefined();
  expect(typedName('@Ann\nmore', 9)).toBeUndefined();
  expect(typedName('Ask @ann', 3)).toBeUndefined();
});
