// What a pair of options of `plan` asks for: few enough candidates and crosses that all plans can be tried.
import type { DensePlan } from '@heterosis/analysis/dense/plan.test-data';
import type { Files } from './asked.test-data.ts';
import { materialSettings } from './asked-cross.test-data.ts';
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

export interface AskedPlan extends AskedCrossing {
  hasGenotype: boolean;
  /** Coancestries by pedigree. */
  hasPedigree: boolean;
  hasMap: boolean;
  hasSpread: boolean;
  /** Of the index, the first ones. */
  traits: number;
  candidates: string[];
  method: DensePlan['method'];
  weights: number[] | null;
  kept: string[];
  traitAccuracy: number[] | null;
  crosses: number;
  mostUses: number;
  cap: number | null;
  required: [string, string][];
  forbidden: [string, string][];
  mates: DensePlan['mates'];
  /** Breeding values of candidates without markers, by trait; from the model. */
  gebv: Map<string, number[]> | null;
  files: Partial<Record<'candidates' | 'pairs' | 'curve', string>>;
}

export function newAskedPlan(pair: Pair, seed: number): AskedPlan {
  const asked = newAskedCrossing(pair, seed);
  const isPedigree = asked.material === 'pedigree';
  return {
    ...asked,
    hasGenotype: !isPedigree,
    hasPedigree: isPedigree,
    hasMap: false,
    hasSpread: true,
    traits: asked.world.traits.length,
    candidates: asked.world.plants.map(({ name }) => name),
    method: 'base',
    weights: null,
    kept: [],
    traitAccuracy: null,
    crosses: 5,
    mostUses: 3,
    cap: null,
    required: [],
    forbidden: [],
    mates: 'usefulness',
    gebv: null,
    files: {},
  };
}

/** The plants with their parents; the first ones are founders. */
export const PEDIGREE: readonly (readonly [string, string, string])[] = [
  ['P1', '', ''],
  ['P2', '', ''],
  ['P3', '', ''],
  ['P4', 'P1', 'P2'],
  ['P5', 'P4', 'P3'],
  ['P6', 'P4', 'P4'],
  ['P7', 'P5', 'P1'],
  ['P8', 'P6', 'P7'],
];

const writePedigree = (files: Files): string =>
  files.write(`${['name,female,male', ...PEDIGREE.map((row) => row.join(','))].join('\n')}\n`, '.csv');

export async function inputsOfPlan(asked: AskedPlan, files: Files, given: ReadonlySet<string>): Promise<string[]> {
  const args: string[] = [];
  if (asked.hasGenotype) args.push('--genotype', writeParents(asked, files));
  if (asked.hasMap) args.push('--map', writeMap(asked, files));
  if (asked.hasPedigree) args.push('--pedigree', writePedigree(files));
  // Candidates without markers have a single-step model.
  const isSingleStep = asked.material === 'pedigree';
  if (!given.has('--model') && !isSingleStep) args.push('--effects', writeEffects(asked, files));
  else if (!given.has('--effects') || given.has('--model')) {
    const more = isSingleStep
      ? ['--pedigree', writePedigree(files)]
      : asked.material === 'phased'
        ? ['--dominance']
        : [];
    const { path, model } = await writeModel(asked, files, more, isSingleStep ? RELATIVES : []);
    args.push('--model', path);
    const fits = asked.world.traits.map(({ name }) => model.traits.find((trait) => trait.name === name)?.fit);
    // Without a genotype, candidates stand in the order of the model.
    if (!asked.hasGenotype && !given.has('--candidates'))
      asked.candidates = model.individuals.filter((name) => asked.candidates.includes(name));
    asked.gebv = new Map(model.individuals.map((name, i) => [name, fits.map((fit) => fit?.gebv[i] ?? Number.NaN)]));
  }
  return [...args, '--crosses', String(asked.crosses), '--max-uses', String(asked.mostUses)];
}

/** Genotyped plants of the pedigree, from which the others get their breeding values. */
const RELATIVES = ['P2', 'P4', 'P7'];

type PlanSetting = SettingOf<AskedPlan>;
const set = (args: string[], change: (asked: AskedPlan) => void): PlanSetting => {
  return (asked) => {
    change(asked);
    return args;
  };
};
const file = (option: string, kind: keyof AskedPlan['files']): PlanSetting => {
  return (asked, files) => [option, (asked.files[kind] = files.path(`${kind}.csv`))];
};
const MATERIAL = materialSettings<AskedPlan>();

/** By material, so that each of some choices is tried. */
function chosen<T>({ material }: AskedPlan, inbred: T, phased: T, pedigree: T): T {
  return material === 'inbred' ? inbred : material === 'phased' ? phased : pedigree;
}

export const PLAN_SETTINGS: Record<string, PlanSetting> = {
  ...MATERIAL,
  // Candidates of a pedigree cannot take effects alone.
  effects: (asked, files) => [...(MATERIAL['effects']?.(asked, files) ?? []), '--effects', writeEffects(asked, files)],
  genotype: (asked) => {
    asked.gzip = asked.hasGenotype;
    asked.hasGenotype = true;
    return [];
  },
  pedigree: set([], (asked) => {
    asked.hasPedigree = true;
  }),
  'pedigree-columns': set(['--pedigree-columns', 'female=female'], (asked) => {
    asked.hasPedigree = true;
  }),
  // Of polyploids, which are compared with gene drops in tests of their own: refused here.
  'double-reduction': set(['--double-reduction', '0.1'], () => undefined),
  founders: set(['--founders', 'equilibrium'], () => undefined),
  map: (asked, files) => {
    asked.hasMap = true;
    return MATERIAL['map']?.(asked, files) ?? [];
  },
  traits: (asked) => {
    asked.traits = 1;
    return ['--traits', asked.world.traits[0]?.name ?? ''];
  },
  index: (asked) => {
    asked.method = chosen(asked, 'smith_hazel', 'desired_gains', 'desired_gains');
    return ['--index', asked.method];
  },
  weights: (asked) => {
    asked.weights = [2, 0.7].slice(0, asked.traits);
    return ['--weights', asked.weights.join(',')];
  },
  keep: (asked) => {
    asked.method = 'restricted';
    asked.kept = [asked.world.traits[1]?.name ?? ''];
    return ['--index', 'restricted', '--keep', ...asked.kept];
  },
  'low-traits': (asked) => {
    asked.lowTraits = [asked.world.traits[0]?.name ?? ''];
    return ['--low-traits', ...asked.lowTraits];
  },
  'trait-accuracy': (asked) => {
    asked.traitAccuracy = [0.5, 0.8].slice(0, asked.traits);
    return ['--trait-accuracy', asked.traitAccuracy.join(',')];
  },
  candidates: (asked, files) => {
    asked.candidates = asked.candidates.filter((name) => name !== 'P3');
    return ['--candidates', files.write(`${asked.candidates.join('\n')}\n`, '.txt')];
  },
  crosses: set([], (asked) => {
    asked.crosses = 3;
  }),
  'max-uses': set([], (asked) => {
    asked.mostUses = 2;
  }),
  cap: (asked) => {
    asked.cap = chosen(asked, 0.2, 0.05, 0.35);
    return ['--cap', String(asked.cap)];
  },
  required: (asked, files) => {
    asked.required = [['P1', 'P4']];
    return ['--required', files.write('female,male\nP1,P4\n', '.csv')];
  },
  forbidden: (asked, files) => {
    asked.forbidden = [
      ['P2', 'P8'],
      ['P5', 'P6'],
      ['P7', 'P8'],
    ];
    const rows = asked.forbidden.map((pair) => pair.join(','));
    return ['--forbidden', files.write(`${['female,male', ...rows].join('\n')}\n`, '.csv')];
  },
  mates: set(['--mates', 'inbreeding'], (asked) => {
    asked.mates = 'inbreeding';
  }),
  population: (asked) => {
    asked.population = 'F3';
    asked.hasSpread = asked.material !== 'phased';
    return ['--population', asked.hasSpread ? 'F3' : 'none'];
  },
  out: () => [],
  'candidates-out': file('--candidates-out', 'candidates'),
  'pairs-out': file('--pairs-out', 'pairs'),
  'curve-out': file('--curve-out', 'curve'),
};
