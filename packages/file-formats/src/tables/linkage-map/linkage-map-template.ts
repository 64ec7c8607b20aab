import { type CsvValue, csvChunks } from '../text/csv-writer.ts';

/** Base pairs per centimorgan if nothing better is known. */
export const DEFAULT_BP_PER_CM = 1_000_000;

export interface LinkageMapTemplateOptions {
  /** 1: map position = physical position / `bpPerCm`; 2: map position left blank for the user to fill in. */
  mode: 1 | 2;
  bpPerCm?: number;
  /** Name of the genotype file, for the comment on the first line. */
  sourceName: string;
}

/** The markers listed in a template; the fields of a marker table. */
export interface TemplateMarkers {
  id: readonly string[];
  chromosome: readonly string[];
  /** Base pairs; 0 when unknown. */
  positionBp: ArrayLike<number>;
}

/**
 * A linkage map template for a genotype's markers, to be filled in or uploaded unchanged, as chunks of CSV text: a
 * comment with the unit (cM) and the source, then chr, physPos, SNPid, linkMapPos. Unknown positions are blank. Throws
 * RangeError unless `bpPerCm` is positive.
 */
export function* linkageMapTemplate(
  markers: TemplateMarkers,
  options: LinkageMapTemplateOptions,
): Generator<string, void, undefined> {
  const bpPerCm = options.bpPerCm ?? DEFAULT_BP_PER_CM;
  if (!(bpPerCm > 0) || !Number.isFinite(bpPerCm)) throw new RangeError(`bpPerCm must be positive, not ${bpPerCm}`);
  const source = options.sourceName.replace(/[\r\n]+/g, ' ');
  const rule = options.mode === 1 ? `linkMapPos = physPos / ${bpPerCm} bp per cM` : 'linkMapPos to be filled in';
  yield `# Linkage map template; linkMapPos in cM; ${rule}; source: ${source}\n`;
  function* rows(): Generator<CsvValue[]> {
    for (let i = 0; i < markers.id.length; i++) {
      const bp = markers.positionBp[i] > 0 ? markers.positionBp[i] : null;
      yield [markers.chromosome[i], bp, markers.id[i], bp === null || options.mode === 2 ? null : bp / bpPerCm];
    }
  }
  yield* csvChunks(['chr', 'physPos', 'SNPid', 'linkMapPos'], rows());
}

/** Default name of the download: the date, then `_linkageMap_template.csv`. */
export function linkageMapTemplateFileName(date: Date): string {
  return `${date.toISOString().slice(0, 10)}_linkageMap_template.csv`;
}
