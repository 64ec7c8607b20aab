import type { MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { UNKNOWN_CHROMOSOME } from '@heterosis/file-formats/genotype/panel/marker-columns';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { markerRanges } from './open-panel.ts';

/** Positions of the markers of a panel, in 12 bytes per marker. */
export interface MarkerPlaces {
  /** Names of the chromosomes in order of first appearance. */
  chromosomes: string[];
  /** Index into `chromosomes`, one entry per marker. */
  chromosomeOf: Int32Array;
  /** Base pairs; 0 when unknown. */
  positionBp: Float64Array;
}

/** Markers read at a time; their names and alleles are discarded immediately. */
const MARKERS_AT_ONCE = 8192;

/** Reads the positions of all markers without keeping their names. */
export async function readMarkerPlaces(panel: Pick<PanelBlocks, 'markerCount' | 'readMarkers'>): Promise<MarkerPlaces> {
  const collector = createCollector(panel.markerCount);
  for (const { first, count } of markerRanges(panel.markerCount, MARKERS_AT_ONCE)) {
    collector.add(await panel.readMarkers(first, count), first);
  }
  return collector.places;
}

/** Positions of markers in memory. */
export function markerPlacesOf(markers: Pick<MarkerTable, 'chromosome' | 'positionBp'>): MarkerPlaces {
  const collector = createCollector(markers.positionBp.length);
  collector.add(markers, 0);
  return collector.places;
}

/** Whether distances on this chromosome are meaningful. */
export function isKnownChromosome(name: string): boolean {
  return name !== UNKNOWN_CHROMOSOME && name !== '0';
}

function createCollector(markerCount: number): {
  places: MarkerPlaces;
  add: (markers: Pick<MarkerTable, 'chromosome' | 'positionBp'>, first: number) => void;
} {
  const indexOf = new Map<string, number>();
  const chromosomes: string[] = [];
  const places = {
    chromosomes,
    chromosomeOf: new Int32Array(markerCount),
    positionBp: new Float64Array(markerCount),
  };
  return {
    places,
    add({ chromosome, positionBp }, first) {
      places.positionBp.set(positionBp, first);
      let name = '';
      let index = -1;
      for (let j = 0; j < chromosome.length; j++) {
        if (chromosome[j] !== name || index < 0) {
          name = chromosome[j];
          index = indexOf.get(name) ?? chromosomes.push(name) - 1;
          indexOf.set(name, index);
        }
        places.chromosomeOf[first + j] = index;
      }
    },
  };
}
