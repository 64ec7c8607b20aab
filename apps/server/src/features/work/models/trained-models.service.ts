import { hasMarkerEffects } from '@heterosis/contracts/options/model-types';
import type { Queryable } from '../../../platform/database/database.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { readRowsOf } from '../../../platform/result-tables/read-table-page.ts';
import type { ResultTables } from '../../../platform/result-tables/result-tables.ts';
import { type FileRow, findFile, ploidyOf } from '../../data/files/index.ts';
import { findNamedRun } from '../runs/kind/index.ts';
import { type ModelRow, modelSelection } from './models.queries.ts';

/** A model of the project that is not in the bin. */
export const findModel = (db: Queryable, projectId: string, id: string): Promise<ModelRow | undefined> =>
  findNamedRun(modelSelection, db, projectId, id);

/** The model for a run. */
export async function requireModel(db: Queryable, projectId: string, id: string): Promise<ModelRow> {
  const model = await findModel(db, projectId, id);
  if (model === undefined) throw notFound('The model chosen');
  return model;
}

/** Trait → genetic covariance of a trait with it, of a model that was fitted to several together; null for others. */
export function geneticCovariancesOf(model: ModelRow | undefined, trait: string): Record<string, number> | null {
  const together = model?.trait_rows.flatMap(({ fit }) => fit?.multi_trait ?? [])[0];
  const row = together?.genetic_covariance[together.traits.indexOf(trait)];
  return row === undefined ? null : Object.fromEntries(row.map((value, s) => [together?.traits[s] ?? '', value]));
}

/** Traits of a model that other runs can use. They must be trained; their evaluation may still be running. */
export function trainedTraits(model: ModelRow): string[] {
  const trained = model.trait_rows.flatMap(({ trait, result_keys }) => (result_keys.spec === undefined ? [] : [trait]));
  if (trained.length > 0) return trained;
  throw new Problem(
    'predictions/model-not-trained',
    `No trait of the model "${model.name}" is trained. Wait until training has ended, or choose another model.`,
  );
}

/** Crosses are judged by the alleles that they inherit. */
export function requireMarkerEffects({ name, model_type: type }: Pick<ModelRow, 'name' | 'model_type'>): void {
  if (hasMarkerEffects(type)) return;
  throw new Problem(
    'models/no-marker-effects',
    `The model "${name}" predicts by a kernel of marker distances and has no marker effects, so it says nothing of what a cross inherits. Choose a model of GBLUP, or one by sampling.`,
    { invalidParams: [{ name: 'body.model_id', reason: 'It has no marker effects' }] },
  );
}

/** Individuals of a model, genotyped or not, that have a breeding value of each of these trained traits. */
export async function individualsWithGebv(
  tables: ResultTables,
  { trait_rows }: ModelRow,
  traits: readonly string[],
): Promise<string[]> {
  const keys = trait_rows.flatMap(({ trait, result_keys }) =>
    traits.includes(trait) ? [result_keys.gebv_table ?? []].flat() : [],
  );
  const lists = await Promise.all(
    keys.map((key) =>
      tables.query<{ individual: string }>(key, (table) => `select individual from ${table} where isfinite(gebv)`),
    ),
  );
  const [first = [], ...others] = lists.map((rows) => rows.map(({ individual }) => individual));
  const sets = others.map((names) => new Set(names));
  return first.filter((name) => sets.every((set) => set.has(name)));
}

/** Values of a trait that a model was trained on, of those individuals that have one. */
export async function observedValues(
  tables: ResultTables,
  { trait_rows }: ModelRow,
  trait: string,
  individuals: readonly string[],
): Promise<Map<string, number>> {
  const key = trait_rows.find((row) => row.trait === trait)?.result_keys.gebv_table;
  if (key === undefined || individuals.length === 0) return new Map();
  const rows = await readRowsOf<{ individual: string; observed: number | null }>(tables, key, {
    columns: ['individual', 'observed'],
    column: 'individual',
    values: individuals,
  });
  return new Map(rows.flatMap(({ individual, observed }) => (observed === null ? [] : [[individual, observed]])));
}

/** Effects of copies in tetraploids say nothing of diploids. A model whose genotype is gone is compared by its run. */
export async function requireSamePloidy(
  db: Queryable,
  model: Pick<ModelRow, 'name' | 'project_id' | 'genotype_id'>,
  genotype: FileRow,
): Promise<void> {
  const trained = model.genotype_id === null ? undefined : await findFile(db, model.project_id, model.genotype_id);
  if (trained === undefined || ploidyOf(trained) === ploidyOf(genotype)) return;
  throw new Problem(
    'models/other-ploidy',
    `The model "${model.name}" was trained on plants with ${ploidyOf(trained)} copies of each chromosome, and those of "${genotype.name}" have ${ploidyOf(genotype)}. Choose a genotype of the same ploidy.`,
    { invalidParams: [{ name: 'body.genotype_id', reason: `The model is of ploidy ${ploidyOf(trained)}` }] },
  );
}
