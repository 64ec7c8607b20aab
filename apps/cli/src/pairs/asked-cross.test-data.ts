// What a pair of options of `cross` asks for: crosses of every kind, or all pairs.
import { POPULATIONS, type Population } from '@heterosis/analysis/crossing/populations';
import type { Files } from './asked.test-data.ts';
import {
  type AskedCrossing,
  newAskedCrossing,
  writeEffects,
  writeMap,
  writeModel,
  writeParents,
} from './asked-crossing.test-data.ts';
import type { Pair } from './pair.test-data.ts';
import type { SettingOf } from './settings.test-data.ts';

export interface AskedRow {
  name: string;
  female: string;
  male: string;
  parent3?: string;
  parent4?: string;
  /** The run's population where it is biparental. */
  type: Population | 'biparental' | 'self';
  progeny: number | null;
}

export interface AskedCross extends AskedCrossing {
  crosses: AskedRow[];
  allPairs: boolean;
  progeny: number;
  mapFunction: 'haldane' | 'kosambi';
  isSimulated: boolean;
  progenyOut: string | null;
  progenyVcf: string | null;
  separator: ',' | ';';
}

/** Progeny of a cross; enough that means and variances say something. */
const PROGENY = 400;

export function newAskedCross(pair: Pair, seed: number): AskedCross {
  return {
    ...newAskedCrossing(pair, seed),
    crosses: crossesOfEveryKind(),
    allPairs: false,
    progeny: PROGENY,
    mapFunction: 'haldane',
    isSimulated: true,
    progenyOut: null,
    progenyVcf: null,
    separator: ',',
  };
}

/** Every population from two parents, then selfings, doubled haploids of a plant, three- and four-way crosses. */
function crossesOfEveryKind(): AskedRow[] {
  const plant = (k: number): string => `P${1 + (k % 8)}`;
  const two = POPULATIONS.map(
    (type, k): AskedRow => ({ name: `C${k + 1}`, female: plant(k), male: plant(3 * k + 4), type, progeny: null }),
  );
  const more: Omit<AskedRow, 'progeny'>[] = [
    { name: 'default', female: 'P2', male: 'P7', type: 'biparental' },
    { name: 'selfed', female: 'P8', male: 'P8', type: 'self' },
    { name: 'doubled', female: 'P7', male: 'P7', type: 'DH' },
    { name: 'three', female: 'P4', male: 'P8', parent3: 'P5', type: 'F2' },
    { name: 'threeback', female: 'P1', male: 'P6', parent3: 'P8', type: 'BC1_female' },
    { name: 'four', female: 'P2', male: 'P4', parent3: 'P6', parent4: 'P8', type: 'RIL' },
    { name: 'fourback', female: 'P1', male: 'P3', parent3: 'P5', parent4: 'P7', type: 'BC1_male_DH' },
  ];
  return [...two, ...more.map((row, k) => ({ ...row, progeny: k === 0 ? 250 : null }))];
}

function writeCrosses({ crosses, separator }: AskedCross, files: Files): string {
  const rows = crosses.map(({ name, female, male, parent3 = '', parent4 = '', type, progeny }) =>
    [name, female, male, parent3, parent4, type, progeny ?? ''].join(separator),
  );
  const head = ['cross', 'parent1', 'parent2', 'parent3', 'parent4', 'type', 'n'].join(separator);
  return files.write(`${[head, ...rows].join('\n')}\n`, '.csv');
}

/** The plants that stand in the crosses. */
export const parentsOf = ({ world, crosses, allPairs }: AskedCross): string[] =>
  allPairs
    ? world.plants.map(({ name }) => name)
    : [
        ...new Set(
          crosses
            .flatMap(({ female, male, parent3, parent4 }) => [female, male, parent3, parent4])
            .filter((name) => name !== undefined),
        ),
      ];

export async function inputsOfCross(asked: AskedCross, files: Files, given: ReadonlySet<string>): Promise<string[]> {
  const model = given.has('--model') ? (await writeModel(asked, files)).path : null;
  return [
    ...['--genotype', writeParents(asked, files), '--map', writeMap(asked, files)],
    ...(model === null ? ['--effects', writeEffects(asked, files)] : ['--model', model]),
    ...(asked.allPairs ? [] : ['--crosses', writeCrosses(asked, files)]),
    ...['--progeny', String(asked.progeny)],
  ];
}

type CrossSetting = SettingOf<AskedCross>;
const set = (args: string[], change: (asked: AskedCross) => void): CrossSetting => {
  return (asked) => {
    change(asked);
    return args;
  };
};

/** What effects and parents have in common with `plan`. */
export function materialSettings<Asked extends AskedCrossing>(): Record<string, SettingOf<Asked>> {
  return {
    model: () => ['--model', ''],
    // All traits with dominance.
    effects: (asked) => {
      if (asked.material === 'phased')
        for (const { dominance } of asked.world.effects) dominance[1] = dominance[0] === 0 ? 0.3 : 0.2;
      return [];
    },
    genotype: (asked) => {
      asked.gzip = true;
      return [];
    },
    // A longer map without base pairs.
    map: (asked) => {
      for (const row of asked.world.map) {
        row.positionCm = 3 * row.positionCm + 5;
        row.positionBp = Number.NaN;
      }
      return [];
    },
    'map-unit': (asked) => {
      asked.mapFile = { unit: 'M', hasUnit: false };
      return ['--map-unit', 'M'];
    },
    select: (asked) => {
      asked.fraction = 0.2;
      return ['--select', '0.2'];
    },
    accuracy: (asked) => {
      asked.accuracy = 0.6;
      return ['--accuracy', '0.6'];
    },
  };
}

export const CROSS_SETTINGS: Record<string, CrossSetting> = {
  ...materialSettings<AskedCross>(),
  crosses: (asked, files) => {
    asked.separator = ';';
    asked.crosses = asked.crosses.map((row) => ({ ...row, type: 'biparental', progeny: null }));
    // Each pair of plants once, as the table is read.
    const pairs = new Map(
      asked.crosses
        .filter(({ female, male, parent3 }) => parent3 === undefined && female !== male)
        .toReversed()
        .map((row) => [[row.female, row.male].sort().join(), row]),
    );
    asked.crosses = [...pairs.values()].toReversed();
    return ['--crosses', writeCrosses(asked, files)];
  },
  'all-pairs': set(['--all-pairs'], (asked) => {
    asked.allPairs = true;
    asked.isSimulated = false;
  }),
  'missing-map-markers': set(['--missing-map-markers', 'drop'], (asked) => {
    asked.missingMapMarkers = 'drop';
  }),
  population: (asked) => {
    asked.population = asked.material === 'phased' ? 'BC2_female' : 'F3';
    return ['--population', asked.population];
  },
  progeny: set([], (asked) => {
    asked.progeny = 1500;
  }),
  seed: set(['--seed', '11'], () => undefined),
  low: set(['--low'], (asked) => {
    asked.isLow = true;
  }),
  'low-traits': (asked) => {
    asked.lowTraits = [asked.world.traits[0]?.name ?? ''];
    return ['--low-traits', ...asked.lowTraits];
  },
  'high-traits': (asked) => {
    asked.highTraits = [asked.world.traits[1]?.name ?? ''];
    return ['--high-traits', ...asked.highTraits];
  },
  'map-function': set(['--map-function', 'kosambi'], (asked) => {
    asked.mapFunction = 'kosambi';
  }),
  // Of polyploids, which are compared with references in tests of their own: refused here.
  phase: set(['--phase', 'unknown'], () => undefined),
  pairing: set(['--pairing', 'quadrivalent'], () => undefined),
  'double-reduction': set(['--double-reduction', '0.1'], () => undefined),
  preferential: set(['--preferential', '0.3'], () => undefined),
  centromeres: (_, files) => ['--centromeres', files.write('chromosome,cM\n1,50\n', '.csv')],
  'analytic-only': set(['--analytic-only'], (asked) => {
    asked.isSimulated = false;
  }),
  out: () => [],
  'progeny-out': (asked, files) => {
    asked.progenyOut = files.path('progeny.csv');
    return ['--progeny-out', asked.progenyOut];
  },
  'progeny-vcf': (asked, files) => {
    asked.progenyVcf = files.path('progeny.vcf');
    return ['--progeny-vcf', asked.progenyVcf];
  },
};
