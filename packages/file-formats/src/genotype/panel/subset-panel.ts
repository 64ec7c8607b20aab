import type { BlockDosages, PanelDosages } from './dosages.ts';
import type { GenotypePanel } from './genotype-panel.ts';
import { packCalls, packedLength, unpackCalls } from './packed-calls.ts';

/** Places in a panel, ascending; null takes all. */
export interface PanelSubset {
  samples: readonly number[] | null;
  markers: readonly number[] | null;
}

/** A view of the chosen samples and markers of a panel. Closing the view closes the panel. */
export function subsetPanel(panel: GenotypePanel, subset: PanelSubset): GenotypePanel {
  const { id, chromosome, positionBp, a1, a2 } = panel.markers;
  const rows = subset.markers ?? Array.from(id.keys());
  const columns = subset.samples;
  const stride = packedLength(panel.samples.length);
  const chosenStride = columns === null ? stride : packedLength(columns.length);
  return {
    samples: columns === null ? panel.samples : columns.map((i) => panel.samples[i]),
    markers: {
      id: rows.map((j) => id[j]),
      chromosome: rows.map((j) => chromosome[j]),
      positionBp: Float64Array.from(rows, (j) => positionBp[j]),
      a1: rows.map((j) => a1[j]),
      a2: rows.map((j) => a2[j]),
    },
    async readPacked(first, count) {
      const chosen = new Uint8Array(count * chosenStride);
      const all = new Uint8Array(panel.samples.length);
      const codes = new Uint8Array(columns?.length ?? 0);
      for (let k = 0; k < count; ) {
        // Adjacent markers are read together.
        const from = rows[first + k];
        let run = 1;
        while (k + run < count && rows[first + k + run] === from + run) run++;
        const packed = await panel.readPacked(from, run);
        if (columns === null) {
          chosen.set(packed, k * stride);
        } else {
          for (let j = 0; j < run; j++) {
            unpackCalls(packed, all, j * stride);
            for (let i = 0; i < codes.length; i++) codes[i] = all[columns[i]];
            packCalls(codes, chosen, (k + j) * chosenStride);
          }
        }
        k += run;
      }
      return chosen;
    },
    dosages: panel.dosages && subsetDosages(panel.dosages, panel.samples.length, rows, columns),
    close: () => panel.close(),
  };
}

/**
 * The dosages of chosen markers, in any order, and samples (null: all). `callCount` stays that of the whole panel.
 */
export function subsetDosages(
  dosages: PanelDosages,
  sampleCount: number,
  markers: readonly number[],
  samples: readonly number[] | null,
): PanelDosages {
  const width = samples?.length ?? sampleCount;
  return {
    markerCount: markers.reduce((count, marker) => count + Number(dosages.has(marker)), 0),
    callCount: dosages.callCount,
    has: (marker) => dosages.has(markers[marker]),
    async read(first, count) {
      const chosen: BlockDosages = { rows: new Int32Array(count).fill(-1), values: new Uint16Array(count * width) };
      let found = 0;
      for (let k = 0; k < count; k++) {
        const marker = markers[first + k];
        if (!dosages.has(marker)) continue;
        const row = (await dosages.read(marker, 1))?.values ?? new Uint16Array(0);
        const place = width * found;
        for (let i = 0; i < width; i++) chosen.values[place + i] = row[samples === null ? i : samples[i]];
        chosen.rows[k] = found++;
      }
      return found === 0 ? undefined : chosen;
    },
  };
}
