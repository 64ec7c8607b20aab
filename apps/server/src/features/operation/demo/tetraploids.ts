import type { UpdatedTrait } from '@heterosis/contracts/people/traits';
import { createCrossingSimulationBody } from '@heterosis/contracts/work/crossing-simulations';
import { createGwasBody } from '@heterosis/contracts/work/gwas';
import { createModelBody } from '@heterosis/contracts/work/models';
import type { Services } from '../../../platform/http/app.ts';
import { changeTraits } from '../../people/projects/index.ts';
import { createCrossingSimulation } from '../../work/crossing-simulations/index.ts';
import { createGwas } from '../../work/gwas/index.ts';
import { createModel, requireModel } from '../../work/models/index.ts';
import { findByName, keepParents, until, untilReady, upload, type Visitor } from './demo-files.ts';

/** Written by scripts/demo-tetraploids.mjs. */
const FILES = {
  parents: 'tetraploid_parents.vcf.gz',
  genotype: 'tetraploids.vcf.gz',
  phenotype: 'tetraploid_phenotypes.csv',
  pedigree: 'tetraploid_pedigree.csv',
  crosses: 'tetraploid_crosses.csv',
};

const RUN_NAMES = {
  model: 'Tuber yield with dominance',
  gwas: 'Late blight resistance by gene action',
  simulation: 'Half diallel of four clones',
};

const RESISTANCE = 'Late blight resistance';
const TRAIT_SETTINGS: UpdatedTrait[] = [
  { name: 'Tuber yield', direction: 'higher', unit: 't/ha', weight: 2 },
  { name: 'Dry matter', direction: 'higher', unit: '%', weight: 1 },
  { name: RESISTANCE, direction: 'higher', unit: 'score 1–9', weight: 1 },
];
/** Of the crossing table. */
const PARENTS = ['P01', 'P02', 'P03', 'P10'];
/** Of the cross-validation, for whose end whoever starts the demo waits. */
const REPETITIONS = 2;

/** What breeders of potatoes meet: files, a model with digenic dominance, a GWAS by gene action, crosses of clones. */
export async function createTetraploids(services: Services, visitor: Visitor, signal: AbortSignal): Promise<void> {
  const { db } = services;
  const { principal, access } = visitor;
  // Dialogs offer the newest file, which is not to be that of the parents.
  const parents = await upload(services, visitor, FILES.parents, 'GENOTYPE');
  const genotype = await upload(services, visitor, FILES.genotype, 'GENOTYPE');
  const phenotype = await upload(services, visitor, FILES.phenotype, 'PHENOTYPE');
  const pedigree = await upload(services, visitor, FILES.pedigree, 'PEDIGREE');
  const crosses = await upload(services, visitor, FILES.crosses, 'CROSSING_TABLE');
  await untilReady(services, visitor, [parents, genotype, phenotype, pedigree, crosses], signal);
  await keepParents(services, visitor, PARENTS);
  await changeTraits(services, access, TRAIT_SETTINGS);
  const inputs = { genotype_id: genotype, phenotype_id: phenotype };
  const model =
    (await findByName(db, 'models', access, RUN_NAMES.model)) ??
    (
      await createModel(
        { services, access, principal },
        {
          body: createModelBody.parse({
            ...{ ...inputs, name: RUN_NAMES.model, traits: ['Tuber yield'] },
            ...{ dominance_effect: true, n_repetition: REPETITIONS },
          }),
        },
      )
    ).id;
  if ((await findByName(db, 'gwas', access, RUN_NAMES.gwas)) === undefined)
    await createGwas(
      { services, access, principal },
      {
        body: createGwasBody.parse({
          ...{ ...inputs, name: RUN_NAMES.gwas, traits: [RESISTANCE] },
          // Beside the test of copies, which every GWAS has.
          gene_action: ['1-dom-alt', 'general'],
        }),
      },
    );
  await until(
    () => requireModel(db, access.projectId, model),
    ({ trait_rows }) => trait_rows.every(({ status }) => status !== 'TRAINING'),
    signal,
  );
  if ((await findByName(db, 'crossing_simulations', access, RUN_NAMES.simulation)) === undefined)
    await createCrossingSimulation(
      { services, access, principal },
      {
        body: createCrossingSimulationBody.parse({
          ...{ name: RUN_NAMES.simulation, model_id: model },
          ...{ genotype_id: parents, crossing_table_id: crosses, population: 'F1' },
        }),
      },
    );
}
