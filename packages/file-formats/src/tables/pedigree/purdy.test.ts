import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crossText, PurdyError, type PurdyPlant, parsePurdy, sidesOfCross } from './purdy.ts';

/** With every cross in brackets. */
const bracketed = ({ name, parents }: PurdyPlant): string =>
  parents === null ? name : `(${bracketed(parents[0])} x ${bracketed(parents[1])})`;

describe('parsePurdy', () => {
  test.each([
    ['A', 'A'],
    ['A/B', '(A x B)'],
    ['A/B//C', '((A x B) x C)'],
    ['A//B/C', '(A x (B x C))'],
    ['A/B//C/D', '((A x B) x (C x D))'],
    ['A/B//C/3/D', '(((A x B) x C) x D)'],
    ['A/B//C/3/D*2', '((((A x B) x C) x D) x D)'],
    ['A*3/B', '(A x (A x (A x B)))'],
    ['3*A/B', '(A x (A x (A x B)))'],
    ['A/3*B', '(((A x B) x B) x B)'],
    ['(A/B)/(C//D/E)', '((A x B) x (C x (D x E)))'],
    ['[(A/B)/C]/{D/E}', '(((A x B) x C) x (D x E))'],
    ['2*(A/B)/C', '((A x B) x ((A x B) x C))'],
    ['A/(B/C)*2', '((A x (B x C)) x (B x C))'],
    ['B73 x Mo17', '(B73 x Mo17)'],
    ['(B73×Mo17) X Oh43', '((B73 x Mo17) x Oh43)'],
    ['A/B/4/C/D//E/3/F', '((A x B) x (((C x D) x E) x F))'],
    ['CM 12-3-1Y-2M / Sonora 64', '(CM 12-3-1Y-2M x Sonora 64)'],
    ['Boxer/Xavier', '(Boxer x Xavier)'],
  ])('%s is %s', (text, expected) => {
    expect(bracketed(parsePurdy(text))).toBe(expected);
  });

  test('crosses in between have canonical names, and a history after a bracket names a plant of the cross', () => {
    const [female, male] = parsePurdy('(A*2/B)-7-1Y/3/(C/D)/E').parents ?? [];
    expect(female).toEqual({ name: '(A*2/B)-7-1Y', parents: parsePurdy('A*2/B').parents });
    expect(male?.name).toBe('C/D//E');
    expect(parsePurdy('((A)/(B))//C').name).toBe('A/B//C');
  });

  test.each([
    ['', 'a parent is missing'],
    ['A/', 'a parent is missing at its end'],
    ['/A', 'a parent is missing'],
    ['A/B/C', 'same order'],
    ['(A/B', 'not closed'],
    ['A/B)', 'closes none'],
    ['(A/B]', 'closes none'],
    ['A*2/B*2', 'both parents'],
    ['A*2', 'no other parent'],
    ['A*99/B', 'not between 1 and 20'],
    ['IR8*1000/TN1', '1000 doses'],
    ['IR8/123456789*TN1', '123456789 doses'],
    ['(IR8/TN1)*400/C', '400 doses'],
    ['A*2*3/B', 'the "*" in "A*2"'],
    ['A**3/B', 'the "*" in "A*"'],
    ['A*B//C', 'the "*" in "A*B"'],
    ['(A/B) C', 'a "/" is missing'],
    [`${'('.repeat(60)}A/B${')'.repeat(60)}`, 'nested deeper'],
    ['A/'.repeat(3000), 'longer than'],
  ])('%.20s is refused: %s', (text, reason) => {
    expect(() => parsePurdy(text)).toThrow(reason);
  });

  test('the name of any cross is read as that cross again', () => {
    const { plant } = fc.letrec<{ plant: string }>((tie) => ({
      plant: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('A', 'B-1', 'C 2', 'D'),
        fc.tuple(tie('plant'), tie('plant')).map(([female, male]) => `(${female})/(${male})`),
        fc.tuple(tie('plant'), tie('plant')).map(([female, male]) => `(${female})*2/(${male})`),
      ),
    }));
    fc.assert(
      fc.property(plant, (text) => {
        const once = parsePurdy(text);
        expect(bracketed(parsePurdy(once.name))).toBe(bracketed(once));
      }),
      { numRuns: someOf(200) },
    );
  });

  test('any text is a pedigree or a PurdyError', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('A', '/', '(', ')', '*', '2', ' ', 'x', '[', ']', '-') }),
        (text) => {
          try {
            parsePurdy(text);
          } catch (error) {
            expect(error).toBeInstanceOf(PurdyError);
          }
        },
      ),
      { numRuns: someOf(300) },
    );
  });
});

describe('sides of a cross', () => {
  test.each([
    ['B73/Mo17', ['B73', 'Mo17']],
    ['A/B//C', ['A/B', 'C']],
    ['A/B//C/3/D/E', ['A/B//C', 'D/E']],
    ['(A//B)/C', ['(A//B)', 'C']],
    ['B73 x Mo17', ['B73', 'Mo17']],
    ['A*2/B', ['A*2', 'B']],
    ['A/B/C', null],
    ['A/', null],
    ['(A/B', null],
    ['selection from Irene', null],
  ])('of %s are %s', (text, sides) => {
    expect(sidesOfCross(text)).toEqual(sides);
  });

  test('a cross of any two names is split into them again', () => {
    const name = fc.constantFrom('A', 'A/B', 'A/B//C', 'A x B', 'A/B//C/3/D', 'A (1)', 'A*2', '(A/B)-1');
    fc.assert(
      fc.property(name, name, (female, male) => {
        expect(sidesOfCross(crossText(female, male))).toEqual([female, male]);
      }),
    );
  });
});
