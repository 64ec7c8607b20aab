import type { PanelDosages } from './dosages.ts';
import type { GenotypePanel, MarkerTable } from './genotype-panel.ts';

/** Consecutive markers of a panel on the same chromosome. */
export interface ChromosomeRun {
  chromosome: string;
  /** 0-based place of the first marker. */
  first: number;
  count: number;
  /** Smallest and largest position among them, in base pairs; 0 when unknown. */
  firstBp: number;
  lastBp: number;
}

/**
 * A panel of which only what is asked for is in memory, so that the number of markers does not matter. Otherwise as
 * {@link GenotypePanel}.
 */
export interface PanelBlocks {
  readonly samples: string[];
  readonly markerCount: number;
  /** Packed calls of `count` markers from marker `first` (0-based): count × ceil(n/4) bytes. */
  readPacked(first: number, count: number): Promise<Uint8Array>;
  /** As in a {@link GenotypePanel}. */
  readonly dosages?: PanelDosages | undefined;
  /** Names, places and alleles of the same markers. */
  readMarkers(first: number, count: number): Promise<MarkerTable>;
  /** The chromosomes as they follow each other; one that comes back later has several runs. */
  chromosomeRuns(): Promise<ChromosomeRun[]>;
  close(): Promise<void>;
}

/** A panel that is in memory with all its markers, for analyses that read by blocks. */
export function blocksOf({ samples, markers, readPacked, dosages, close }: GenotypePanel): PanelBlocks {
  return {
    samples,
    markerCount: markers.positionBp.length,
    readPacked,
    dosages,
    readMarkers: async (first, count) => {
      const end = first + count;
      return {
        id: markers.id.slice(first, end),
        chromosome: markers.chromosome.slice(first, end),
        positionBp: markers.positionBp.subarray(first, end),
        a1: markers.a1.slice(first, end),
        a2: markers.a2.slice(first, end),
      };
    },
    chromosomeRuns: async () => {
      const runs: ChromosomeRun[] = [];
      for (const [j, chromosome] of markers.chromosome.entries()) addToRuns(runs, chromosome, j, markers.positionBp[j]);
      return runs;
    },
    close,
  };
}

/** Counts marker `place`, which follows those counted before. */
export function addToRuns(runs: ChromosomeRun[], chromosome: string, place: number, positionBp: number): void {
  const last = runs.at(-1);
  if (last?.chromosome === chromosome) {
    last.count++;
    last.firstBp = Math.min(last.firstBp, positionBp);
    last.lastBp = Math.max(last.lastBp, positionBp);
  } else {
    runs.push({ chromosome, first: place, count: 1, firstBp: positionBp, lastBp: positionBp });
  }
}
