import {
  type BlockDosages,
  dosageUnits,
  MISSING_DOSAGE,
  MISSING_POLYPLOID,
  type PanelDosages,
  POLYPLOID_UNITS,
} from './dosages.ts';
import type { GenotypePanel, MarkerTable } from './genotype-panel.ts';
import { chooseCalls, packedLength } from './packed-calls.ts';
import { addToRuns, type ChromosomeRun, type PanelBlocks } from './panel-blocks.ts';

/** Places in a panel, ascending; null takes all. */
export interface PanelSubset {
  samples: ArrayLike<number> | null;
  markers: ArrayLike<number> | null;
}

/** Chosen markers that lie within this many times their number are read together, the others run by run. */
const READ_WITHIN = 4;
/** Markers whose names and places are read at once. */
const TABLE_BLOCK = 4096;

/**
 * A view of the chosen samples and markers of a panel. Closing the view closes the panel. Of a panel whose samples
 * differ in ploidy, samples of one are a panel of that ploidy.
 */
export function subsetPanel(panel: GenotypePanel, subset: PanelSubset): GenotypePanel {
  return {
    ...callsOf(panel, panel.markers.id.length, subset),
    markers: subset.markers === null ? panel.markers : chosenRows(panel.markers, subset.markers),
    close: () => panel.close(),
  };
}

/** As {@link subsetPanel}, for a panel that is read by blocks. */
export function subsetBlocks(panel: PanelBlocks, subset: PanelSubset): PanelBlocks {
  const { markers } = subset;
  const readMarkers = async (first: number, count: number): Promise<MarkerTable> => {
    if (markers === null) return panel.readMarkers(first, count);
    const table: MarkerTable = { id: [], chromosome: [], positionBp: new Float64Array(count), a1: [], a2: [] };
    for (const part of spans(markers, first, count)) {
      const read = await panel.readMarkers(part.from, part.length);
      const chosen = chosenRows(read, part.places);
      table.positionBp.set(chosen.positionBp, table.id.length);
      for (const column of ['id', 'chromosome', 'a1', 'a2'] as const)
        for (const value of chosen[column]) table[column].push(value);
    }
    return table;
  };
  return {
    ...callsOf(panel, panel.markerCount, subset),
    markerCount: markers?.length ?? panel.markerCount,
    readMarkers,
    chromosomeRuns: async () => {
      if (markers === null) return panel.chromosomeRuns();
      const runs: ChromosomeRun[] = [];
      for (let first = 0; first < markers.length; first += TABLE_BLOCK) {
        const { chromosome, positionBp } = await readMarkers(first, Math.min(TABLE_BLOCK, markers.length - first));
        for (const [k, name] of chromosome.entries()) addToRuns(runs, name, first + k, positionBp[k]);
      }
      return runs;
    },
    close: () => panel.close(),
  };
}

type Calls = Pick<GenotypePanel, 'samples' | 'readPacked' | 'dosages'>;

function callsOf(panel: Calls, markerCount: number, { samples, markers }: PanelSubset): Calls {
  const columns = samples && Int32Array.from(samples);
  const rows = markers ?? Int32Array.from({ length: markerCount }, (_, j) => j);
  const width = panel.samples.length;
  const stride = packedLength(width);
  const chosenStride = columns === null ? stride : packedLength(columns.length);
  return {
    samples: columns === null ? panel.samples : Array.from(columns, (i) => panel.samples[i]),
    async readPacked(first, count) {
      const chosen = new Uint8Array(count * chosenStride);
      let k = 0;
      for (const { from, length, places } of spans(rows, first, count)) {
        const packed = await panel.readPacked(from, length);
        if (columns === null && places.length === length) {
          chosen.set(packed, k * stride);
          k += length;
          continue;
        }
        for (const place of places) {
          if (columns === null) {
            chosen.set(packed.subarray(place * stride, (place + 1) * stride), k * stride);
          } else chooseCalls(packed, place * stride, columns, chosen, k * chosenStride);
          k++;
        }
      }
      return chosen;
    },
    dosages: panel.dosages && ofOwnPloidy(subsetDosages(panel.dosages, width, rows, columns)),
  };
}

/** Neighbours that are read together. */
interface Span {
  /** The first marker read, and how many. */
  from: number;
  length: number;
  /** Chosen markers among them, from `from`. */
  places: number[];
}

/** What to read for `count` of the ascending `rows` from `first` on. */
function spans(rows: ArrayLike<number>, first: number, count: number): Span[] {
  if (count === 0) return [];
  const from = rows[first];
  const length = rows[first + count - 1] - from + 1;
  if (length >= count && length <= READ_WITHIN * count) {
    return [{ from, length, places: Array.from({ length: count }, (_, k) => rows[first + k] - from) }];
  }
  const runs: Span[] = [];
  for (let k = 0; k < count; ) {
    const start = rows[first + k];
    let run = 1;
    while (k + run < count && rows[first + k + run] === start + run) run++;
    runs.push({ from: start, length: run, places: Array.from({ length: run }, (_, j) => j) });
    k += run;
  }
  return runs;
}

function chosenRows({ id, chromosome, positionBp, a1, a2 }: MarkerTable, rows: ArrayLike<number>): MarkerTable {
  const chosen = (column: string[]) => Array.from(rows, (j) => column[j]);
  return {
    id: chosen(id),
    chromosome: chosen(chromosome),
    positionBp: Float64Array.from(rows, (j) => positionBp[j]),
    a1: chosen(a1),
    a2: chosen(a2),
  };
}

/**
 * The dosages of chosen markers, in any order, and samples (null: all). `callCount` stays that of the whole panel.
 */
export function subsetDosages(
  dosages: PanelDosages,
  sampleCount: number,
  markers: ArrayLike<number>,
  samples: ArrayLike<number> | null,
): PanelDosages {
  const width = samples?.length ?? sampleCount;
  let markerCount = 0;
  for (let j = 0; j < markers.length; j++) markerCount += Number(dosages.hasFraction(markers[j]));
  return {
    markerCount,
    callCount: dosages.callCount,
    ...(dosages.ploidy === undefined ? {} : { ploidy: dosages.ploidy }),
    ...(dosages.ploidies === undefined
      ? {}
      : {
          ploidies: samples === null ? dosages.ploidies : Uint8Array.from(samples, (i) => dosages.ploidies?.[i] ?? 0),
        }),
    has: (marker) => dosages.has(markers[marker]),
    hasFraction: (marker) => dosages.hasFraction(markers[marker]),
    async read(first, count) {
      const { ploidy } = dosages;
      const size = count * width;
      const chosen: BlockDosages = {
        rows: new Int32Array(count).fill(-1),
        values: ploidy === undefined ? new Uint16Array(size) : new Uint32Array(size),
        ...(ploidy === undefined ? {} : { ploidy }),
      };
      let found = 0;
      for (let k = 0; k < count; ) {
        const marker = markers[first + k];
        if (!dosages.has(marker)) {
          k++;
          continue;
        }
        // Neighbours that have dosages are read together.
        let run = 1;
        while (k + run < count && markers[first + k + run] === marker + run && dosages.has(marker + run)) run++;
        const read = (await dosages.read(marker, run))?.values ?? new Uint16Array(0);
        for (let j = 0; j < run; j++, k++) {
          const from = j * sampleCount;
          const place = width * found;
          for (let i = 0; i < width; i++) chosen.values[place + i] = read[from + (samples === null ? i : samples[i])];
          chosen.rows[k] = found++;
        }
      }
      return found === 0 ? undefined : chosen;
    },
  };
}

/** Dosages whose samples may have turned out to have one ploidy. */
function ofOwnPloidy(dosages: PanelDosages): PanelDosages | undefined {
  const { ploidies, ...others } = dosages;
  const [ploidy = 2, ...further] = new Set(ploidies);
  if (ploidies === undefined || further.length > 0) return dosages;
  if (ploidy === 2) return dosages.markerCount === 0 ? undefined : ofDiploids(dosages);
  return {
    ...others,
    ploidy,
    read: async (first, count) => {
      const block = await dosages.read(first, count);
      return block && { ...block, ploidy };
    },
  };
}

/** Of diploids: rows of those markers that have fractions, in the units of diploids. */
function ofDiploids(dosages: PanelDosages): PanelDosages {
  return {
    markerCount: dosages.markerCount,
    callCount: dosages.callCount,
    has: (marker) => dosages.hasFraction(marker),
    hasFraction: (marker) => dosages.hasFraction(marker),
    async read(first, count) {
      const block = await dosages.read(first, count);
      if (block === undefined) return undefined;
      const rows = block.rows.map((row, k) => (dosages.hasFraction(first + k) ? row : -1));
      if (rows.every((row) => row < 0)) return undefined;
      const values = Uint16Array.from(block.values, (units) =>
        units === MISSING_POLYPLOID ? MISSING_DOSAGE : dosageUnits(units / POLYPLOID_UNITS),
      );
      return { rows, values };
    },
  };
}
