import { GrowingFloat64, GrowingInt32 } from '../../growing-array.ts';
import type { MarkerTable } from './genotype-panel.ts';
import { MarkerIds } from './marker-ids.ts';
import type { CallCounts } from './sample-counter.ts';

/** Chromosome of markers whose file gives none. */
export const UNKNOWN_CHROMOSOME = 'UN';

/** Allele whose name the file does not tell. */
export const UNKNOWN_ALLELE = '.';

/** One marker as a reader hands it over; its calls stand in the writer's `row`. */
export interface MarkerRecord {
  /**
   * Null when the file gives no id, or when the id is shared by the parts of a split row: one is made from the
   * position.
   */
  id: string | null;
  chromosome: string;
  /** Base pairs, 1-based; 0 when unknown. */
  positionBp: number;
  a1: string;
  a2: string;
  /** 1-based line of the file, 0 when a line has no meaning for the format. */
  line: number;
  /** True when several alternatives were split, so that position alone does not name the marker. */
  isSplit?: boolean;
}

/** What is known of the markers of a panel that is being written, in file order. */
export class MarkerColumns {
  readonly ids: MarkerIds = new MarkerIds();
  readonly chromosomes: string[] = [];
  /** Index into `chromosomes`. */
  readonly chromosomeOf: GrowingInt32 = new GrowingInt32();
  /** Base pairs, 0 when unknown. */
  readonly positions: GrowingFloat64 = new GrowingFloat64();
  /** 1-based lines of the file, 0 when they have no meaning. */
  readonly lines: GrowingInt32 = new GrowingInt32();
  readonly a1: string[] = [];
  readonly a2: string[] = [];
  readonly missing: GrowingInt32 = new GrowingInt32();
  readonly het: GrowingInt32 = new GrowingInt32();
  readonly a2Copies: GrowingInt32 = new GrowingInt32();
  /** Markers whose position does not name them alone. */
  readonly split: Set<number> = new Set();
  /** Markers whose id is not from the file. */
  readonly imputed: Set<number> = new Set();
  readonly #chromosomeIndex = new Map<string, number>();
  #lastChromosome: string | null = null;
  #lastChromosomeIndex = -1;

  get count(): number {
    return this.ids.length;
  }

  push(marker: MarkerRecord, counts: CallCounts): void {
    if (marker.isSplit === true) this.split.add(this.count);
    this.ids.push(marker.id);
    this.chromosomeOf.push(this.#indexOfChromosome(marker.chromosome));
    this.positions.push(marker.positionBp);
    this.lines.push(marker.line);
    this.a1.push(marker.a1);
    this.a2.push(marker.a2);
    this.missing.push(counts.missing);
    this.het.push(counts.het);
    this.a2Copies.push(counts.het + 2 * counts.homA2);
  }

  chromosomeAt(marker: number): string {
    return this.chromosomes[this.chromosomeOf.at(marker)];
  }

  /** `chromosome:position`. */
  place(marker: number): string {
    return `${this.chromosomeAt(marker)}:${this.positions.at(marker)}`;
  }

  /**
   * Gives every marker an id of its own, once all are there. A missing id becomes `chrom@pos`, or `chrom_pos_ref_alt`
   * where several markers share the position, with `_2`, `_3` … where that is taken too. An id that an earlier marker
   * has is replaced in the same way, and `onShared` is called.
   */
  completeIds(onShared: (marker: number, earlier: number, id: string) => void): void {
    this.ids.index((marker, earlier, id) => {
      this.split.add(marker);
      onShared(marker, earlier, id);
    });
    // The next suffix to try: starting from 1 each time would make repeats of one variant cost the square of their
    // number.
    const copies = new Map<string, number>();
    for (let i = 0; i < this.count; i++) {
      if (this.ids.hasId(i)) continue;
      this.imputed.add(i);
      const chromosome = this.chromosomeAt(i);
      const position = this.positions.at(i);
      if (!this.split.has(i) && this.ids.assign(i, `${chromosome}@${position}`)) continue;
      const withAlleles = `${chromosome}_${position}_${this.a1[i]}_${this.a2[i]}`;
      let copy = copies.get(withAlleles) ?? 1;
      while (!this.ids.assign(i, copy === 1 ? withAlleles : `${withAlleles}_${copy}`)) copy++;
      if (copy > 1) copies.set(withAlleles, copy + 1);
    }
  }

  /**
   * The table of the markers in the given order (null: file order). Columns of strings are made when they are asked
   * for.
   */
  table(order: Uint32Array | null): MarkerTable {
    const { count } = this;
    const listed = (valueOf: (marker: number) => string) => {
      let values: string[] | undefined;
      return () => {
        values ??= Array.from({ length: count }, (_, i) => valueOf(order === null ? i : order[i]));
        return values;
      };
    };
    const positions = this.positions.values;
    return tableOf({
      id: listed((i) => this.ids.at(i) ?? ''),
      chromosome: listed((i) => this.chromosomeAt(i)),
      positionBp: order === null ? positions : Float64Array.from(order, (i) => positions[i]),
      a1: listed((i) => this.a1[i]),
      a2: listed((i) => this.a2[i]),
    });
  }

  #indexOfChromosome(name: string): number {
    if (name === this.#lastChromosome) return this.#lastChromosomeIndex;
    let index = this.#chromosomeIndex.get(name);
    if (index === undefined) {
      index = this.chromosomes.length;
      this.chromosomes.push(name);
      this.#chromosomeIndex.set(name, index);
    }
    this.#lastChromosome = name;
    this.#lastChromosomeIndex = index;
    return index;
  }
}

/** A table whose columns of strings are made at first use. */
function tableOf(
  columns: {
    [Name in keyof MarkerTable]: MarkerTable[Name] extends string[] ? () => string[] : MarkerTable[Name];
  },
): MarkerTable {
  return {
    positionBp: columns.positionBp,
    get id() {
      return columns.id();
    },
    get chromosome() {
      return columns.chromosome();
    },
    get a1() {
      return columns.a1();
    },
    get a2() {
      return columns.a2();
    },
  };
}
