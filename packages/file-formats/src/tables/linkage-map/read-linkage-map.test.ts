import { describe, expect, test } from 'vitest';
import { codes, linesSource, problemOf } from '../text/table-text.test-data.ts';
import type { LinkageMap } from './linkage-map.ts';
import { type LinkageMapReading, readLinkageMap } from './read-linkage-map.ts';

function mapOf(reading: LinkageMapReading): LinkageMap {
  if (reading.map === null) throw new Error(JSON.stringify(reading.report.problems, null, 1));
  return reading.map;
}

/** One chromosome of 60 cM with a marker every 10 cM. */
const rows = Array.from({ length: 7 }, (_, i) => ({ id: `M${i}`, bp: 1_000_000 * (i + 1), cm: 10 * i }));

describe('readLinkageMap', () => {
  test('reads the columns in any order and keeps the order of the file', async () => {
    const reading = await readLinkageMap(
      linesSource('linkMapPos (cM),SNPid,physPos,chr', '20,b,2000,1', '0,a,1000,1', '40.5,c,500,2'),
    );
    expect(mapOf(reading)).toEqual({
      markerId: ['b', 'a', 'c'],
      chromosome: ['1', '1', '2'],
      positionBp: Float64Array.of(2000, 1000, 500),
      positionCm: Float64Array.of(20, 0, 40.5),
      line: Int32Array.of(2, 3, 4),
    });
    expect(reading.summary).toEqual({
      markers: 3,
      chromosomes: [
        { name: '1', markers: 2, lengthCm: 20 },
        { name: '2', markers: 1, lengthCm: 0 },
      ],
    });
    expect(reading.report.problems).toEqual([]);
  });

  test('a quotation mark in the first row of a map without header is found', async () => {
    const reading = await readLinkageMap(linesSource('a\t"\t1\t2', 'b,1,10', 'c,1,20'));
    expect(reading.map).toBeNull();
    expect(problemOf(reading.report, 'E-LM-NO-POS-COL').message).toContain('has 1 of the three columns');
    expect(problemOf(reading.report, 'E-QUOTE')).toMatchObject({ line: 1 });
  });

  test.each([
    ['marker,chromosome,position_cM', ','],
    ['markerName\tlinkageGroupName\tcM', '\t'],
    ['rs#;#CHROM;genetic_distance (cM)', ';'],
    ['#CHROM,snp,gmap (cM)', ','],
    ['locus,lg,map position(cM)', ','],
  ])('understands the header %s', async (header, separator) => {
    const cells = (id: string, cm: number) => (header.startsWith('#') ? ['1', id, cm] : [id, '1', cm]).join(separator);
    const reading = await readLinkageMap(linesSource(header, ...rows.map(({ id, cm }) => cells(id, cm))));
    expect([...mapOf(reading).positionCm]).toEqual(rows.map(({ cm }) => cm));
    expect(mapOf(reading).markerId[1]).toBe('M1');
    expect(reading.report.problems).toEqual([]);
  });

  test.each([
    ['AlphaSimR', ',', (id: string, _bp: number, cm: number) => [id, '1', cm / 100]],
    ['Flapjack', '\t', (id: string, _bp: number, cm: number) => [id, '1', cm]],
    ['PLINK .map with blanks', ' ', (id: string, bp: number, cm: number) => ['1', id, cm, bp]],
  ])('reads a map of %s without header by position and asks for the unit', async (name, separator, row) => {
    const lines = rows.map(({ id, bp, cm }) => row(id, bp, cm).join(separator));
    const comment = name === 'Flapjack' ? ['# fjFile = MAP'] : [];
    const reading = await readLinkageMap(linesSource(...comment, ...lines));
    expect(mapOf(reading).markerId).toEqual(rows.map(({ id }) => id));
    expect(codes(reading.report)).toEqual([['W-LM-UNIT', null]]);
    const confirmed = await readLinkageMap(linesSource(...comment, ...lines), {
      unit: name === 'AlphaSimR' ? 'M' : 'cM',
    });
    expect([...mapOf(confirmed).positionCm].map(Math.round)).toEqual(rows.map(({ cm }) => cm));
    expect(codes(confirmed.report)).toEqual([]);
  });

  test('Morgan become centimorgan when the header says so', async () => {
    const reading = await readLinkageMap(linesSource('id,chr,linkMapPos (M)', 'a,1,0', 'b,1,0.4'));
    expect([...mapOf(reading).positionCm]).toEqual([0, 40]);
    expect(codes(reading.report)).toEqual([]);
  });

  test('a row without id takes its chromosome and position as id', async () => {
    const reading = await readLinkageMap(linesSource('SNPid,chr,physPos,cM', ',1,1000,0', 'b,1,2000,30'));
    expect(mapOf(reading).markerId).toEqual(['1@1000', 'b']);
  });

  test('the meaning of a column called pos is decided by its values and always asked', async () => {
    const map = await readLinkageMap(linesSource('id,chr,pos', 'a,1,0', 'b,1,30.5'));
    expect([...mapOf(map).positionCm]).toEqual([0, 30.5]);
    expect(codes(map.report)).toEqual([['W-LM-UNIT', 1]]);
    const bp = await readLinkageMap(linesSource('id,chr,pos', 'a,1,1000', 'b,1,3000000'));
    expect(codes(bp.report)).toEqual([['E-LM-NO-POS-COL', 1]]);
    expect(problemOf(bp.report, 'E-LM-NO-POS-COL').message).toContain('base pairs');
    const both = await readLinkageMap(linesSource('id,chr,pos,cM', 'a,1,1000,0', 'b,1,3000000,30'));
    expect([...mapOf(both).positionBp]).toEqual([1000, 3000000]);
    expect(codes(both.report)).toEqual([]);
  });

  test.each([
    ['an empty map', ['SNPid,chr,cM'], 'E-EMPTY', 1],
    ['no column of map positions', ['SNPid,chr,physPos', 'a,1,1000'], 'E-LM-NO-POS-COL', 1],
    ['no column of chromosomes', ['SNPid,cM', 'a,0', 'b,30'], 'E-COL-MISSING', 1],
    ['neither id nor physical positions', ['chr,cM', '1,0'], 'E-LM-NO-ID', 1],
    ['a map position that is no number', ['SNPid,chr,cM', 'a,1,zero', 'b,1,0', 'c,1,30'], 'E-LM-POS-NOT-NUMBER', 2],
    [
      'a physical position that is no number',
      ['SNPid,chr,physPos,cM', 'a,1,x,0', 'b,1,5,30'],
      'E-LM-POS-NOT-NUMBER',
      2,
    ],
    ['a blank map position', ['SNPid,chr,cM', 'a,1,', 'b,1,0', 'c,1,30'], 'E-LM-POS-MISSING', 2],
    ['a negative position', ['SNPid,chr,cM', 'a,1,-5', 'b,1,30'], 'E-LM-NEGATIVE', 2],
    ['a row without id and physical position', ['SNPid,chr,physPos,cM', ',1,,0', 'b,1,5,30'], 'E-LM-NO-ID', 2],
    ['a row without chromosome', ['SNPid,chr,cM', 'a,,0', 'b,1,0', 'c,1,30'], 'E-LM-NO-ID', 2],
    ['a repeated id', ['SNPid,chr,cM', 'a,1,0', 'a,1,30'], 'E-LM-DUP-ID', 3],
    ['map positions that are all 0', ['1 a 0 1000', '1 b 0 2000'], 'E-LM-POS-MISSING', null],
    ['a name with a control character', ['SNPid,chr,cM', 'a\u0007,1,0', 'b,1,30'], 'E-NAME-INVALID', 2],
    ['a chromosome with a control character', ['SNPid,chr,cM', 'a,1\u0007,0', 'b,1,30'], 'E-NAME-INVALID', 2],
    ['a repeated column', ['SNPid,chr,cM,C-M', 'a,1,0,0', 'b,1,30,0'], 'E-COL-DUP', 1],
  ])('%s', async (_, lines, code, line) => {
    const reading = await readLinkageMap(linesSource(...lines));
    expect(reading.map).toBeNull();
    expect(codes(reading.report).filter(([found]) => found.startsWith('E-'))).toEqual([[code, line]]);
  });

  test('the duplicate names both lines', async () => {
    const { report } = await readLinkageMap(linesSource('SNPid,chr,cM', 'a,1,0', 'b,1,5', 'a,1,30'));
    expect(problemOf(report, 'E-LM-DUP-ID').message).toBe('The marker "a" is on line 2 and on line 4.');
  });

  test.each([
    ['Morgan', 'cM', [0, 0.7, 1.2], 'Morgan'],
    ['base pairs', 'cM', [0, 400_000, 900_000], 'base pairs'],
    ['an unknown unit', 'linkMapPos', [0, 20, 60], 'does not say'],
  ])('doubts the unit of positions that look like %s', async (_, header, positions, words) => {
    const reading = await readLinkageMap(
      linesSource(`SNPid,chr,${header}`, ...positions.map((cm, i) => `m${i},1,${cm}`)),
    );
    expect(problemOf(reading.report, 'W-LM-UNIT').message).toContain(words);
    expect(reading.map).not.toBeNull();
  });

  test('warns of gaps, of markers out of order and of columns that are ignored', async () => {
    const reading = await readLinkageMap(
      linesSource(
        'SNPid,chr,physPos,cM,note',
        'a,1,100,0,x',
        'b,1,300,10,x',
        'c,1,200,20,x',
        'd,1,400,70.5,x',
        'e,2,9,0,x',
      ),
    );
    expect(codes(reading.report)).toEqual([
      ['W-COL-IGNORED', 1],
      ['W-LM-ORDER', 4],
      ['W-LM-GAP', 5],
    ]);
    expect(problemOf(reading.report, 'W-LM-GAP').value).toBe('50.5');
  });

  test('markers at one map position may have any order of base pairs', async () => {
    const reading = await readLinkageMap(
      linesSource('SNPid,chr,physPos,cM', 'a,1,300,0', 'b,1,100,0', 'c,1,400,20', 'd,1,350,20', 'e,1,500,30'),
    );
    expect(codes(reading.report)).toEqual([]);
  });

  test('a decimal comma is read and reported', async () => {
    const reading = await readLinkageMap(linesSource('SNPid;chr;cM', 'a;1;0', 'b;1;30,5'));
    expect([...mapOf(reading).positionCm]).toEqual([0, 30.5]);
    expect(codes(reading.report)).toEqual([['I-DECIMAL-COMMA', 3]]);
  });

  test('says that places name the markers when no column does', async () => {
    const reading = await readLinkageMap(linesSource('chr,probe no,physPos,cM', '1,x1,1000,0', '1,x2,2000,30'));
    expect(mapOf(reading).markerId).toEqual(['1@1000', '1@2000']);
    expect(problemOf(reading.report, 'W-LM-NO-ID')).toMatchObject({ line: 1, value: 'chr, probe no, physPos, cM' });
  });

  test.each([
    ['physPos', '3000000000', 'E-LM-TOO-FAR'],
    ['physPos', '1200.5', 'E-LM-POS-NOT-NUMBER'],
    ['cM', '9e12', 'E-LM-TOO-FAR'],
  ])('refuses %s %s', async (column, value, code) => {
    const [bp, cm] = column === 'cM' ? ['2000', value] : [value, '30'];
    const reading = await readLinkageMap(linesSource('SNPid,chr,physPos,cM', 'a,1,1000,0', `b,1,${bp},${cm}`));
    expect(reading.map).toBeNull();
    expect(problemOf(reading.report, code)).toMatchObject({ line: 3, value });
  });

  test('does not call a map empty whose other rows are refused', async () => {
    const { report } = await readLinkageMap(linesSource('SNPid,chr,cM', 'a,1,0', `b,${'x'.repeat(300)},30`, 'c,2,0'));
    expect(codes(report).filter(([code]) => String(code).startsWith('E-'))).toEqual([['E-NAME-INVALID', 3]]);
  });

  test('tells a first row of data from a header that is not known', async () => {
    const { report } = await readLinkageMap(linesSource('1,a,5000,0,x', '1,b,6000,3,y'));
    expect(codes(report)).toEqual([['E-NO-HEADER', 1]]);
  });
});
