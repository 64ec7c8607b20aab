import { openFileSource } from '@heterosis/file-formats/byte-source';
import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import { readPedigree } from '@heterosis/file-formats/tables/pedigree/read-pedigree';
import { matrixOf, selectRowsAndColumns } from '@heterosis/statgen/linear-algebra';
import { singleStepInPlace, tuneGenomic } from '@heterosis/statgen/pedigree/single-step';
import { beforeAll, describe, expect, test } from 'vitest';
import { differenceFrom, POLYPLOIDS, sim4x, sim4xRows } from '../genotype/polyploid.test-data.ts';
import { openGenotype } from '../inputs/open-genotype.ts';
import { panelKinship } from '../inputs/panel-kinship.ts';
import { blendedRelationships } from '../prediction/single-step.ts';
import { polyploidFigures, polyploidRelationshipsOf } from './pedigree-figures.ts';

/** The references are printed with ten digits after the point. */
const PRINTED = 1e-9;

let table: PedigreeTable;
beforeAll(async () => {
  const source = await openFileSource(sim4x('pedigree.csv'));
  const reading = await readPedigree(source);
  await source.close();
  if (reading.table === null) throw new Error(reading.report.problems[0]?.message);
  table = reading.table;
});

const model = (doubleReduction: number, founders: 'non-inbred' | 'equilibrium' = 'non-inbred') => ({
  ...{ ploidy: 4, doubleReduction, founders },
});

describe('relationships of tetraploids by pedigree', () => {
  test.each([
    ['A_dr0.csv.gz', model(0)],
    ['A_dr0.1.csv.gz', model(0.1)],
    ['A_dr0.1_equilibrium_founders.csv.gz', model(0.1, 'equilibrium')],
  ])('are those of %s', (file, of) => {
    const { individuals, matrix } = polyploidRelationshipsOf(table, polyploidFigures(table, of));
    expect(differenceFrom(file, individuals, matrix.data)).toBeLessThan(PRINTED);
  });

  test('with markers are H of the reference, whose G is of all that are genotyped', async () => {
    const opened = await openGenotype(sim4x('sim4x.vcf.gz'), POLYPLOIDS);
    const { panel } = opened;
    const blocks = { ...panel, markerCount: panel.markers.id.length };
    const markers = { maf: 0.02, callRate: 0 };
    const { kernels } = await panelKinship({ panel: blocks, methods: ['vanraden1'], ...markers }, POLYPLOIDS);
    const { individuals, matrix: a } = polyploidRelationshipsOf(table, polyploidFigures(table, model(0)));
    expect(individuals).toEqual(panel.samples);
    const genotyped = Int32Array.from(individuals.keys()).subarray(60);
    const n = individuals.length;
    const g = selectRowsAndColumns(
      matrixOf(n, n, kernels.vanraden1?.data ?? new Float64Array(0)),
      genotyped,
      genotyped,
    );
    const { genomic } = tuneGenomic(g, selectRowsAndColumns(a, genotyped, genotyped), undefined, 'markers');
    singleStepInPlace(a, genotyped, genomic);
    expect(differenceFrom('H_tau1_omega1_blend0.05.csv.gz', individuals, a.data)).toBeLessThan(PRINTED);
    await opened.close();
  });

  test('with the markers of all are 0.95 G + 0.05 A, on the scale of the markers', async () => {
    const opened = await openGenotype(sim4x('sim4x.vcf.gz'), POLYPLOIDS);
    const { relationships } = polyploidFigures(table, model(0.1));
    const blended = await blendedRelationships(
      opened.panel,
      table,
      {
        maf: 0.02,
        callRate: 0,
        scale: 'markers',
        relate: () => ({ ...relationships, data: relationships.data.slice() }),
      },
      POLYPLOIDS,
    );
    await opened.close();
    expect(blended.figures).toMatchObject({ shift: 0, factor: 1, pedigree_weight: 0.05 });
    const back = blended.matrix.data.map((value, i) => (value - 0.05 * (relationships.data[i] ?? 0)) / 0.95);
    expect(differenceFrom('G_vanraden.csv.gz', blended.individuals, back)).toBeLessThan(PRINTED);
    expect(sim4xRows('pedigree.csv')).toHaveLength(blended.individuals.length);
  });
});
