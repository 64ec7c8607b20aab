import { describe, expect, test } from 'vitest';
import { codes, linesSource, problemOf } from '../text/table-text.test-data.ts';
import { checkCrossesAgainstSamples } from './check-crosses.ts';
import { type Cross, parentsOfCross } from './crossing-table.ts';
import { type CrossingTableReading, readCrossingTable } from './read-crossing-table.ts';

function crossesOf(reading: CrossingTableReading): Cross[] {
  if (reading.crosses === null) throw new Error(JSON.stringify(reading.report.problems, null, 1));
  return reading.crosses;
}

const cross = (female: string, male: string, line: number): Cross => ({
  name: `${female}_X_${male}`,
  female,
  male,
  progenyCount: null,
  type: 'biparental',
  line,
});

describe('readCrossingTable', () => {
  test('reads names, numbers and types', async () => {
    const reading = await readCrossingTable(
      linesSource('cross,female,male,nProgeny,cross_type', 'C1,A,B,100,', 'C2,A,C,,DH', 'C3,D,,5,self'),
    );
    expect(crossesOf(reading)).toEqual([
      { name: 'C1', female: 'A', male: 'B', progenyCount: 100, type: 'biparental', line: 2 },
      { name: 'C2', female: 'A', male: 'C', progenyCount: null, type: 'DH', line: 3 },
      { name: 'C3', female: 'D', male: 'D', progenyCount: 5, type: 'self', line: 4 },
    ]);
    expect(reading.report.problems).toEqual([]);
  });

  test('a column "progeny" of numbers is their number where another names the crosses, and the name where none does', async () => {
    const counted = await readCrossingTable(linesSource('cross,female,male,progeny', 'C1,A,B,100', 'C2,A,C,'));
    expect(crossesOf(counted)).toMatchObject([
      { name: 'C1', progenyCount: 100 },
      { name: 'C2', progenyCount: null },
    ]);
    expect(counted.report.problems).toEqual([]);
    const named = await readCrossingTable(linesSource('progeny,female,male', '100,A,B'));
    expect(crossesOf(named)).toMatchObject([{ name: '100', progenyCount: null }]);
    const both = await readCrossingTable(linesSource('cross,female,male,progeny', 'C1,A,B,line 7'));
    expect(crossesOf(both)).toMatchObject([{ name: 'C1', progenyCount: null }]);
    expect(codes(both.report)).toEqual([['W-COL-IGNORED', 1]]);
  });

  test.each([
    ['F1', 'F1'],
    ['f6', 'F6'],
    ['ril', 'RIL'],
    ['doubled haploid', 'DH'],
    ['F2-DH', 'F2_DH'],
    ['BC1 female', 'BC1_female'],
    ['bc1_male', 'BC1_male'],
    ['BC1_female_DH', 'BC1_female_DH'],
    ['Single cross', 'biparental'],
  ])('understands the type %s', async (written, type) => {
    const reading = await readCrossingTable(linesSource('female,male,type', `A,B,${written}`));
    expect(crossesOf(reading).map((found) => found.type)).toEqual([type]);
  });

  test('a pair may stand once with each type, and doubled haploids may come from a single plant', async () => {
    const reading = await readCrossingTable(
      linesSource(
        'cross,female,male,type',
        'C1,A,B,F2',
        'C2,A,B,DH',
        'C3,A,B,F2',
        'C4,D,,DH',
        'C5,A,B,BC1_male',
        'C6,B,A,BC1_male',
      ),
    );
    expect(codes(reading.report)).toEqual([['W-CT-DUP-PAIR', 4]]);
    expect(crossesOf(reading).map(({ name, male, type }) => [name, male, type])).toEqual([
      ['C1', 'B', 'F2'],
      ['C2', 'B', 'DH'],
      ['C4', 'D', 'DH'],
      ['C5', 'B', 'BC1_male'],
      ['C6', 'A', 'BC1_male'],
    ]);
  });

  test.each([
    'ind1,ind2',
    'Parent 1\tParent 2',
    'p1;p2',
    'female_parent,male_parent',
    'Mother,Father',
    'dam,sire',
    'maternal,paternal',
    'seed parent,pollen parent',
    'femaleDbId,maleDbId',
  ])('understands the header %s', async (header) => {
    const separator = /[,;\t]/.exec(header)?.[0] ?? ',';
    const reading = await readCrossingTable(linesSource(header, `A${separator}B`));
    expect(crossesOf(reading)).toEqual([cross('A', 'B', 2)]);
    expect(reading.report.problems).toEqual([]);
  });

  test('prefers names to ids and takes the id where the name is missing', async () => {
    const reading = await readCrossingTable(
      linesSource('femaleDbId,femaleName,maleDbId,maleName', 'f1,A,m1,B', 'f2,,m2,C'),
    );
    expect(crossesOf(reading).map(({ female, male }) => [female, male])).toEqual([
      ['A', 'B'],
      ['f2', 'C'],
    ]);
  });

  test.each([
    ['two columns', ['a;b', 'A;B'], ['A', 'B', 'A_X_B', null]],
    ['name and parents', ['a,b,c', 'C1,A,B'], ['A', 'B', 'C1', null]],
    ['parents and number', ['a,b,c', 'A,B,20'], ['A', 'B', 'A_X_B', 20]],
  ])('takes %s by position when the headers are unknown, and asks', async (_, lines, expected) => {
    const reading = await readCrossingTable(linesSource(...lines));
    expect(crossesOf(reading).map((c) => [c.female, c.male, c.name, c.progenyCount])).toEqual([expected]);
    expect(codes(reading.report)).toEqual([['W-CT-COLUMNS', 1]]);
  });

  test('a third and a fourth parent make three- and four-way crosses', async () => {
    const reading = await readCrossingTable(
      linesSource(
        'parent1,parent2,parent3,parent4,type',
        'A,B,C,,DH',
        'A,B,C,D,',
        'B,A,C,D,BC2_male',
        'A,B,C,D,',
        'A,B,,,F3_DH',
      ),
    );
    expect(crossesOf(reading)).toMatchObject([
      { name: 'A_X_B_X_C', female: 'A', male: 'B', parent3: 'C', type: 'DH' },
      { name: 'A_X_B_X_C_X_D', parent3: 'C', parent4: 'D', type: 'biparental' },
      { name: 'B_X_A_X_C_X_D', female: 'B', male: 'A', type: 'BC2_male' },
      { name: 'A_X_B', type: 'F3_DH' },
    ]);
    expect(crossesOf(reading).map(parentsOfCross)).toEqual([
      ['A', 'B', 'C'],
      ['A', 'B', 'C', 'D'],
      ['B', 'A', 'C', 'D'],
      ['A', 'B'],
    ]);
    expect(codes(reading.report)).toEqual([['W-CT-DUP-PAIR', 5]]);
    const bad = await readCrossingTable(linesSource('female,male,parent3,parent4,type', 'A,B,,D,', 'A,A,C,,self'));
    expect(codes(bad.report)).toEqual([
      ['E-CT-PARENT-MISSING', 2],
      ['E-CT-TYPE', 3],
      ['W-CT-SELF', 3],
    ]);
  });

  test('a file without header is read by position when the user says so', async () => {
    const reading = await readCrossingTable(linesSource('A,B', 'A,C'), { firstRowIsData: true });
    expect(crossesOf(reading)).toEqual([cross('A', 'B', 1), cross('A', 'C', 2)]);
  });

  test.each([
    ['only one parent', ['female,note', 'A,x'], 'E-CT-COLUMNS', 1],
    ['four unknown columns', ['a,b,c,d', '1,2,3,4'], 'E-CT-COLUMNS', 1],
    ['a header only', ['female,male'], 'E-CT-EMPTY', 1],
    ['a blank parent', ['female,male', 'A,', 'A,B'], 'E-CT-PARENT-MISSING', 2],
    ['one name for two crosses', ['name,female,male', 'C,A,B', 'C,A,D'], 'E-CT-DUP-NAME', 3],
    ['a number that is none', ['female,male,n', 'A,B,many'], 'E-CT-BAD-N', 2],
    ['no progeny', ['female,male,n', 'A,B,0'], 'E-CT-BAD-N', 2],
    ['half a plant', ['female,male,n', 'A,B,2.5'], 'E-CT-BAD-N', 2],
    ['an unknown type', ['female,male,type', 'A,B,triple'], 'E-CT-TYPE', 2],
    ['a backcross to an unnamed parent', ['female,male,type', 'A,B,BC1'], 'E-CT-TYPE', 2],
    ['a selfing of two plants', ['female,male,type', 'A,B,self'], 'E-CT-TYPE', 2],
    ['a name of 256 characters', ['female,male', `${'x'.repeat(256)},B`], 'E-NAME-INVALID', 2],
    ['a repeated column', ['female,male,Male', 'A,B,C'], 'E-COL-DUP', 1],
    ['a ragged row', ['female,male,n', 'A,B', 'A,C,3'], 'E-ROW-WIDTH', 2],
  ])('%s', async (_, lines, code, line) => {
    const reading = await readCrossingTable(linesSource(...lines));
    expect(reading.crosses).toBeNull();
    expect(codes(reading.report)).toEqual([[code, line]]);
  });

  test('repeated pairs are kept once; reciprocals and selfings are asked for', async () => {
    const reading = await readCrossingTable(
      linesSource('female,male,type', 'A,B,', 'A,B,', 'B,A,', 'C,C,', 'D,D,self'),
    );
    expect(codes(reading.report)).toEqual([
      ['W-CT-DUP-PAIR', 3],
      ['W-CT-RECIPROCAL', 4],
      ['W-CT-SELF', 5],
    ]);
    expect(crossesOf(reading).map(({ line }) => line)).toEqual([2, 4, 5, 6]);
    expect(problemOf(reading.report, 'W-CT-DUP-PAIR').message).toContain('line 2');
  });

  test('unused columns are named', async () => {
    const reading = await readCrossingTable(linesSource('female,male,notes', 'A,B,late'));
    expect(codes(reading.report)).toEqual([['W-COL-IGNORED', 1]]);
    expect(problemOf(reading.report, 'W-COL-IGNORED').column).toBe('notes (C)');
  });
});

describe('checkCrossesAgainstSamples', () => {
  test('gives the parents the names of the genotype', () => {
    const checked = checkCrossesAgainstSamples([cross('b-73', 'Missouri 17', 2)], ['B73', 'Mo17'], {
      catalogue: { synonyms: [['Missouri 17', 'Mo17']] },
    });
    expect(checked.crosses).toEqual([{ ...cross('b-73', 'Missouri 17', 2), female: 'B73', male: 'Mo17' }]);
    expect(codes(checked.report)).toEqual([['W-NAME-FOLDED', 2]]);
  });

  test('an unknown parent is reported once, with suggestions, and its crosses left out', () => {
    const checked = checkCrossesAgainstSamples(
      [cross('Kabodde', 'B73', 2), cross('B73', 'Kabodde', 3), cross('B73', 'Mo17', 4)],
      ['B73', 'Mo17', 'Kabode'],
    );
    expect(codes(checked.report)).toEqual([['E-CT-PARENT-UNKNOWN', 2]]);
    expect(problemOf(checked.report, 'E-CT-PARENT-UNKNOWN').suggestion).toBe('Did you mean "Kabode"?');
    expect(checked.crosses.map(({ line }) => line)).toEqual([4]);
  });

  test('every parent of a cross of several is looked for', () => {
    const plans = [
      { ...cross('a', 'B', 2), parent3: 'c', parent4: 'D' },
      { ...cross('A', 'B', 3), parent3: 'nobody' },
    ];
    const { crosses, report } = checkCrossesAgainstSamples(plans, ['A', 'B', 'C', 'D']);
    expect(crosses).toMatchObject([{ female: 'A', male: 'B', parent3: 'C', parent4: 'D' }]);
    expect(problemOf(report, 'E-CT-PARENT-UNKNOWN')).toMatchObject({ line: 3, column: 'third', value: 'nobody' });
  });

  test('an ambiguous parent is an error naming the candidates', () => {
    const checked = checkCrossesAgainstSamples([cross('NR1', 'B73', 2)], ['B73', 'NR-1', 'NR 1']);
    expect(problemOf(checked.report, 'E-NAME-AMBIG').message).toBe('"NR1" could be "NR 1" or "NR-1".');
  });

  test('crosses that the pedigree has already are warned of', () => {
    const checked = checkCrossesAgainstSamples([cross('A', 'B', 2), cross('B', 'A', 3)], ['A', 'B'], {
      existingPairs: [['A', 'B']],
    });
    expect(codes(checked.report)).toEqual([['W-CT-EXISTING', 2]]);
    expect(checked.crosses).toHaveLength(2);
  });
});
