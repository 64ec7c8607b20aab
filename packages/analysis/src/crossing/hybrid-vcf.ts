import { deflateBgzf } from '@heterosis/file-formats/compression/bgzf';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { HET, HOM_A2, MISSING, packedLength, unpackCalls } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { parentsLine } from '@heterosis/file-formats/genotype/vcf-parents';
import { type VcfRow, writeVcfRows } from '@heterosis/file-formats/genotype/writers/write-vcf';
import type { Cross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { markerRanges } from '../inputs/open-panel.ts';

export interface HybridInput {
  panel: GenotypePanel;
  /** Crosses of two parents, named as in the panel. */
  crosses: readonly Cross[];
}

/** A parent with a larger share of heterozygous calls is no inbred line. */
const MAX_HETEROZYGOUS_SHARE = 0.05;
const NAMED = 5;

/** Counts of what was written, complete once the file is. */
export interface HybridCounts {
  hybrids: number;
  markers: number;
  /** Calls left missing: missing in a parent, and heterozygous in one. */
  missing: number;
  heterozygous: number;
}

/**
 * Genotypes of the F1 hybrids of inbred parents as a phased VCF: the allele of the female, then that of the male. All
 * F1 plants of two inbred lines are alike, so that a hybrid is one sample, with the name of its cross. Where a nearly
 * inbred parent is heterozygous its F1 plants differ; the call of the hybrid is then missing, and counted. The header
 * names the parents of each hybrid.
 *
 * @throws AnalysisError `crossing/not-two-parents`; `crossing/heterozygous-parents` for parents of which more than 5 %
 * of the calls are heterozygous
 */
export async function hybridVcf(
  { panel, crosses }: HybridInput,
  isCompressed: boolean,
  context: AnalysisContext,
): Promise<{ bytes: AsyncIterable<Uint8Array>; counts: HybridCounts }> {
  requireBiparental(crosses);
  const columnOf = new Map(panel.samples.map((name, i) => [name, i]));
  const columns = crosses.map(({ female, male }) => [columnOf.get(female) ?? -1, columnOf.get(male) ?? -1] as const);
  if (columns.flat().includes(-1)) throw new RangeError('a parent is not in the panel');
  await requireInbred(panel, [...new Set(columns.flat())], context);
  const counts: HybridCounts = {
    hybrids: crosses.length,
    markers: panel.markers.id.length,
    missing: 0,
    heterozygous: 0,
  };
  const text = writeVcfRows({
    samples: crosses.map(({ name }) => name),
    markers: panel.markers,
    meta: crosses.map(parentsLine),
    rows: hybridRows(panel, columns, counts, context),
  });
  return { bytes: isCompressed ? deflateBgzf(text) : text, counts };
}

function requireBiparental(crosses: readonly Cross[]): void {
  const other = crosses.find(({ parent3, female, male }) => parent3 !== undefined || female === male);
  if (other === undefined) return;
  throw new AnalysisError(
    'crossing/not-two-parents',
    `The cross ${other.name} is not one of two different parents, and its progeny are not alike.`,
    'Leave crosses of three or four parents and selfings out of the crossing table.',
  );
}

async function requireInbred(
  panel: GenotypePanel,
  parents: readonly number[],
  context: AnalysisContext,
): Promise<void> {
  const heterozygous = new Float64Array(panel.samples.length);
  const called = new Float64Array(panel.samples.length);
  for await (const codes of markerCodes(panel, context, 'read')) {
    for (const i of parents) {
      if (codes[i] === HET) heterozygous[i]++;
      if (codes[i] !== MISSING) called[i]++;
    }
  }
  const outbred = parents.filter((i) => heterozygous[i] > MAX_HETEROZYGOUS_SHARE * called[i]);
  if (outbred.length === 0) return;
  const names = outbred.slice(0, NAMED).map((i) => panel.samples[i]);
  const rest = outbred.length - names.length;
  throw new AnalysisError(
    'crossing/heterozygous-parents',
    `More than ${100 * MAX_HETEROZYGOUS_SHARE} % of the calls of ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''} are heterozygous: their F1 plants are not alike.`,
    'Use inbred parents, or simulate the crosses with F1 as the population.',
    { parents: outbred.map((i) => panel.samples[i]) },
  );
}

async function* hybridRows(
  panel: GenotypePanel,
  columns: readonly (readonly [number, number])[],
  counts: HybridCounts,
  context: AnalysisContext,
): AsyncGenerator<VcfRow> {
  let marker = 0;
  for await (const codes of markerCodes(panel, context, 'write')) {
    yield {
      marker: marker++,
      writeCalls(lines) {
        for (const [female, male] of columns) {
          const [one, other] = [codes[female], codes[male]];
          if (one === MISSING || other === MISSING) counts.missing++;
          else if (one === HET || other === HET) counts.heterozygous++;
          const isCalled = one !== MISSING && other !== MISSING && one !== HET && other !== HET;
          lines.text(isCalled ? `\t${one === HOM_A2 ? 1 : 0}|${other === HOM_A2 ? 1 : 0}` : '\t.|.');
        }
      },
    };
  }
}

/** The calls of one marker after the other; the array is used again. */
async function* markerCodes(
  panel: GenotypePanel,
  context: AnalysisContext,
  stage: 'read' | 'write',
): AsyncGenerator<Uint8Array> {
  const codes = new Uint8Array(panel.samples.length);
  const rowBytes = packedLength(panel.samples.length);
  const ranges = markerRanges(panel.markers.id.length);
  for (const [block, { first, count }] of ranges.entries()) {
    reportProgress(context, stage, block, ranges.length);
    const packed = await panel.readPacked(first, count);
    for (let k = 0; k < count; k++) {
      unpackCalls(packed, codes, k * rowBytes);
      yield codes;
    }
  }
}
