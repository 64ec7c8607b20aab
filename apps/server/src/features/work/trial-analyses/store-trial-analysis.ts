import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { PartStep } from '../runs/work/index.ts';
import type { TrialTraitOutput } from './finish-trial-analysis.compute.ts';
import { type TrialAnalysisRow, type TrialResultKind, updateTrialTrait } from './trial-analyses.queries.ts';

/** Stores the files of the traits that have a result. */
export async function putTrialOutputs(
  row: TrialAnalysisRow,
  outputs: readonly TrialTraitOutput[],
  { put }: Pick<PartStep, 'put'>,
): Promise<void> {
  for (const { trait, result } of outputs) await put(result?.files ?? {}, partOf(row, trait));
}

/** Writes the result or the error of each trait. */
export async function storeTrialOutputs(
  trx: DatabaseTransaction,
  prefix: string,
  row: TrialAnalysisRow,
  outputs: readonly TrialTraitOutput[],
): Promise<void> {
  for (const { trait, error, result } of outputs) {
    if (error !== null) await updateTrialTrait(trx, row.id, trait, { status: 'ERROR', error_extra: error });
    if (result === null) continue;
    const { summary, files } = result;
    const keys: Partial<Record<TrialResultKind, string>> = Object.fromEntries(
      Object.keys(files).map((kind) => [kind, `${prefix}${partOf(row, trait)}${kind}`]),
    );
    await updateTrialTrait(trx, row.id, trait, { status: 'SUCCESS', summary, result_keys: keys });
  }
}

/** What precedes the kinds of results of a trait in their keys. */
const partOf = (row: TrialAnalysisRow, trait: string): string => `${row.traits.indexOf(trait)}-`;
