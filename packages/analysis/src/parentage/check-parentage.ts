import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import type { AllelePlanes } from '@heterosis/statgen/parentage/allele-planes';
import { type AnalysisContext, reportProgress } from '../context.ts';
import type { NameMatching } from '../inputs/align-phenotype.ts';
import { type ComparedCalls, type ComparedPanel, readComparedCalls } from './compared-calls.ts';
import { explainConflicts, type Suspect, type Swap } from './explain-conflicts.ts';
import { descentByMarkers, familiesOf, type SampleFamilies } from './families.ts';
import { likelihoodsOf } from './family-likelihoods.ts';
import { findLikelyParents, type LikelyParents, type Seeker } from './likely-parents.ts';
import { type TestedFamily, testFamilies } from './test-families.ts';

export interface ParentageInput {
  panel: ComparedPanel;
  /** The pedigree to compare with; without it copies and likely parents are found. */
  pedigree?: PedigreeTable;
  matching?: NameMatching;
  /** Share of wrong calls, ε, 0 < ε < 0.5. */
  errorRate: number;
  /** Of polyploids, probability that two genes of a gamete are copies of one of the parent, 0 (default) to 1/6. */
  doubleReduction?: number;
  /** Whose parents are sought: of individuals without confirmed parents, of all, or of nobody. */
  seek: 'unconfirmed' | 'all' | 'none';
}

/** Two samples with almost the same calls. */
export interface Copy {
  first: number;
  second: number;
  /** Markers called in both, and the share of equal calls among them. */
  markers: number;
  identity: number;
}

export interface Parentage {
  samples: readonly string[];
  /** Markers compared, of those with both alleles. */
  markers: number;
  polymorphic: number;
  errorRate: number;
  /** Samples in the pedigree; null without one. */
  inPedigree: number | null;
  families: TestedFamily[];
  copies: Copy[];
  suspects: Suspect[];
  swaps: Swap[];
  likely: LikelyParents[];
  ploidy: number;
  /** Mean share of opposite homozygotes of all pairs; in polyploids of dosages that parent and child never have. */
  opposingShare: number;
}

/** Pairs with more than this share of equal calls are copies, as in the check of a genotype file. */
const COPY_IDENTITY = 0.99;
/** A pair called together at a smaller share of the markers is no copy. */
const FEWEST_CALLED = 0.5;

/**
 * Compares the genotypes of a panel with a pedigree: conflicts of parents and progeny, copies, swapped samples, and the
 * most likely parents among all genotyped individuals. Polyploids of ploidy k are compared by their dosages: a child
 * has k/2 of the copies of each parent. Memory: a quarter of a byte a call, (k + 1)/8 of polyploids (at most 1 GB), and
 * 8 bytes for each of 1,000 × individuals.
 *
 * @throws AnalysisError `parentage/too-many-individuals`, `parentage/few-markers`, `parentage/nothing-in-pedigree`
 */
export async function checkParentage(input: ParentageInput, context: AnalysisContext): Promise<Parentage> {
  const { panel, pedigree, errorRate, doubleReduction = 0, seek } = input;
  setComputeThreads(context.threads);
  const calls = await readComparedCalls(panel, { errorRate, doubleReduction }, context);
  const { planes } = calls;
  reportProgress(context, 'match', 0, 1);
  const known = pedigree && familiesOf(panel.samples, pedigree, calls.inbreeding, input.matching);
  const { copies, opposingShare } = compareAll(planes, context);
  const recorded = known?.families ?? [];
  const families = testFamilies(planes, recorded, await likelihoodsOf(calls, recorded), errorRate);
  const seekers = seek === 'none' ? [] : seekersAmong(calls, families, known, copies, seek);
  const isParent = known?.isParent ?? new Uint8Array(panel.samples.length);
  return {
    samples: panel.samples,
    ...{ markers: planes.markers, polymorphic: calls.polymorphic, errorRate, opposingShare },
    ploidy: calls.transmission.ploidy ?? 2,
    inPedigree: known?.inPedigree ?? null,
    ...{ families, copies },
    ...explainConflicts(planes, families, errorRate),
    likely: await findLikelyParents(calls, seekers, isParent, context),
  };
}

function compareAll(planes: AllelePlanes, context: AnalysisContext): { copies: Copy[]; opposingShare: number } {
  const copies: Copy[] = [];
  let [markers, opposing] = [0, 0];
  for (let first = 0; first < planes.individuals; first++) {
    if (first % 64 === 0) reportProgress(context, 'test', first, planes.individuals);
    const count = planes.individuals - first - 1;
    const pairs = planes.comparePairs(first, first + 1, count);
    for (let k = 0; k < count; k++) {
      markers += pairs.called[k];
      opposing += pairs.opposing[k];
      const identity = 1 - pairs.different[k] / pairs.called[k];
      if (identity > COPY_IDENTITY && pairs.called[k] >= FEWEST_CALLED * planes.markers) {
        copies.push({ first, second: first + 1 + k, markers: pairs.called[k], identity });
      }
    }
  }
  return { copies, opposingShare: markers === 0 ? 0 : opposing / markers };
}

function seekersAmong(
  { inbreeding }: ComparedCalls,
  families: readonly TestedFamily[],
  known: SampleFamilies | undefined,
  copies: readonly Copy[],
  seek: 'unconfirmed' | 'all',
): Seeker[] {
  const familyOf = new Map(families.map((family) => [family.child, family]));
  const copiesOf = new Map<number, number[]>();
  for (const { first, second } of copies) {
    copiesOf.set(first, [...(copiesOf.get(first) ?? []), second]);
    copiesOf.set(second, [...(copiesOf.get(second) ?? []), first]);
  }
  return Array.from(inbreeding.keys()).flatMap((child): Seeker[] => {
    const family = familyOf.get(child);
    if (seek === 'unconfirmed' && family?.verdict === 'CONFIRMED') return [];
    const { rule, heterozygosity } =
      family === undefined || family.rule === 'clone' ? descentByMarkers(inbreeding[child]) : family;
    const excluded = new Set([child, ...(copiesOf.get(child) ?? []), ...(known?.descendantsOf(child) ?? [])]);
    return [{ child, rule, heterozygosity, excluded }];
  });
}
