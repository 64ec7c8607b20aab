import { ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
import type { MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { subsetBlocks } from '@heterosis/file-formats/genotype/panel/subset-panel';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { dosageR2 } from '@heterosis/statgen/association/linkage-disequilibrium';
import { dosageClasses } from '@heterosis/statgen/genotypes/dosage-classes';
import { type ClumpingRule, clumpByLd } from '@heterosis/statgen/linkage/clump-by-ld';
import { haplotypeR2 } from '@heterosis/statgen/linkage/haplotype-r2';
import { createMarkerPlanes, setMarkerPlanes } from '@heterosis/statgen/linkage/pairwise-r2';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { markerRanges, readRange } from '../inputs/open-panel.ts';
import type { GwasColumns } from './gwas-columns.ts';

export type { ClumpingRule };

/** A tested marker; field names as in the API. */
export interface ClumpedMarker {
  id: string;
  chr: string;
  pos: number;
  p: number;
}

/** Hits in LD with the strongest of them; field names as in the API. */
export interface NamedClump extends ClumpedMarker {
  /** The others, by position in the panel. */
  members: ClumpedMarker[];
}

/** Gathers the hits of a GWAS and puts them together, see `clumpByLd`. */
export interface HitGatherer {
  /** Results of the next markers, in the order of the panel. */
  add(columns: Pick<GwasColumns, 'markerIndex' | 'p' | 'negLog10P'>): void;
  /**
   * LD is that of the calls of the individuals analysed; in polyploids that of their dosages.
   *
   * @returns clumps by ascending p
   */
  finish(panel: PanelBlocks, individuals: Int32Array, context: AnalysisContext): Promise<NamedClump[]>;
}

/** Holds the markers with p up to `rule.p2` only. */
export function createHitGatherer(rule: ClumpingRule): HitGatherer {
  const hits: { place: number; p: number; negLog10P: number }[] = [];
  return {
    add({ markerIndex, p, negLog10P }) {
      for (const [j, place] of markerIndex.entries()) {
        if (p[j] <= rule.p2) hits.push({ place, p: p[j], negLog10P: negLog10P[j] });
      }
    },
    async finish(panel, individuals, context) {
      const places = hits.map(({ place }) => place);
      const chosen = subsetBlocks(panel, { samples: individuals, markers: places });
      const { r2Of, markers } = await readHits(chosen, context);
      const chromosomes = [...new Set(markers.chromosome)];
      const clumps = clumpByLd(
        r2Of,
        {
          chromosome: Int32Array.from(markers.chromosome, (name) => chromosomes.indexOf(name)),
          positionBp: markers.positionBp,
          negLog10P: Float64Array.from(hits, ({ negLog10P }) => negLog10P),
        },
        rule,
      );
      const named = (k: number): ClumpedMarker => ({
        ...{ id: markers.id[k], chr: markers.chromosome[k] },
        ...{ pos: markers.positionBp[k], p: hits[k].p },
      });
      return clumps.map(({ index, members }) => ({ ...named(index), members: members.map(named) }));
    },
  };
}

async function readHits(panel: PanelBlocks, context: AnalysisContext) {
  const n = panel.samples.length;
  const stride = packedLength(n);
  // Haplotypes of polyploids cannot be told from pairs of calls: their dosages are correlated.
  const classes = ploidyOf(panel) === 2 ? null : Array.from({ length: panel.markerCount }, () => new Uint8Array(n));
  const planes = createMarkerPlanes(n, classes === null ? panel.markerCount : 0);
  const markers: MarkerTable = {
    id: [],
    chromosome: [],
    positionBp: new Float64Array(panel.markerCount),
    a1: [],
    a2: [],
  };
  for (const { first, count } of markerRanges(panel.markerCount)) {
    reportProgress(context, 'write', first, panel.markerCount);
    const calls = await readRange(panel, { first, count });
    for (let k = 0; k < count; k++) {
      if (classes === null) setMarkerPlanes(planes, first + k, calls.packed, k * stride, n);
      else dosageClasses(calls, k, { panelSize: n }, classes[first + k]);
    }
    const table = await panel.readMarkers(first, count);
    markers.positionBp.set(table.positionBp, first);
    for (const column of ['id', 'chromosome'] as const) for (const value of table[column]) markers[column].push(value);
  }
  const r2Of = (index: number, other: number): number =>
    classes === null ? haplotypeR2(planes, index, other) : dosageR2(classes[index], classes[other]);
  return { r2Of, markers };
}

/** A row for each clump: its strongest marker, how many others it has, where they lie, and their names. */
export function clumpsCsv(clumps: readonly NamedClump[]): Iterable<string> {
  const rows = clumps.map(({ id, chr, pos, p, members }) => {
    const positions = [pos, ...members.map((member) => member.pos)];
    const span = [Math.min(...positions), Math.max(...positions)];
    return [id, chr, pos, p, members.length, ...span, members.map((member) => member.id).join(' ')];
  });
  return csvChunks(['id', 'chr', 'pos', 'p', 'others', 'first_pos', 'last_pos', 'members'], rows);
}
