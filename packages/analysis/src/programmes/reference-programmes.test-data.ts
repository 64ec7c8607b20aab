import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Scheme } from '@heterosis/statgen/programmes/scheme';
import type { ProgrammeRow } from '@heterosis/statgen/programmes/summarize-replicates';
import { type ProgrammeMaterial, readProgrammeFiles } from './read-programme-files.ts';

const PAGE = fileURLToPath(new URL('../../../../docs/user-guide/programmes.md', import.meta.url));
const referenceFile = (name: string): string =>
  fileURLToPath(new URL(`../../../statgen/reference/programmes/${name}.csv`, import.meta.url));

/** The schemes of the help page by the letters of the reference; E is the page's own. */
export function schemesOfHelp(): Record<'A' | 'A0' | 'B' | 'C' | 'D' | 'E' | 'F', Scheme> {
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/```json\n([\s\S]*?)```/g)].map(
    ([, json]) => JSON.parse(json) as Scheme,
  );
  const [A, B, C, D, F, E] = blocks;
  const atRandom = A.cycle.map((stage) => (stage.do === 'select' ? { ...stage, by: 'random' } : stage));
  return { A, A0: { ...A, cycle: atRandom }, B, C, D, E, F };
}

/** The founders and their effects. */
export async function referenceMaterial(): Promise<ProgrammeMaterial> {
  const [haplotypes, map, effects, intercepts] = ['haplotypes', 'map', 'effects', 'intercepts'].map(referenceFile);
  return readProgrammeFiles({ haplotypes, map, effects, intercepts }, { threads: 1 });
}

/** How rows agree with those of the reference. */
export interface Agreement {
  rows: number;
  rmsZ: number;
  largest: { z: number; of: string };
  /** Rows of the reference that are not there. */
  missing: string[];
  /** Share of rows beyond two joint standard errors. */
  beyondTwo: number;
}

const keyOf = (row: { cycle: number | string; stage: string; quantity: string }) =>
  `${row.cycle} ${row.stage} ${row.quantity}`;

/** z of the difference of means over its joint standard error, of every row of a scheme. */
export function agreementWith(
  scheme: string,
  rows: readonly ProgrammeRow[],
  upTo: number = Number.POSITIVE_INFINITY,
): Agreement {
  const own = new Map(rows.map((row) => [keyOf(row), row]));
  const zs: { z: number; of: string }[] = [];
  const missing: string[] = [];
  for (const line of readFileSync(referenceFile('results'), 'utf8').trim().split('\n').slice(1)) {
    const [name, cycle, stage, quantity, mean, , se] = line.split(',');
    if (name !== scheme || Number(cycle) > upTo) continue;
    const of = keyOf({ cycle, stage, quantity });
    const row = own.get(of);
    if (row === undefined) missing.push(of);
    else {
      const joint = Math.hypot(row.se, Number(se));
      const difference = row.mean - Number(mean);
      if (joint > 0 || difference !== 0) zs.push({ z: difference / joint, of });
    }
  }
  const largest = zs.reduce((most, one) => (Math.abs(one.z) > Math.abs(most.z) ? one : most), { z: 0, of: '' });
  return {
    rows: zs.length,
    rmsZ: Math.sqrt(zs.reduce((sum, { z }) => sum + z * z, 0) / zs.length),
    largest,
    missing,
    beyondTwo: zs.filter(({ z }) => Math.abs(z) > 2).length / zs.length,
  };
}
