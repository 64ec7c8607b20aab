// What a pair of options of `cross` and `plan` asks for, and the files that say the same.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Population } from '@heterosis/analysis/crossing/populations';
import {
  ALLELES,
  type CrossingWorld,
  crossingWorld,
  trainingDeviates,
} from '@heterosis/analysis/dense/crossing-world.test-data';
import { heterosis } from '../main.test-data.ts';
import type { Files } from './asked.test-data.ts';
import type { Pair } from './pair.test-data.ts';

/** Parents in inbred lines, or in plants with phased heterozygous calls; or candidates without markers. */
export type Material = 'inbred' | 'phased' | 'pedigree';

export interface AskedCrossing {
  world: CrossingWorld;
  material: Material;
  /** Where the effects come from. */
  source: 'effects' | 'model';
  population: Population;
  /** Selected share of the progeny, accuracy of that selection, and the traits in which low values are wanted. */
  fraction: number;
  accuracy: number;
  isLow: boolean;
  lowTraits: string[];
  highTraits: string[];
  mapFile: { unit: 'cM' | 'M'; hasUnit: boolean };
  missingMapMarkers: 'interpolate' | 'drop';
  gzip: boolean;
}

export function newAskedCrossing({ variant, trait }: Pair, seed: number): AskedCrossing {
  const material = MATERIALS.find((name) => name === variant) ?? 'inbred';
  return {
    world: crossingWorld(seed, { isHeterozygous: material === 'phased', trait }),
    material,
    source: 'effects',
    population: 'DH',
    fraction: 0.05,
    accuracy: 1,
    isLow: false,
    lowTraits: [],
    highTraits: [],
    mapFile: { unit: 'cM', hasUnit: true },
    missingMapMarkers: 'interpolate',
    gzip: false,
  };
}

const MATERIALS: readonly Material[] = ['inbred', 'phased', 'pedigree'];

export function writeParents({ world, material, gzip }: AskedCrossing, files: Files): string {
  const { plants, markers } = world;
  const [separator, missing] = material === 'phased' ? ['|', '.|.'] : ['/', './.'];
  return writeCalls(
    markers.map(({ id, chromosome, positionBp }, j) => ({
      ...{ id, chromosome, positionBp },
      calls: plants.map(({ first, second }) => (first[j] === null ? missing : `${first[j]}${separator}${second[j]}`)),
    })),
    plants.map(({ name }) => name),
    files,
    gzip,
  );
}

interface Calls {
  id: string;
  chromosome: string;
  positionBp: number;
  calls: string[];
}

function writeCalls(rows: readonly Calls[], names: readonly string[], files: Files, gzip = false): string {
  const head = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...names];
  const lines = rows.map(({ id, chromosome, positionBp, calls }) =>
    [chromosome, positionBp, id, ...ALLELES, '.', '.', '.', 'GT', ...calls].join('\t'),
  );
  const text = `##fileformat=VCFv4.3\n${[head.join('\t'), ...lines].join('\n')}\n`;
  return gzip ? files.write(gzipSync(text), '.vcf.gz') : files.write(text, '.vcf');
}

export function writeEffects({ world }: AskedCrossing, files: Files): string {
  const hasDominance = world.traits.map((_, t) => world.effects.some(({ dominance }) => dominance[t] !== 0));
  const head = world.traits.flatMap(({ name }, t) => [
    `${name}_additive`,
    ...(hasDominance[t] === true ? [`${name}_dominance`] : []),
  ]);
  const rows = world.effects.map(({ id, allele, additive, dominance }) =>
    [
      ...[id, allele],
      ...world.traits.flatMap((_, t) => [additive[t], ...(hasDominance[t] === true ? [dominance[t]] : [])]),
    ].join(','),
  );
  return files.write(`${[['marker', 'effect_allele', ...head].join(','), ...rows].join('\n')}\n`, '.csv');
}

export function writeMap({ world, mapFile }: AskedCrossing, files: Files): string {
  const { unit, hasUnit } = mapFile;
  const hasBp = world.map.some(({ positionBp }) => !Number.isNaN(positionBp));
  const rows = world.map.map(({ id, chromosome, positionBp, positionCm }) =>
    [id, chromosome, unit === 'M' ? positionCm / 100 : positionCm, ...(hasBp ? [positionBp] : [])].join(','),
  );
  const head = `marker,chromosome,position${hasUnit ? `_${unit}` : ''}${hasBp ? ',physPos' : ''}`;
  return files.write(`${[head, ...rows].join('\n')}\n`, '.csv');
}

/** Individuals of the training, few of them in families of the plants. */
const TRAINED = 30;

interface ModelFile {
  individuals: string[];
  markers: { id: string[]; a2: string[]; freqA2: number[]; heterozygosity: number[] };
  traits: {
    name: string;
    fit: { intercept: number; additive: number[]; dominance: number[] | null; gebv: number[] } | null;
  }[];
}

/**
 * Trains a model on individuals of the same markers, and takes its effects for those asked for; `more` are further
 * options of the training.
 */
export async function writeModel(
  asked: AskedCrossing,
  files: Files,
  more: readonly string[] = [],
  relatives: readonly string[] = [],
): Promise<{ path: string; model: ModelFile }> {
  const { world } = asked;
  const names = [...relatives, ...Array.from({ length: TRAINED - relatives.length }, (_, i) => `T${i + 1}`)];
  const elsewhere = world.effects.filter(({ id }) => !world.markers.some((marker) => marker.id === id));
  const markers = [...world.markers, ...elsewhere.map(({ id }, k) => ({ id, chromosome: '1', positionBp: 7 + k }))];
  const { errors, dosagesOf } = trainingDeviates(names.length, world.traits.length);
  const values = errors;
  const rows = markers.map((marker): Calls => {
    const effect = world.effects.find(({ id }) => id === marker.id);
    const dosages = dosagesOf();
    for (const [i, dosage] of dosages.entries())
      for (const [t, a] of (effect?.additive ?? []).entries()) {
        const own = values[i];
        if (own !== undefined) own[t] = (own[t] ?? 0) + a * dosage;
      }
    return { ...marker, calls: dosages.map((dosage) => ['0/0', '0/1', '1/1'][dosage] ?? './.') };
  });
  const traits = world.traits.map(({ name }) => name);
  const phenotype = [['id', ...traits], ...names.map((name, i) => [name, ...(values[i] ?? [])])];
  const path = files.path('model.json');
  const { code, stderr } = await heterosis(
    'train',
    ...['--genotype', writeCalls(rows, names, files)],
    ...['--phenotype', files.write(`${phenotype.map((row) => row.join(',')).join('\n')}\n`, '.csv')],
    ...['--trait', traits.join(','), ...more, '--out', path],
  );
  if (code !== 0) throw new Error(`no model to cross with: ${stderr}`);
  const model = JSON.parse(readFileSync(path, 'utf8')) as ModelFile;
  takeEffects(asked, model);
  return { path, model };
}

function takeEffects({ world }: AskedCrossing, { markers, traits }: ModelFile): void {
  const fits = world.traits.map(({ name }) => {
    const fit = traits.find((trait) => trait.name === name)?.fit;
    if (fit == null) throw new Error(`no model of ${name}`);
    return fit;
  });
  for (const [t, fit] of fits.entries()) {
    const trait = world.traits[t];
    if (trait !== undefined) trait.intercept = fit.intercept;
  }
  world.effects = markers.id.map((id, j) => ({
    ...{ id, allele: markers.a2[j] === 'A' ? ('A' as const) : ('C' as const) },
    additive: fits.map(({ additive }) => additive[j] ?? 0),
    dominance: fits.map(({ dominance }) => dominance?.[j] ?? 0),
    mean: { copies: 2 * (markers.freqA2[j] ?? 0), heterozygosity: markers.heterozygosity[j] ?? 0 },
  }));
}
