import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { memorySource, openFileSource } from '../../byte-source.ts';
import { problemsCsv } from '../text/problems-csv.ts';
import { codes, gzipSource, linesSource, problemOf, textSource } from '../text/table-text.test-data.ts';
import { readPhenotypeRecords } from './phenotype-records.ts';
import type { PhenotypeTable } from './phenotype-table.ts';
import { type PhenotypeReading, readPhenotype } from './read-phenotype.ts';

const MAIZE = fileURLToPath(new URL('../../../testdata/maize-mdp/phenotypes.csv', import.meta.url));

/** Numbers without outliers: 20 lines L1 … L20 with values around 10. */
const plainRows = (value: (i: number) => string | number = (i) => 10 + (i % 5)) =>
  Array.from({ length: 20 }, (_, i) => `L${i + 1},${value(i)}`);

function tableOf(reading: PhenotypeReading): PhenotypeTable {
  if (reading.table === null) throw new Error(JSON.stringify(reading.report.problems, null, 1));
  return reading.table;
}

/** Everything but the warning that the few rows of a small example are few. */
const codesBut = (reading: PhenotypeReading, ignored = 'W-PH-FEW') =>
  codes(reading.report).filter(([code]) => code !== ignored);

describe('wide files, one row a line', () => {
  test('the maize phenotypes are read value by value', async () => {
    const source = await openFileSource(MAIZE);
    const reading = await readPhenotype(source);
    await source.close();
    const table = tableOf(reading);
    expect(table.shape).toBe('wide');
    expect(table.traits.map(({ name, kind }) => [name, kind])).toEqual([
      ['EarHT', 'numeric'],
      ['dpoll', 'numeric'],
      ['EarDia', 'numeric'],
    ]);
    const lines = readFileSync(MAIZE, 'utf8').trim().split(/\r?\n/).slice(1);
    expect(table.individuals).toEqual(lines.map((line) => line.split(',')[0]));
    for (let trait = 0; trait < 3; trait++) {
      const expected = lines
        .map((line) => line.split(',')[trait + 1])
        .map((cell) => (cell === '' ? Number.NaN : Number(cell)));
      expect([...table.values[trait]!]).toEqual(expected);
    }
    expect(reading.summaries.map(({ n }) => n)).toEqual([299, 297, 266]);
    expect(reading.summaries[0]).toMatchObject({
      mean: expect.closeTo(61.387, 3),
      sd: expect.closeTo(20.132, 3),
      h2: null,
    });
    expect(reading.correlations.names).toEqual(['EarHT', 'dpoll', 'EarDia']);
    expect(reading.correlations.values[0]).toBe(1);
    expect(reading.correlations.values[1]).toBe(reading.correlations.values[3]);
    expect(reading.report.totals.errors).toBe(0);
  });

  test.each([
    ['comma', 'Taxa,T\n'],
    ['tab', 'germplasmName\tT\n'],
    ['an empty header', ',T\n'],
    ['odd case and blanks', 'ACCESSION name,T\n'],
    ['R row names without header', 'T\n'],
    ['TASSEL of old', '<Trait>\tT\n'],
    ['TASSEL', '<Phenotype>\ntaxa\tdata\nTaxa\tT\n'],
    ['Flapjack', '# fjFile = PHENOTYPE\n\tT_#NUM\n'],
    ['Helium', '# heliumInput=PHENOTYPE\nLineName\tT=n\n'],
  ])('understands a header with %s', async (_, header) => {
    const separator = header.includes('\t') ? '\t' : ',';
    const rows = plainRows().map((row) => row.replace(',', separator));
    const table = tableOf(await readPhenotype(textSource(header + rows.join('\n'))));
    expect(table.individuals[0]).toBe('L1');
    expect(table.traits).toEqual([{ name: 'T', unit: null, ontologyId: null, kind: 'numeric' }]);
    expect([...table.values[0]!].slice(0, 3)).toEqual([10, 11, 12]);
  });

  test('keeps the unit and the ontology id of a trait header', async () => {
    const reading = await readPhenotype(linesSource('id,Yield (t/ha)|CO_322:0000994', ...plainRows()));
    expect(tableOf(reading).traits).toEqual([
      { name: 'Yield', unit: 't/ha', ontologyId: 'CO_322:0000994', kind: 'numeric' },
    ]);
  });

  test('two units of one trait are two traits', async () => {
    const reading = await readPhenotype(
      linesSource('id,Yield (t/ha),Yield (kg)', ...plainRows((i) => `${i % 4},${i % 7}`)),
    );
    expect(tableOf(reading).traits.map(({ name }) => name)).toEqual(['Yield (t/ha)', 'Yield (kg)']);
  });

  test('takes every spelling of a missing value and nothing else as missing', async () => {
    const spellings = ['', 'NA', 'n/a', 'NaN', 'nan', 'null', '.', '-', '#N/A'];
    const reading = await readPhenotype(
      linesSource('id,T', ...plainRows(), ...spellings.map((cell, i) => `M${i},${cell}`)),
    );
    const values = tableOf(reading).values[0]!;
    expect([...values].slice(20)).toEqual(spellings.map(() => Number.NaN));
    expect(reading.summaries[0]!.n).toBe(20);
  });

  test('reads numbers quoted as text, TRUE and FALSE, exponents and the typographic minus', async () => {
    const cells = ['"12.5"', 'TRUE', 'false', '1e1', '.5', '\u22123', '+4'];
    const reading = await readPhenotype(linesSource('id,T', ...cells.map((cell, i) => `L${i},${cell}`)));
    expect([...tableOf(reading).values[0]!]).toEqual([12.5, 1, 0, 10, 0.5, -3, 4]);
    expect(problemOf(reading.report, 'W-PH-TRUE')).toMatchObject({ line: 3, column: 'T (B)', value: 'TRUE' });
    const alone = await readPhenotype(linesSource('id,T', ...plainRows((i) => (i % 2 ? 'TRUE' : 'FALSE'))));
    expect(codes(alone.report).map(([code]) => code)).not.toContain('W-PH-TRUE');
  });

  test('reads decimal commas of a semicolon file and says so once', async () => {
    const rows = plainRows((i) => `${i % 5},5`).map((row) => row.replace(',', ';'));
    const reading = await readPhenotype(linesSource('id;T', ...rows));
    expect([...tableOf(reading).values[0]!].slice(0, 3)).toEqual([0.5, 1.5, 2.5]);
    expect(problemOf(reading.report, 'I-DECIMAL-COMMA')).toMatchObject({ severity: 'info', line: 2, value: '0,5' });
  });

  test('a trait of words is categorical and kept out of the numbers', async () => {
    const reading = await readPhenotype(
      linesSource('id,Colour,T', ...plainRows((i) => `${i % 2 ? 'red' : 'white'},${i % 5}`)),
    );
    const table = tableOf(reading);
    expect(table.traits.map(({ kind }) => kind)).toEqual(['categorical', 'numeric']);
    expect([...table.values[0]!].every(Number.isNaN)).toBe(true);
    expect(reading.summaries[0]).toMatchObject({ n: 20, mean: null, histogram: null });
    expect(reading.correlations.names).toEqual(['T']);
  });

  test('words among numbers are one error a cell', async () => {
    const reading = await readPhenotype(linesSource('id,T', ...plainRows(), 'A,tall', 'B,"1,234"', 'C,12 cm', 'D,15%'));
    expect(reading.table).toBeNull();
    expect(codes(reading.report)).toEqual([22, 23, 24, 25].map((line) => ['E-PH-NOT-NUMBER', line]));
    expect(reading.report.problems.map(({ column, value, suggestion }) => [column, value, suggestion])).toEqual([
      ['T (B)', 'tall', 'Correct the value, or leave the cell empty if it is missing.'],
      ['T (B)', '1,234', 'Write it without thousands separators: 1234.'],
      ['T (B)', '12 cm', 'Write the number alone; put the unit in the header, in parentheses.'],
      ['T (B)', '15%', 'Write the number without the percent sign.'],
    ]);
  });

  test('a line that stands twice is an error with both lines, or averaged when chosen', async () => {
    const source = linesSource('id,T', ...plainRows(), 'L1,20');
    const refused = await readPhenotype(source);
    expect(codes(refused.report)).toEqual([['E-PH-DUP', 22]]);
    expect(problemOf(refused.report, 'E-PH-DUP').message).toBe('"L1" occurs on line 2 and on line 22.');
    const averaged = await readPhenotype(source, { averageRepeatedRows: true });
    expect(tableOf(averaged).values[0]![0]).toBe(15);
    expect(tableOf(averaged).observations[0]![0]).toBe(2);
    expect(codes(averaged.report)).toEqual([['I-PH-AGGREGATED', null]]);
  });
});

describe('problems of phenotype files', () => {
  test.each([
    ['no column of names', ['Yield,Height', '5,3'], 'E-COL-MISSING', 1],
    ['values in the first row', ['B73,5,3', 'Mo17,4,2'], 'E-NO-HEADER', 1],
    ['no trait', ['id,rep,location', 'B73,1,X'], 'E-PH-NO-TRAIT', 1],
    ['a long file whose rows name no trait', ['id,trait,value', 'B73,,1'], 'E-PH-NO-TRAIT', 2],
    ['a trait twice', ['id,Yield,YIELD', 'B73,1,2'], 'E-PH-DUP-TRAIT', 1],
    ['a row without name', ['id,T', ',5', 'B73,4'], 'E-PH-NAME-EMPTY', 2],
    ['a name of 256 characters', ['id,T', `${'x'.repeat(256)},5`], 'E-NAME-INVALID', 2],
    ['a control character in a name', ['id,T', 'B\u000773,5'], 'E-NAME-INVALID', 2],
    ['a trait without name', ['id,|CO_1:2', 'B73,5'], 'E-NAME-EMPTY', 1],
    ['a ragged row', ['id,T', 'B73', 'Mo17,4'], 'E-ROW-WIDTH', 2],
    ['an unclosed quote', ['id,T', '"B73,4', 'Mo17,4'], 'E-QUOTE', 2],
    ['a header only', ['id,T'], 'E-EMPTY', 1],
    ['a VCF file', ['##fileformat=VCFv4.2'], 'E-TYPE', 1],
    ['1,001 traits', [`id,${Array.from({ length: 1001 }, (_, i) => `T${i}`).join(',')}`], 'E-TOO-LARGE', 1],
  ])('%s', async (_, lines, code, line) => {
    const reading = await readPhenotype(linesSource(...lines));
    expect(reading.table).toBeNull();
    expect(codesBut(reading)).toEqual([[code, line]]);
    for (const problem of reading.report.problems) expect(problem.message).not.toBe('');
  });

  test('columns without header and a second column of names are ignored with a warning', async () => {
    const reading = await readPhenotype(linesSource('entry,germplasmName,,T', ...plainRows((i) => `N${i},x,${i % 5}`)));
    expect(codes(reading.report)).toEqual([
      ['W-COL-IGNORED', 1],
      ['W-COL-IGNORED', 1],
    ]);
    expect(tableOf(reading).individuals[0]).toBe('N0');
    expect(tableOf(reading).traits.map(({ name }) => name)).toEqual(['T']);
  });

  test('a repeated value far from all others is never silently missing', async () => {
    const source = linesSource('id,T,U', ...plainRows((i) => `${i % 5},${i % 3}`), 'X,-999,1', 'Y,-999,2');
    const asked = await readPhenotype(source);
    expect(asked.table).toBeNull();
    expect(codes(asked.report)).toEqual([['E-PH-MISSING-CODE', 22]]);
    expect(problemOf(asked.report, 'E-PH-MISSING-CODE')).toMatchObject({ column: 'T (B)', value: '-999' });
    const converted = await readPhenotype(source, { missingCodes: ['-999'] });
    expect(codes(converted.report)).toEqual([['I-PH-MISSING-CODE', null]]);
    expect(problemOf(converted.report, 'I-PH-MISSING-CODE').message).toContain('in 2 cells, as was chosen: 2 in T.');
    expect(tableOf(converted).values[0]![20]).toBeNaN();
    const kept = await readPhenotype(source, { measuredValues: ['-999'] });
    expect(tableOf(kept).values[0]![20]).toBe(-999);
    expect(kept.report.totals.byCode).toEqual({ 'W-PH-OUTLIER': 2 });
  });

  test('a word that recurs among numbers is asked about once, as long as nobody says that it means missing', async () => {
    const source = linesSource(
      'id,T,U',
      ...plainRows((i) => `${i % 5},${i % 3}`),
      'X,n.v.,lost',
      'Y,N.V.,1',
      'Z,2,3 t',
    );
    const asked = await readPhenotype(source);
    expect(asked.report.totals.byCode).toEqual({ 'E-PH-NOT-NUMBER': 2, 'E-PH-MISSING-CODE': 1 });
    expect(problemOf(asked.report, 'E-PH-MISSING-CODE')).toMatchObject({ line: 22, column: 'T (B)', value: 'n.v.' });
    const converted = await readPhenotype(source, { missingCodes: ['n.v.', 'lost', '3 t'] });
    expect(converted.report.totals.byCode).toEqual({ 'I-PH-MISSING-CODE': 3 });
    expect(tableOf(converted).values[0]!.subarray(19, 22)).toEqual(Float64Array.of(4, Number.NaN, Number.NaN));
  });

  test('quantities with a unit, formulas and a column of words are not taken for codes of missing values', async () => {
    const rows = plainRows((i) => `${i % 4},${i % 2 ? 'red' : 'white'}`);
    const { report } = await readPhenotype(
      linesSource('id,T,U', ...rows, 'X,3 t,red', 'Y,3 t,red', 'Z,=A,1', 'W,=A,1'),
    );
    expect(report.totals.byCode['E-PH-MISSING-CODE']).toBeUndefined();
  });

  test('-9 among values of its size is an ordinary value, and a single -999 is asked about', async () => {
    const ordinary = await readPhenotype(linesSource('id,T', ...plainRows((i) => (i % 10) - 9)));
    expect(codes(ordinary.report)).toEqual([]);
    const single = await readPhenotype(linesSource('id,T', ...plainRows(), 'X,-999'));
    expect(codes(single.report)).toEqual([['E-PH-MISSING-CODE', 22]]);
  });

  test('a column that is mostly n.b. is one of numbers, whose question stands once', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `L${i},${i % 8 === 0 ? 3 + i / 10 : 'n. b.'},${i % 5}`);
    const asked = await readPhenotype(linesSource('id,T,U', ...rows));
    expect(asked.report.totals.byCode).toEqual({ 'E-PH-MISSING-CODE': 1 });
    const { table } = await readPhenotype(linesSource('id,T,U', ...rows), { missingCodes: ['n. b.'] });
    expect(table?.traits.map(({ kind }) => kind)).toEqual(['numeric', 'numeric']);
  });

  test('an outlier is named with its line, in the report and in the summary', async () => {
    const reading = await readPhenotype(linesSource('id,T', ...plainRows(), 'Giant,99'));
    expect(problemOf(reading.report, 'W-PH-OUTLIER')).toMatchObject({ line: 22, column: 'T (B)', value: '99' });
    expect(reading.summaries[0]!.outliers).toEqual([{ individual: 'Giant', value: 99, line: 22 }]);
  });

  test('an outlier is more than six scaled deviations from the median', async () => {
    // Median 12, median absolute deviation 1: the limit is 6 × 1.4826 = 8.9.
    for (const [value, count] of [
      ['20.8', 0],
      ['21', 1],
    ] as const) {
      const reading = await readPhenotype(linesSource('id,T', ...plainRows(), `Giant,${value}`));
      expect(reading.summaries[0]!.outliers).toHaveLength(count);
    }
  });

  test('rare scores are no outliers', async () => {
    const reading = await readPhenotype(linesSource('id,Resistant', ...plainRows((i) => (i === 3 ? 1 : 0))));
    expect(codes(reading.report)).toEqual([]);
  });

  test('an environment far above another makes no outliers', async () => {
    const rows = Array.from(
      { length: 40 },
      (_, i) => `L${i % 20},${i < 20 ? 'dry' : 'wet'},${(i < 20 ? 10 : 900) + (i % 5)}`,
    );
    const reading = await readPhenotype(linesSource('id,env,T', ...rows));
    expect(codes(reading.report)).toEqual([['I-PH-AGGREGATED', null]]);
  });

  test('a trait of one value and a trait of few values are warned of', async () => {
    const reading = await readPhenotype(linesSource('id,C,F', ...plainRows((i) => `7,${i < 19 ? i % 5 : ''}`)));
    expect(codes(reading.report)).toEqual([
      ['W-PH-CONSTANT', 1],
      ['W-PH-FEW', 1],
    ]);
    expect(problemOf(reading.report, 'W-PH-FEW')).toMatchObject({ column: 'F (C)', value: '19' });
  });

  test('names are compared with the known germplasm', async () => {
    const rows = [...plainRows(), 'l-1 b,11', 'Kabodde,12', 'NR1,12'];
    const reading = await readPhenotype(linesSource('id,T', ...rows), {
      knownNames: [...Array.from({ length: 20 }, (_, i) => `L${i + 1}`), 'L1B', 'Kabode', 'NR-1', 'NR 1'],
    });
    expect(codes(reading.report)).toEqual([
      ['W-PH-UNMATCHED', null],
      ['W-NAME-FOLDED', 22],
      ['E-NAME-AMBIG', 24],
    ]);
    expect(problemOf(reading.report, 'W-PH-UNMATCHED')).toMatchObject({ value: '2' });
    expect(problemOf(reading.report, 'W-PH-UNMATCHED').suggestion).toContain('"Kabodde" could be "Kabode"');
  });

  test('individuals without any known name are counted, not refused', async () => {
    const reading = await readPhenotype(linesSource('id,T', ...plainRows()), { knownNames: ['X1', 'X2'] });
    expect(problemOf(reading.report, 'W-PH-UNMATCHED').message).toContain('20 of 20 individuals are not known');
    expect(reading.table).not.toBeNull();
  });

  test('forty planted errors give forty records in one pass, as a list and as CSV', async () => {
    const planted: string[] = [];
    for (let i = 0; i < 10; i++) planted.push(`W${i},bad${i},1`, `,${i},1`, `L${i + 1},1,1`, `R${i},1`);
    const reading = await readPhenotype(linesSource('id,T,U', ...plainRows((i) => `${i % 5},${i % 3}`), ...planted));
    expect(reading.table).toBeNull();
    expect(reading.report.totals).toMatchObject({
      errors: 40,
      byCode: { 'E-PH-NOT-NUMBER': 10, 'E-PH-NAME-EMPTY': 10, 'E-PH-DUP': 10, 'E-ROW-WIDTH': 10 },
    });
    const errors = reading.report.problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ line }) => line)).toEqual(Array.from({ length: 40 }, (_, i) => 22 + i));
    const csv = problemsCsv(reading.report.problems).trim().split('\n');
    expect(csv[0]).toBe('severity,code,line,column,value,message,suggestion');
    expect(csv.filter((line) => line.startsWith('error,'))).toHaveLength(40);
    expect(csv).toContain(
      'error,E-PH-NOT-NUMBER,22,T (B),bad0,"""bad0"" is not a number.","Correct the value, or leave the cell empty if it is missing."',
    );
  });

  test('more than 1,000 problems are all counted', async () => {
    const rows = Array.from({ length: 3000 }, (_, i) => `L${i},${i % 2 === 0 ? `x${i}` : i % 7}`);
    const { report } = await readPhenotype(linesSource('id,T', ...rows));
    expect(report.problems).toHaveLength(1000);
    expect(report.totals.byCode).toMatchObject({ 'E-PH-NOT-NUMBER': 1500 });
  });
});

describe('repeated lines', () => {
  const lines = Array.from({ length: 20 }, (_, i) => `L${i + 1}`);
  const trial = lines.flatMap((line, i) =>
    [1, 2].flatMap((rep) => ['Dry', 'Wet'].map((site, j) => `${line},${site},${rep},${(i % 10) + 10 * j + rep}`)),
  );

  test('a balanced trial gives the means of the lines, counts per environment and heritability', async () => {
    const reading = await readPhenotype(linesSource('Line,Location,Rep,Yield', ...trial));
    const table = tableOf(reading);
    expect(table.shape).toBe('wide-design');
    expect(table.individuals).toEqual(lines);
    table.values[0]!.forEach((value, i) => expect(value).toBeCloseTo((i % 10) + 6.5, 10));
    expect([...table.observations[0]!]).toEqual(lines.map(() => 4));
    expect(table.reductions).toEqual(['adjusted mean']);
    expect(table.environments).toEqual([
      { name: 'Dry', observations: [40], individuals: [20] },
      { name: 'Wet', observations: [40], individuals: [20] },
    ]);
    expect(table.h2[0]).toBe(1);
    expect(reading.summaries[0]!.h2).toBe(1);
    expect(problemOf(reading.report, 'I-PH-AGGREGATED').message).toContain(
      'line + environment + replicate in environment, 2 environments',
    );
  });

  test('the long shape gives the same table as the wide one', async () => {
    const long = trial.map((row) => {
      const [line, site, rep, value] = row.split(',');
      return `${line},Yield (t/ha)|CO_1:1,${value},${site},${rep}`;
    });
    const reading = await readPhenotype(
      linesSource('germplasmName,observationVariableName,value,location,replicate', ...long),
    );
    const wide = tableOf(await readPhenotype(linesSource('Line,Location,Rep,Yield', ...trial)));
    const table = tableOf(reading);
    expect(table.shape).toBe('long');
    expect(table.traits).toEqual([{ name: 'Yield', unit: 't/ha', ontologyId: 'CO_1:1', kind: 'numeric' }]);
    expect(table.values).toEqual(wide.values);
    expect(table.environments).toEqual(wide.environments);
  });

  test('a repeated observation of the long shape is an error with both lines, or averaged when chosen', async () => {
    const source = linesSource(
      'id,trait,value,env',
      ...lines.map((line, i) => `${line},T,${i % 5},X`),
      'L1,t,10,X',
      'L1,T,2,Y',
    );
    const refused = await readPhenotype(source);
    expect(codesBut(refused)).toEqual([['E-PH-DUP', 22]]);
    expect(problemOf(refused.report, 'E-PH-DUP').message).toContain('line 2 and on line 22');
    const averaged = tableOf(await readPhenotype(source, { averageRepeatedRows: true }));
    expect(averaged.observations[0]![0]).toBe(3);
  });

  test('of observations with timestamps the last wins, with a warning', async () => {
    const rows = lines.map((line, i) => `${line},T,${i % 5},2026-05-01 10:00:00,Ann`);
    const reading = await readPhenotype(
      linesSource(
        'id,trait,value,timestamp,person',
        ...rows,
        'L1,T,3,2026-05-02 09:00:00,Ann',
        'L2,T,4,2026-04-30 09:00:00,',
      ),
    );
    expect(codes(reading.report)).toEqual([
      ['W-PH-DUP', 2],
      ['W-PH-DUP', 23],
    ]);
    expect([...tableOf(reading).values[0]!].slice(0, 2)).toEqual([3, 1]);
  });

  test('Flapjack experiments are environments', async () => {
    const rows = lines.map((line, i) => `${line}\t${i % 5}\t${(i % 5) + 10}\t${i % 3}`);
    const reading = await readPhenotype(
      linesSource('# fjFile = PHENOTYPE', '\tYield\tYield\tHeight', '\tE1\tE2\tE1', ...rows),
    );
    const table = tableOf(reading);
    expect(table.traits.map(({ name }) => name)).toEqual(['Yield', 'Height']);
    expect(table.values[0]![1]).toBeCloseTo(6, 10);
    expect(table.values[1]![1]).toBe(1);
    expect(table.environments.map(({ name, observations }) => [name, observations])).toEqual([
      ['E1', [20, 20]],
      ['E2', [20, 0]],
    ]);
  });

  test('TASSEL factors are environments', async () => {
    const rows = lines.flatMap((line, i) => [`${line}\tA\t${i % 5}`, `${line}\tB\t${(i % 5) + 2}`]);
    const reading = await readPhenotype(linesSource('<Phenotype>', 'taxa\tfactor\tdata', 'Taxa\tField\tT', ...rows));
    expect(tableOf(reading).shape).toBe('wide-design');
    expect(tableOf(reading).values[0]![0]).toBeCloseTo(1, 10);
  });

  test('Field Book coordinates are no locations', async () => {
    const rows = lines.map((line, i) => `${line},T,${i % 5},"-77.${1000 + i}; 39.${2000 + i}"`);
    const reading = await readPhenotype(linesSource('id,trait,value,location', ...rows));
    expect(tableOf(reading).environments).toEqual([]);
    expect(codes(reading.report)).toEqual([]);
  });

  test('groups of lines that share no environment are warned of', async () => {
    const rows = lines.flatMap((line, i) => [1, 2].map((rep) => `${line},${i < 10 ? 'A' : 'B'},${(i % 5) + rep}`));
    const reading = await readPhenotype(linesSource('id,env,T', ...rows));
    expect(codes(reading.report)).toEqual([
      ['I-PH-AGGREGATED', null],
      ['W-PH-DISCONNECTED', null],
    ]);
  });

  test('design columns without repeated lines change nothing', async () => {
    const reading = await readPhenotype(
      linesSource('id,location,plot,T', ...plainRows((i) => `S${i % 2},${i},${i % 5}`)),
    );
    expect(codes(reading.report)).toEqual([['W-PH-ENVIRONMENTS', null]]);
    expect(tableOf(reading).reductions).toEqual(['as given']);
  });

  test('single values from several environments are warned of, with the covariate that separates these', async () => {
    const reading = await readPhenotype(
      linesSource('id,site,season,T', ...plainRows((i) => `S${i % 2},${2019 + (i % 2)},${i % 5}`)),
    );
    const problem = problemOf(reading.report, 'W-PH-ENVIRONMENTS');
    expect(problem).toMatchObject({ column: 'T (D)', value: '2' });
    expect(problem.suggestion).toContain('"site / season" as a covariate');
    expect(tableOf(reading).groups.find(({ name }) => name === 'site / season')?.groups).toEqual([
      'S0 / 2019',
      'S1 / 2020',
    ]);
    const one = await readPhenotype(linesSource('id,site,T', ...plainRows((i) => `S,${i % 5}`)));
    expect(codes(one.report)).toEqual([]);
  });

  /**
   * 30 lines × 2 sites × 2 replicates; replicates differ by 4 and lines are missing at random, so that dropping them
   * shows.
   */
  const withReplicates = Array.from({ length: 120 }, (_, row) => {
    const [line, site, rep] = [Math.floor(row / 4), Math.floor(row / 2) % 2, row % 2];
    return `V${line},${site === 0 ? 'Bonn' : 'Kiel'},${rep + 1},${line + 10 * site + 4 * rep}`;
  }).filter((_, row) => (row * row + row) % 7 !== 2);

  test('a replicate without common lines leaves out its own lines only, by name and line of the file', async () => {
    const plain = await readPhenotype(linesSource('line,site,rep,T', ...withReplicates));
    const reading = await readPhenotype(
      linesSource('line,site,rep,T', ...withReplicates, 'New1,Kiel,9,3', 'New1,Kiel,9,5', 'New2,Kiel,9,4'),
    );
    const table = tableOf(reading);
    expect(codes(reading.report)).toEqual([
      ['I-PH-AGGREGATED', null],
      ['W-PH-NOT-ESTIMABLE', withReplicates.length + 2],
      ['W-PH-NOT-ESTIMABLE', withReplicates.length + 4],
    ]);
    expect(problemOf(reading.report, 'W-PH-NOT-ESTIMABLE')).toMatchObject({ value: 'New1' });
    expect(problemOf(reading.report, 'W-PH-NOT-ESTIMABLE').message).toContain('"Kiel / 9"');
    expect(problemOf(reading.report, 'I-PH-AGGREGATED').message).toContain(
      'line + environment + replicate in environment, 2 environments',
    );
    const before = tableOf(plain).values[0]!;
    before.forEach((value, i) => expect(table.values[0]![i]).toBeCloseTo(value, 10));
    expect([...table.values[0]!.slice(30)]).toEqual([Number.NaN, Number.NaN]);
    expect(table.h2).toEqual(tableOf(plain).h2);
  });

  test('a number per plot in the replicate column is left out of the model, and the message says so', async () => {
    const rows = withReplicates.map((row, i) => row.replace(/,(\d),/, `,${i + 1},`));
    const reading = await readPhenotype(linesSource('line,site,rep,T', ...rows));
    const without = await readPhenotype(
      linesSource('line,site,T', ...withReplicates.map((row) => row.replace(/,\d,/, ','))),
    );
    expect(codes(reading.report)).toEqual([
      ['I-PH-AGGREGATED', null],
      ['W-PH-NO-REPLICATES', null],
    ]);
    const { message } = problemOf(reading.report, 'I-PH-AGGREGATED');
    expect(message).toContain('(adjusted means: line + environment, 2 environments)');
    expect(problemOf(reading.report, 'W-PH-NO-REPLICATES').message).toContain('in Bonn, Kiel');
    expect(tableOf(reading).values).toEqual(tableOf(without).values);
  });

  test('a check column names the checks, in words of the databases', async () => {
    const rows = lines.flatMap((line, i) => [1, 2].map((rep) => `${line},${i < 3 ? 'C' : 'T'},${rep},${i + rep}`));
    const reading = await readPhenotype(linesSource('line,Test(T)OrCheck(C),rep,Y', ...rows));
    expect(tableOf(reading).traits.map(({ name }) => name)).toEqual(['Y']);
    expect([...(reading.observations[0]?.checks ?? [])]).toEqual(lines.map((_, i) => Number(i < 3)));
  });
});

describe('encodings and containers', () => {
  test('gzip, UTF-16 and old Mac line ends give the same table', async () => {
    const text = ['id,T', ...plainRows()].join('\n');
    const expected = tableOf(await readPhenotype(textSource(text))).values;
    const variants = [
      gzipSource(text),
      memorySource(Buffer.from(`\ufeff${text}`, 'utf16le')),
      textSource(text.replaceAll('\n', '\r')),
      textSource(`\ufeff${text.replaceAll('\n', '\r\n')}`),
    ];
    for (const source of variants) expect(tableOf(await readPhenotype(source)).values).toEqual(expected);
  });

  test('a workbook is read with dates as text and formulas without result as errors', async () => {
    const source = await openFileSource(
      fileURLToPath(new URL('../../../testdata/workbooks/openpyxl.xlsx', import.meta.url)),
    );
    const reading = await readPhenotype(source, {});
    await source.close();
    expect(reading.report.totals.errors).toBe(0);
    expect(tableOf(reading).traits.map(({ name, kind }) => [name, kind])).toEqual([
      ['Yield', 'numeric'],
      ['Sown', 'categorical'],
      ['Noted', 'categorical'],
      ['Healthy', 'numeric'],
      ['Twice', 'categorical'],
    ]);
    expect([...tableOf(reading).values[0]!]).toEqual([5.25, Number.NaN, -0.1, 7]);
  });

  test('reading stops when it is aborted', async () => {
    await expect(readPhenotype(linesSource('id,T', ...plainRows()), { signal: AbortSignal.abort() })).rejects.toThrow(
      /abort/i,
    );
  });
});

describe('groups of individuals', () => {
  const groupsOf = async (...lines: string[]) =>
    tableOf(await readPhenotype(linesSource(...lines), { averageRepeatedRows: true })).groups.map((column) => ({
      ...column,
      codes: [...column.codes],
    }));

  test('are a column of words, sorted with numbers by their size, blanks and missing cells apart', async () => {
    const cells = ['G10', 'G2', 'NA', ' G2', 'G  10', ''];
    expect(await groupsOf('id,T,Origin (region)', ...cells.map((cell, i) => `L${i},${i},${cell}`))).toEqual([
      {
        name: 'Origin',
        origin: 'trait',
        groups: ['G 10', 'G2', 'G10'],
        codes: [2, 1, -1, 1, 0, -1],
        conflict: null,
        hasTooMany: false,
      },
    ]);
  });

  test('are numbers where the column is declared as words, and a number among words', async () => {
    const [declared] = await groupsOf('id,T,set_#CAT', 'A,1,2', 'B,2,10', 'C,3,2');
    expect(declared).toMatchObject({ groups: ['2', '10'], codes: [0, 1, 0] });
    const [mixed] = await groupsOf('id,T,set', 'A,1,7', ...plainRows((i) => `${i},${i % 2 ? 'x' : 'y'}`));
    expect(mixed).toMatchObject({ name: 'set', groups: ['7', 'x', 'y'] });
    expect(mixed?.codes.slice(0, 3)).toEqual([0, 2, 1]);
  });

  test('are design columns that say one thing of each individual', async () => {
    const columns = await groupsOf(
      'id,location,year,rep,T',
      'A,X,2020,1,1',
      'A,X,2020,2,2',
      'B,,2021,1,1',
      'C,Y,.,2,1',
    );
    expect(columns.map(({ name, origin, groups, codes }) => [name, origin, groups, codes])).toEqual([
      ['location', 'design', ['X', 'Y'], [0, -1, 1]],
      ['year', 'design', ['2020', '2021'], [0, 1, -1]],
      ['rep', 'design', [], []],
      ['location / year', 'design', ['2021', 'X / 2020', 'Y'], [1, 0, 2]],
    ]);
    expect(columns[2]?.conflict).toEqual({ individual: 'A', groups: ['1', '2'] });
  });

  test('of the long shape follow the latest timestamp', async () => {
    const [origin] = await groupsOf(
      'id,trait,value,timestamp',
      'A,origin,old,2026-05-01',
      'A,origin,new,2026-05-02',
      'B,origin,old,2026-05-01',
      ...plainRows().map((row) => `${row.replace(',', ',T,')},2026-05-01`),
    );
    expect(origin).toMatchObject({ groups: ['new', 'old'], conflict: null });
    expect(origin?.codes.slice(0, 3)).toEqual([0, 1, -1]);
  });

  test('an individual in two groups, and a thousand and one words, are no groups', async () => {
    const [twice] = await groupsOf('id,T,g', 'A,1,x', 'A,2,y', 'B,2,y');
    expect(twice).toMatchObject({ groups: [], conflict: { individual: 'A', groups: ['x', 'y'] }, hasTooMany: false });
    const notes = (count: number) => groupsOf('id,T,note', ...Array.from({ length: count }, (_, i) => `L${i},1,n${i}`));
    expect((await notes(1000))[0]).toMatchObject({ hasTooMany: false });
    expect((await notes(1001))[0]).toMatchObject({ groups: [], conflict: null, hasTooMany: true });
  });
});

test('a cell and a header of half a million characters are no reason to try patterns for hours', async () => {
  const long = '.'.repeat(500_000);
  const blanks = '\t'.repeat(500_000);
  const reading = await readPhenotype(
    linesSource(`line,T,"U${blanks}x"`, `L0,${long},1`, ...plainRows().map((row) => `${row},1`)),
  );
  expect(codes(reading.report).map(([code]) => code)).toContain('E-PH-NOT-NUMBER');
});

describe('columns that are no traits', () => {
  test('covariates of TASSEL are covariates: no trait, no outlier, and other analyses find them by name', async () => {
    const rows = plainRows((i) => `S,${60 + (i % 7)},${i === 3 ? 40 : 0.1}`).map((row) => row.replaceAll(',', '\t'));
    const reading = await readPhenotype(
      linesSource('<Phenotype>', 'taxa\tfactor\tdata\tcovariate', 'Taxa\tsite\tEarHT\tQ1', ...rows),
    );
    expect(tableOf(reading).traits).toMatchObject([
      { name: 'EarHT', kind: 'numeric' },
      { name: 'Q1', kind: 'numeric', isCovariate: true },
    ]);
    expect(tableOf(reading).traits[0]).not.toHaveProperty('isCovariate');
    expect(reading.report.totals.byCode).toEqual({});
    const old = await readPhenotype(
      linesSource(
        '<Covariate>',
        '<Trait>\tQ1\tQ2',
        ...plainRows((i) => `${i % 3}\t${i % 4}`).map((r) => r.replace(',', '\t')),
      ),
    );
    expect(tableOf(old).traits.map(({ isCovariate }) => isCovariate)).toEqual([true, true]);
    expect(codes(old.report)).toEqual([['W-PH-NO-NUMERIC', 2]]);
  });

  test('a person can say that a column is a covariate', async () => {
    const { table } = await readPhenotype(linesSource('id,T,age', ...plainRows((i) => `${i % 5},${i % 3}`)), {
      mapping: { roles: { age: 'covariate' } },
    });
    expect(table?.traits.map(({ isCovariate }) => isCovariate === true)).toEqual([false, true]);
  });

  test('plants of a plot are told apart, and the position of the phone is no location', async () => {
    const header = 'plant_name,plant,plot,accession,trait,value,location';
    const gps = (i: number) => `"52.${3000 + i} ; -1.${4000 + i}"`;
    const rows = [1, 2, 3, 4].map(
      (i) => `p${i},${i % 2},${i < 3 ? 1 : 2},${i < 3 ? 'A' : 'B'},height,${80 + i},${gps(i)}`,
    );
    const reading = await readPhenotype(linesSource(header, ...rows));
    expect(reading.report.totals.errors).toBe(0);
    expect(tableOf(reading).environments).toEqual([]);
    expect(tableOf(reading).observations[0]).toEqual(Int32Array.of(2, 2));
    const records = await readPhenotypeRecords(linesSource(header, ...rows));
    expect(records?.units.map(({ design }) => [design.plant, design.location])).toEqual(
      ['p1', 'p2', 'p3', 'p4'].map((plant) => [plant, undefined]),
    );
    const twice = await readPhenotype(linesSource(header, ...rows, `p1,1,1,A,height,70,${gps(9)}`));
    expect(twice.report.totals.byCode).toMatchObject({ 'E-PH-DUP': 1 });
  });

  test('a pedigree or a crossing table that was chosen as a phenotype file is named', async () => {
    const pedigree = await readPhenotype(linesSource('Name,Mutter,Vater,Synonyme,Sammlung', 'C,A,B,,', 'D,A,B,,'));
    expect(problemOf(pedigree.report, 'E-TYPE')).toMatchObject({ value: 'PEDIGREE', line: 1 });
    const crosses = await readPhenotype(linesSource('Mutter;Vater;Anzahl', 'A;B;20'));
    expect(problemOf(crosses.report, 'E-TYPE').value).toBe('CROSSING_TABLE');
    const words = await readPhenotype(linesSource('line,colour', 'A,red', 'B,white'));
    expect(words.report.totals.byCode).toEqual({ 'W-PH-NO-NUMERIC': 1 });
  });
});
