import { describe, expect, test } from 'vitest';
import type { MarkerTable } from '../../genotype/panel/genotype-panel.ts';
import { codes, problemOf, textSource } from '../text/table-text.test-data.ts';
import { chromosomeKey, isKnownChromosome } from './chromosome-name.ts';
import type { LinkageMap } from './linkage-map.ts';
import { linkageMapTemplate, linkageMapTemplateFileName } from './linkage-map-template.ts';
import { placeMarkers } from './place-markers.ts';
import { readLinkageMap } from './read-linkage-map.ts';

/** Markers as [id, chromosome, bp]. */
const markerTable = (...markers: [string, string, number][]): MarkerTable => ({
  id: markers.map(([id]) => id),
  chromosome: markers.map(([, chromosome]) => chromosome),
  positionBp: Float64Array.from(markers, ([, , bp]) => bp),
  a1: markers.map(() => 'A'),
  a2: markers.map(() => 'C'),
});
/** Rows as [id, chromosome, bp, cM]. */
const linkageMap = (...rows: [string, string, number, number][]): LinkageMap => ({
  markerId: rows.map(([id]) => id),
  chromosome: rows.map(([, chromosome]) => chromosome),
  positionBp: Float64Array.from(rows, ([, , bp]) => bp),
  positionCm: Float64Array.from(rows, ([, , , cm]) => cm),
});

describe('placeMarkers', () => {
  test('finds markers by id, else by place, whatever the chromosome is called', () => {
    const checked = placeMarkers(
      linkageMap(['a', 'Chr01', 100, 1], ['other name', 'chromosome 1', 200, 2], ['c', '1', Number.NaN, 3]),
      markerTable(['c', '1', 300], ['b', '1', 200], ['a', '1', 100]),
    );
    expect([...checked.positionCm]).toEqual([3, 2, 1]);
    expect(checked.report.problems).toEqual([]);
  });

  test('missing markers are refused with their number and names unless the user chooses', () => {
    const markers = markerTable(['a', '1', 100], ['x', '1', 200], ['b', '1', 500], ['y', '1', 700], ['z', '2', 50]);
    const map = linkageMap(['a', '1', 100, 10], ['b', '1', 500, 50]);
    const refused = placeMarkers(map, markers);
    expect(problemOf(refused.report, 'E-LM-MISSING-MARKERS')).toMatchObject({ value: '3' });
    expect(refused.missingMarkers).toEqual(['x', 'y', 'z']);

    const interpolated = placeMarkers(map, markers, { missingMarkers: 'interpolate' });
    expect([...interpolated.positionCm]).toEqual([10, 20, 50, 70, Number.NaN]);
    expect(interpolated).toMatchObject({ missing: 3, interpolated: 2, dropped: 1 });
    expect(interpolated.report.totals.errors).toBe(0);

    const dropped = placeMarkers(map, markers, { missingMarkers: 'drop' });
    expect([...dropped.positionCm]).toEqual([10, Number.NaN, 50, Number.NaN, Number.NaN]);
    expect(dropped).toMatchObject({ missing: 3, interpolated: 0, dropped: 3 });
  });

  test('other base pairs and another chromosome are errors, an unknown position is not', () => {
    const checked = placeMarkers(
      linkageMap(['a', '1', 101, 1], ['b', '2', 200, 2], ['c', '1', 300, 3]),
      markerTable(['a', '1', 100], ['b', '1', 200], ['c', '1', 0]),
    );
    expect(checked.report.problems.map(({ code, value }) => [code, value])).toEqual([
      ['E-LM-PHYS-MISMATCH', 'a'],
      ['E-LM-CHR-MISMATCH', 'b'],
    ]);
  });

  test('a mismatch names the line of the map', async () => {
    const { map } = await readLinkageMap(textSource('SNPid,chr,physPos,linkMapPos (cM)\na,1,100,1\nb,1,250,2\n'));
    const { report } = placeMarkers(map!, markerTable(['a', '3', 100], ['b', '1', 200]));
    expect(report.problems.map(({ code, line }) => [code, line])).toEqual([
      ['E-LM-CHR-MISMATCH', 2],
      ['E-LM-PHYS-MISMATCH', 3],
    ]);
  });

  test('markers without a chromosome take chromosome and base pairs from the map', () => {
    const placed = placeMarkers(
      linkageMap(['a', 'Chr1', 500, 1], ['b', '2', 300, 2], ['c', '2', Number.NaN, 3], ['x', 'UN', 70, 5]),
      markerTable(['a', 'UN', 0], ['b', '0', 12], ['c', '2', 900], ['d', '1', 40], ['x', '2', 950]),
      { missingMarkers: 'drop' },
    );
    expect(placed.report.problems).toMatchObject([{ code: 'W-LM-EXTRA' }]);
    // The genotype calls the first chromosome "1".
    expect(placed.chromosome).toEqual(['1', '2', '2', '1', '2']);
    expect([...placed.positionBp]).toEqual([500, 300, 900, 40, 950]);
    expect([...placed.positionCm]).toEqual([1, 2, 3, Number.NaN, Number.NaN]);
  });

  test('where nobody knows base pairs they are made from the map: in its order, all different', () => {
    const placed = placeMarkers(
      linkageMap(['a', '1', Number.NaN, 2], ['b', '1', Number.NaN, 0], ['c', '1', Number.NaN, 2], ['d', '2', 50, 7]),
      markerTable(['a', 'UN', 0], ['b', 'UN', 0], ['c', 'UN', 0], ['d', 'UN', 0]),
    );
    expect([...placed.positionBp]).toEqual([2_000_001, 1, 2_000_002, 50]);
    expect(problemOf(placed.report, 'I-LM-BP-MADE')).toMatchObject({ severity: 'info', value: '3' });
  });

  test('all rows of the map are anchors, also those of markers that the genotype lacks', () => {
    // 1 cM per step of 100 bp, but 10 cM between 200 and 300.
    const rows = linkageMap(['p', '1', 100, 0], ['q', '1', 200, 1], ['r', '1', 300, 11], ['s', '1', 400, 12]);
    const markers = markerTable(['p', '1', 100], ['x', 'chr1', 250], ['y', '1', 350], ['z', '1', 500]);
    const placed = placeMarkers(rows, markers, { missingMarkers: 'interpolate', partOf: markers });
    expect([...placed.positionCm]).toEqual([0, 6, 11.5, 16]);
    expect(placed).toMatchObject({ missing: 3, interpolated: 3 });
    const shuffled = linkageMap(['s', '1', 400, 12], ['q', '1', 200, 1], ['p', '1', 100, 0], ['r', '1', 300, 11]);
    expect(placeMarkers(shuffled, markers, { missingMarkers: 'interpolate' }).positionCm).toEqual(placed.positionCm);
  });

  test('rows without base pairs have those of their marker, also where it is not among those to place', () => {
    const rows = linkageMap(['p', '1', Number.NaN, 0], ['q', '1', Number.NaN, 1], ['r', '1', Number.NaN, 11]);
    // Without a chromosome, base pairs say nothing.
    const all = markerTable(['p', '1', 100], ['q', '1', 200], ['x', '1', 250], ['r', '1', 300], ['s', 'UN', 220]);
    const two = markerTable(['p', '1', 100], ['x', '1', 250]);
    const placed = placeMarkers(rows, two, { missingMarkers: 'interpolate', partOf: all });
    expect([...placed.positionCm]).toEqual([0, 6]);
    const without = placeMarkers(rows, two, { missingMarkers: 'interpolate' });
    expect([...without.positionCm]).toEqual([0, Number.NaN]);
  });

  test('extra markers and another order than the genotype’s are warnings', () => {
    const checked = placeMarkers(
      linkageMap(['a', '1', Number.NaN, 5], ['b', '1', Number.NaN, 1], ['q', '1', Number.NaN, 9]),
      markerTable(['a', '1', 100], ['b', '1', 200]),
    );
    expect(codes(checked.report).map(([code]) => code)).toEqual(['W-LM-ORDER', 'W-LM-EXTRA']);
    expect(problemOf(checked.report, 'W-LM-EXTRA').value).toBe('1');
  });

  test('chromosome names are compared without prefix, case and leading zeros', () => {
    expect(['chr1', 'Chr01', 'CHROMOSOME_1', '1', 'chrom 1'].map(chromosomeKey)).toEqual(['1', '1', '1', '1', '1']);
    expect(['1A', 'chr1a', 'chr', 'X', '0'].map(chromosomeKey)).toEqual(['1a', '1a', 'chr', 'x', '0']);
    expect(['UN', 'chrUn', '0', '.', '', 'Unknown'].filter(isKnownChromosome)).toEqual([]);
    expect(['1', 'X', '1A', 'unitig7', 'Un1'].every(isKnownChromosome)).toBe(true);
  });
});

describe('linkageMapTemplate', () => {
  const markers = markerTable(['a', '1', 1_500_000], ['-b', '1', 42_000_000], ['c', '2', 0]);

  test('mode 1 divides base pairs and says so on the first line', () => {
    const text = [...linkageMapTemplate(markers, { mode: 1, sourceName: 'panel.vcf' })].join('');
    expect(text.split('\n')).toEqual([
      '# Linkage map template; linkMapPos in cM; linkMapPos = physPos / 1000000 bp per cM; source: panel.vcf',
      'chr,physPos,SNPid,linkMapPos',
      '1,1500000,a,1.5',
      "1,42000000,'-b,42",
      '2,,c,',
      '',
    ]);
  });

  test('mode 2 leaves the positions blank', () => {
    const text = [...linkageMapTemplate(markers, { mode: 2, sourceName: 'a\nb' })].join('');
    expect(text.split('\n').slice(0, 3)).toEqual([
      '# Linkage map template; linkMapPos in cM; linkMapPos to be filled in; source: a b',
      'chr,physPos,SNPid,linkMapPos',
      '1,1500000,a,',
    ]);
  });

  test('a template is a map that its genotype accepts', async () => {
    const known = markerTable(['a', '1', 1_500_000], ['-b', '1', 42_000_000]);
    const text = [...linkageMapTemplate(known, { mode: 1, sourceName: 'panel.vcf' })].join('');
    const { map, report } = await readLinkageMap(textSource(text));
    expect(report.problems).toEqual([]);
    if (map === null) throw new Error('no map');
    const checked = placeMarkers(map, known);
    expect([...checked.positionCm]).toEqual([1.5, 42]);
    expect(checked.report.problems).toEqual([]);
  });

  test('another conversion is used, and a senseless one refused', () => {
    const text = [...linkageMapTemplate(markers, { mode: 1, bpPerCm: 500_000, sourceName: 'x' })].join('');
    expect(text).toContain('1,1500000,a,3\n');
    expect(() => [...linkageMapTemplate(markers, { mode: 1, bpPerCm: 0, sourceName: 'x' })]).toThrow(RangeError);
  });

  test('is called after the day', () => {
    expect(linkageMapTemplateFileName(new Date(Date.UTC(2026, 0, 31, 12)))).toBe('2026-01-31_linkageMap_template.csv');
  });
});
