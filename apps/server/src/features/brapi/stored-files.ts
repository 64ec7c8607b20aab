import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { ByteSource } from '@heterosis/file-formats/byte-source';
import { type BimIndex, indexBim, MARKERS_PER_MARK, partOf } from '@heterosis/file-formats/genotype/panel/bim-index';
import type { MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { Cross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import {
  type PhenotypeRecords,
  readPhenotypeRecords,
} from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import { LRUCache } from 'lru-cache';
import type { Services } from '../../platform/http/app.ts';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import { readObject, STORED_ORDER } from '../../platform/object-storage/stored-panel.ts';
import {
  type CallsOfMarkers,
  derivedKey,
  type FileRow,
  phenotypeOptionsOf,
  readCalls,
  readSampleNames,
} from '../data/files/index.ts';
import {
  indexNewestMeans,
  type MeansIndex,
  type NewestAnalysis,
  readNewestMeans,
} from '../work/trial-analyses/index.ts';
import { type BrapiFile, listObservations, listUnits } from './collecting/collected.queries.ts';
import { type Collected, mergeRecords } from './collecting/merged-records.ts';
import { estimatedTraits, type ObservedTrait, recordsOfMeans } from './entities/mean-records.ts';
import { recordsOfTrial } from './trials/trial-records.ts';

/** A phenotype file with its units and observations by environment. */
export interface Recorded extends PhenotypeRecords {
  /** Null for a file to which no client wrote. */
  collected: Collected | null;
  /** Places in `units` by environment. */
  unitsOf: Int32Array[];
  /** Places in the observations by environment, without those that wait. */
  observationsOf: Int32Array[];
  /** First observation of each unit, and one more entry for the end. */
  firstOfUnit: Int32Array;
}

/** What lists need of a phenotype file: small, so that it stays in memory for every file. */
export interface RecordedDesign extends Pick<PhenotypeRecords, 'traits' | 'environments'> {
  /** Places in `traits` of those that were observed, by environment. */
  observed: number[][];
  /** Smallest and largest number by trait; null without numbers. */
  ranges: ({ least: number; most: number } | null)[];
  /** Words by trait; empty for numbers. */
  categories: string[][];
  unitCounts: number[];
}

interface ServedIndex extends Pick<MeansIndex, 'environments'> {
  /** A trait for each figure. */
  traits: ObservedTrait[];
}

/**
 * Content of checked files, with what clients wrote to them. Files never change, so what was read is kept while there
 * is room.
 */
export interface StoredFiles {
  samples(file: FileRow): Promise<string[]>;
  markers(file: FileRow): Promise<BimIndex>;
  records(file: BrapiFile): Promise<Recorded>;
  design(file: BrapiFile): Promise<RecordedDesign>;
  /** What means a trial analysis has. */
  meansIndex(analysis: NewestAnalysis): Promise<ServedIndex>;
  /** Means of a trial analysis in one environment, as records of its lines. */
  means(analysis: NewestAnalysis, environment: string): Promise<Recorded>;
  map(file: FileRow): Promise<LinkageMap>;
  crosses(file: FileRow): Promise<Cross[]>;
  /** Calls of `count` neighbouring markers. */
  calls(file: FileRow, first: number, count: number): Promise<CallsOfMarkers>;
}

const MB = 1 << 20;
/** Roughly what a short text takes in memory. */
const TEXT_BYTES = 48;

export function createStoredFiles({ storage, db, tables }: Pick<Services, 'storage' | 'db' | 'tables'>): StoredFiles {
  const samples = cache<string[]>(32 * MB, (names) => names.length * TEXT_BYTES);
  const markers = cache<BimIndex>(16 * MB, ({ markerCount }) => markerCount / 64);
  const blocks = cache<MarkerTable>(16 * MB, ({ id }) => id.length * 5 * TEXT_BYTES);
  const bytesOfRecords = ({ units, value }: Recorded): number =>
    units.length * 6 * TEXT_BYTES + value.length * (TEXT_BYTES + 16);
  const records = cache<Recorded>(96 * MB, bytesOfRecords);
  const means = cache<Recorded>(48 * MB, bytesOfRecords);
  const meansIndexes = cache<ServedIndex>(4 * MB, ({ environments }) => environments.length * 4 * TEXT_BYTES);
  const designs = cache<RecordedDesign>(16 * MB, ({ categories, observed }) =>
    [...categories, ...observed].reduce((bytes, { length }) => bytes + length * TEXT_BYTES, 0),
  );
  const maps = cache<LinkageMap>(32 * MB, ({ markerId }) => markerId.length * (TEXT_BYTES + 16));
  const crosses = cache<Cross[]>(8 * MB, ({ length }) => length * 4 * TEXT_BYTES);

  /** Pages within a block come from memory: clients read the same markers again, and a line is never read alone. */
  const inBlocks = (key: string, index: BimIndex): BimIndex => ({
    ...index,
    readMarkers: async (first, count) => {
      const block = Math.floor(first / MARKERS_PER_MARK);
      const start = block * MARKERS_PER_MARK;
      const end = Math.min(start + MARKERS_PER_MARK, index.markerCount);
      if (count <= 0 || first + count > end) return await index.readMarkers(first, count);
      const markers = await blocks(`${key} ${block}`, () => index.readMarkers(start, end - start));
      return partOf(markers, first - start, first - start + count);
    },
  });

  const keyOf = ({ id, meta, revision }: BrapiFile): string =>
    `${id} ${revision} ${JSON.stringify([meta.options, meta.kept_mapping])}`;

  // An attempt writes to keys of its own.
  const keyOfMeans = ({ trait_rows: rows }: NewestAnalysis): string =>
    JSON.stringify(rows.map(({ result_keys: keys }) => keys.means_table));
  const readIndex = (analysis: NewestAnalysis): Promise<ServedIndex> =>
    meansIndexes(keyOfMeans(analysis), async () => {
      const { traits, environments } = await indexNewestMeans({ storage, tables }, analysis);
      return { traits: estimatedTraits(traits), environments };
    });

  const readRecords = (file: BrapiFile): Promise<Recorded> =>
    records(keyOf(file), async () => {
      if (file.trial_id !== undefined) return byEnvironment(await recordsOfTrial(db, file));
      if (file.revision > 0) {
        const changes = { units: await listUnits(db, file.id), observations: await listObservations(db, file.id) };
        return byEnvironment(mergeRecords(await readRecords({ ...file, revision: 0 }), changes));
      }
      const source = await storage.open(file.storage_key, file.name);
      try {
        const read = await readPhenotypeRecords(source, phenotypeOptionsOf(file.meta));
        return byEnvironment({ ...(read ?? NO_RECORDS), collected: null });
      } finally {
        await source.close();
      }
    });

  return {
    samples: (file) => samples(derivedKey(file, 'fam'), () => readSampleNames(storage, file)),
    markers: (file) => {
      const key = derivedKey(file, 'bim');
      return markers(key, async () =>
        inBlocks(key, await indexBim(await reopening(storage, key, file.name), STORED_ORDER)),
      );
    },
    records: readRecords,
    meansIndex: readIndex,
    means: (analysis, environment) =>
      means(`${keyOfMeans(analysis)} ${environment}`, async () => {
        const { traits } = await readIndex(analysis);
        const read = await readNewestMeans({ storage, tables }, analysis, environment);
        return byEnvironment({ ...recordsOfMeans(environment, traits, read), collected: null });
      }),
    design: (file) =>
      designs(keyOf(file), async () => {
        const design = designOf(await readRecords(file));
        // All traits of a trial are to be observed, before the first value as well.
        return file.trial_id === undefined ? design : { ...design, observed: [[...design.traits.keys()]] };
      }),
    map: (file) => {
      const key = derivedKey(file, 'table');
      return maps(key, async () => unpackRecord<LinkageMap>(await readObject(storage, key)));
    },
    crosses: (file) => {
      const key = derivedKey(file, 'table');
      return crosses(key, async () => unpackRecord<Cross[]>(await readObject(storage, key)));
    },
    calls: (file, first, count) => readCalls(storage, file, { first, count }),
  };
}

type Cached<Value> = (key: string, make: () => Promise<Value>) => Promise<Value>;

/** Values up to a number of bytes, the latest used. Two requests for one value make it once; failures are not kept. */
function cache<Value extends object>(maxSize: number, bytesOf: (value: Value) => number): Cached<Value> {
  const kept = new LRUCache<string, Value, () => Promise<Value>>({
    maxSize,
    sizeCalculation: (value) => 1 + Math.round(bytesOf(value)),
    fetchMethod: (_key, _stale, { context: make }) => make(),
    ignoreFetchAbort: true,
  });
  return (key, make) => kept.forceFetch(key, { context: make });
}

/** A source that holds nothing open between reads, so that an index can be kept. */
async function reopening(storage: Pick<ObjectStorage, 'open'>, key: string, name: string): Promise<ByteSource> {
  const during = async <Result>(work: (source: ByteSource) => Promise<Result>): Promise<Result> => {
    const source = await storage.open(key, name);
    try {
      return await work(source);
    } finally {
      await source.close();
    }
  };
  const size = await during(async (source) => source.size);
  return {
    name,
    size,
    read: (offset, length) => during((source) => source.read(offset, length)),
    async *stream() {
      yield await during((source) => source.read(0, size));
    },
    close: async () => {},
  };
}

const NO_RECORDS: PhenotypeRecords = {
  traits: [],
  environments: [],
  units: [],
  kinds: [],
  unit: new Int32Array(),
  trait: new Int32Array(),
  value: [],
  time: new Float64Array(),
};

function byEnvironment(records: PhenotypeRecords & Pick<Recorded, 'collected'>): Recorded {
  const { environments, units } = records;
  const unit = records.unit.subarray(0, records.unit.length - (records.collected?.waiting ?? 0));
  const places = <Item>(items: ArrayLike<Item>, environmentOf: (item: Item) => number | undefined): Int32Array[] => {
    const lists: number[][] = environments.map(() => []);
    for (let place = 0; place < items.length; place++) lists[environmentOf(items[place] as Item) ?? -1]?.push(place);
    return lists.map((list) => Int32Array.from(list));
  };
  const firstOfUnit = new Int32Array(units.length + 1);
  for (const place of unit) firstOfUnit[place + 1] = (firstOfUnit[place + 1] ?? 0) + 1;
  for (let place = 0; place < units.length; place++)
    firstOfUnit[place + 1] = (firstOfUnit[place + 1] ?? 0) + (firstOfUnit[place] ?? 0);
  return {
    ...records,
    unitsOf: places(units, ({ environment }) => environment),
    observationsOf: places(unit, (place) => units[place]?.environment),
    firstOfUnit,
  };
}

function designOf({ traits, environments, trait, value, observationsOf, unitsOf }: Recorded): RecordedDesign {
  const ranges: RecordedDesign['ranges'] = traits.map(() => null);
  const words = traits.map(() => new Set<string>());
  for (const [place, t] of trait.entries()) {
    const text = value[place] ?? '';
    if (text === '') continue;
    if (traits[t]?.kind === 'categorical') words[t]?.add(text);
    else {
      const number = Number(text);
      const range = ranges[t];
      ranges[t] = range
        ? { least: Math.min(range.least, number), most: Math.max(range.most, number) }
        : { least: number, most: number };
    }
  }
  return {
    traits,
    environments,
    observed: observationsOf.map((places) =>
      [...new Set(Array.from(places, (place) => trait[place] ?? 0))].sort((a, b) => a - b),
    ),
    ranges,
    categories: words.map((set) => [...set].sort()),
    unitCounts: unitsOf.map(({ length }) => length),
  };
}
