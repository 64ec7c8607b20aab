import { resultNames } from '@heterosis/contracts/work/gwas-names';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { ErrorExtra, PartStep } from '../runs/work/index.ts';
import { type GwasResultKind, type GwasRow, updateGwasTrait } from './gwas.queries.ts';
import { LEFT_OUT_NAME } from './gwas-keys.ts';
import type { GwasTraitOutput } from './write-gwas-results.ts';

/** Stores the files of the traits that have a result. */
export async function putOutputs(
  row: GwasRow,
  outputs: readonly GwasTraitOutput[],
  { put }: Pick<PartStep, 'put'>,
): Promise<void> {
  for (const { trait, result } of outputs) await put(result?.files ?? {}, partOf(row, trait));
}

/** Writes the result or the error of each trait. */
export async function storeOutputs(
  trx: DatabaseTransaction,
  prefix: string,
  row: GwasRow,
  outputs: readonly GwasTraitOutput[],
): Promise<void> {
  for (const { trait, error, result } of outputs) {
    if (result === null) {
      await updateGwasTrait(trx, row.id, trait, { status: 'ERROR', error_extra: error as ErrorExtra });
      continue;
    }
    const { summary, chromosomes, files } = result;
    const kinds = Object.keys(files) as GwasResultKind[];
    const keys: Partial<Record<GwasResultKind, string>> = Object.fromEntries(
      kinds.map((kind) => [kind, `${prefix}${partOf(row, trait)}${kind}`]),
    );
    if (row.parameters.exclusions !== undefined) keys.left_out = `${prefix}${LEFT_OUT_NAME}`;
    await updateGwasTrait(trx, row.id, trait, { status: 'SUCCESS', summary, chromosomes, result_keys: keys });
  }
}

/** What precedes the kinds of results of a trait in their keys. */
function partOf({ traits, parameters }: GwasRow, trait: string): string {
  const { gene_action = [], multi_trait = null } = parameters;
  return `${resultNames({ traits, gene_action, multi_trait }).indexOf(trait)}-`;
}
