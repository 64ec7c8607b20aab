import type { ByteSource } from '@heterosis/file-formats/byte-source';
import type { GeneAction } from '@heterosis/statgen/association/gene-actions/gene-actions';
import type { AssociationTest } from '@heterosis/statgen/association/test-markers';
import { packRecord, readRecordItem, unpackRecord } from '../results/binary-record.ts';
import type { GwasState } from './gwas-state.ts';

/** Results of one trait for the markers tested, in panel order. */
export interface GwasColumns {
  trait: string;
  test: AssociationTest;
  /** Individuals analysed. */
  n: number;
  /** Panel index of each marker. */
  markerIndex: Int32Array;
  freqA2: Float64Array;
  /** Score, (β/sd)² or likelihood ratio, χ² with one degree of freedom. */
  statistic: Float64Array;
  /** Effect of one copy of A2 with its standard error in `sd`, at the variances of the test. */
  beta: Float64Array;
  sd: Float64Array;
  /** h² fitted with the marker; for SCORE that of the null model. */
  h2: Float64Array;
  p: Float64Array;
  negLog10P: Float64Array;
  /** 1 where h² ended at 0 or 0.99. */
  atBound: Uint8Array;
  /**
   * Dominance deviation, see `createDominanceTester`; NaN where it cannot be tested. This array and the two below are
   * empty when dominance is not tested.
   */
  domEffect: Float64Array;
  domSe: Float64Array;
  domP: Float64Array;
  /** Of tests on several traits: `statistic` has then the p of their χ² on one degree of freedom, the rest is NaN. */
  joint?: JointColumns;
  /** Of tests under a gene action: `statistic` has then the p of their F on one degree of freedom. */
  geneAction?: GeneActionColumns;
}

/** Tests of markers under a gene action, one entry a marker; those with variances of their own are in `GwasColumns`. */
export interface GeneActionColumns {
  action: GeneAction;
  df: Uint8Array;
  df2: Int32Array;
  f: Float64Array;
  /** With the variances of the model without marker; effects and errors are NaN with several columns. */
  p3d: { effect: Float64Array; error: Float64Array; f: Float64Array; h2: Float64Array; negLog10P: Float64Array };
}

/** Tests of markers on several traits, one entry a marker. */
export interface JointColumns {
  chiSquare: Float64Array;
  df: Uint8Array;
  /** The effect that is the same on all traits. */
  main: Float64Array;
  mainError: Float64Array;
  /** By trait; NaN where it cannot be estimated. */
  effects: Float64Array[];
  errors: Float64Array[];
}

type GwasArrays = Omit<GwasColumns, 'trait' | 'test' | 'n' | 'joint' | 'geneAction'>;

/** The arrays of {@link GwasColumns} and their types, for joining, slicing and packing. */
const ARRAYS: { [name in keyof GwasArrays]: new (length: number) => GwasArrays[name] } = {
  markerIndex: Int32Array,
  freqA2: Float64Array,
  statistic: Float64Array,
  beta: Float64Array,
  sd: Float64Array,
  h2: Float64Array,
  p: Float64Array,
  negLog10P: Float64Array,
  atBound: Uint8Array,
  domEffect: Float64Array,
  domSe: Float64Array,
  domP: Float64Array,
};
const NAMES = Object.keys(ARRAYS) as (keyof GwasArrays)[];

function arraysBy(make: (name: keyof GwasArrays) => GwasArrays[keyof GwasArrays]): GwasArrays {
  const arrays: Partial<Record<keyof GwasArrays, GwasArrays[keyof GwasArrays]>> = {};
  for (const name of NAMES) arrays[name] = make(name);
  return arrays as GwasArrays;
}

/** Joins the results of consecutive ranges; `of` describes the trait when there are none. */
export function concatColumns(
  parts: readonly GwasColumns[],
  of: Pick<GwasColumns, 'trait' | 'test' | 'n'> | undefined = parts.at(0),
): GwasColumns {
  if (of === undefined) throw new RangeError('there are no parts to put together');
  const arrays = arraysBy((name) => {
    const whole = new ARRAYS[name](parts.reduce((sum, part) => sum + part[name].length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part[name], at);
      at += part[name].length;
    }
    return whole;
  });
  return { trait: of.trait, test: of.test, n: of.n, ...arrays };
}

/** Entries `from` … `end − 1` of the columns, as views of their memory. */
export function partOfColumns(columns: GwasColumns, from: number, end: number): GwasColumns {
  const { trait, test, n, joint, geneAction } = columns;
  return {
    ...{ trait, test, n, ...arraysBy((name) => columns[name].subarray(from, end)) },
    ...(joint === undefined ? {} : { joint: partOfJoint(joint, from, end) }),
    ...(geneAction === undefined ? {} : { geneAction: partOfAction(geneAction, from, end) }),
  };
}

const partOfAction = (
  { action, df, df2, f, p3d }: GeneActionColumns,
  from: number,
  end: number,
): GeneActionColumns => ({
  action,
  df: df.subarray(from, end),
  df2: df2.subarray(from, end),
  f: f.subarray(from, end),
  p3d: {
    effect: p3d.effect.subarray(from, end),
    error: p3d.error.subarray(from, end),
    f: p3d.f.subarray(from, end),
    h2: p3d.h2.subarray(from, end),
    negLog10P: p3d.negLog10P.subarray(from, end),
  },
});

const partOfJoint = (joint: JointColumns, from: number, end: number): JointColumns => ({
  chiSquare: joint.chiSquare.subarray(from, end),
  df: joint.df.subarray(from, end),
  main: joint.main.subarray(from, end),
  mainError: joint.mainError.subarray(from, end),
  effects: joint.effects.map((own) => own.subarray(from, end)),
  errors: joint.errors.map((own) => own.subarray(from, end)),
});

/** A state as bytes, to send to other processes and machines. */
export function gwasStateToBytes(state: GwasState): Uint8Array {
  return packRecord(state);
}

/** What states did not hold before there was such a choice. */
const OLDER_STATE = {
  dominance: false,
  ownKinship: null,
  engine: { name: 'individuals', reason: '' },
  chromosomesLeftOut: null,
  permutations: null,
  stepwise: null,
  panelTests: null,
} satisfies Partial<GwasState>;

/** Reads what {@link gwasStateToBytes} wrote, also that of older versions. Throws RangeError for anything else. */
export function gwasStateFromBytes(bytes: Uint8Array): GwasState {
  return { ...OLDER_STATE, ...unpackRecord<GwasState>(bytes) };
}

/** Results of a range as bytes. */
export function columnsToBytes(columns: readonly GwasColumns[]): Uint8Array {
  return packRecord(columns);
}

/** Whether the columns hold every array. Those that an older version wrote lack the arrays that came later. */
export function hasEveryArray(columns: GwasColumns): boolean {
  return NAMES.every((name) => columns[name] instanceof ARRAYS[name]);
}

/** The results of one trait only. Throws RangeError for bytes that {@link columnsToBytes} did not write. */
export function readColumns(source: Pick<ByteSource, 'read'>, trait: number): Promise<GwasColumns> {
  return readRecordItem<GwasColumns>(source, trait);
}
