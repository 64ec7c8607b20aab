import type { InputOf } from '@heterosis/contracts/endpoint';
import type { parentageChecksApi } from '@heterosis/contracts/endpoints/work/parentage-checks';
import { storedOf } from '@heterosis/contracts/options/define-options';
import { PARENTAGE_OPTIONS } from '@heterosis/contracts/options/parentage-checks';
import {
  type ParentageCheckDetail,
  type ParentageResults,
  type ParentageRow,
  parentageResultsSort,
} from '@heterosis/contracts/work/parentage-checks';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { hasColumn, readTablePage } from '../../../platform/result-tables/read-table-page.ts';
import { ploidyOf, requireDoubleReduction, requireGenotype, requireReadyFile } from '../../data/files/index.ts';
import { createNamedRun, getNamedRun } from '../runs/kind/index.ts';
import { requireResultKey } from '../runs/results/index.ts';
import { parentageChecks } from './parentage-check.kind.ts';

/** Checks the files before anything is written. */
export async function createParentageCheck(
  { services, access: { projectId }, principal }: ProjectCall,
  { body }: InputOf<typeof parentageChecksApi.createRun>,
): Promise<ParentageCheckDetail> {
  const { db } = services;
  const genotype = await requireGenotype(db, projectId, body.genotype_id);
  requireDoubleReduction(body.double_reduction, ploidyOf(genotype));
  const isFile = body.pedigree === 'file';
  if (isFile !== (body.pedigree_id != null)) {
    const reason = isFile ? 'Choose a pedigree file.' : 'A pedigree file is compared with `pedigree` = `file` only.';
    throw new Problem('request/invalid', reason, { invalidParams: [{ name: 'body.pedigree_id', reason }] });
  }
  const pedigree =
    body.pedigree_id == null ? null : await requireReadyFile(db, projectId, body.pedigree_id, 'PEDIGREE');
  return await createNamedRun(services, parentageChecks, {
    project_id: projectId,
    name: body.name,
    traits: [],
    // A check uses no random numbers.
    seed: 0,
    parameters: storedOf(PARENTAGE_OPTIONS, body),
    genotype_id: genotype.id,
    pedigree_id: pedigree?.id ?? null,
    created_by: principal.userId,
  });
}

/** Columns of the table, as the API names them. */
const COLUMNS = [
  ...['individual', 'female', 'male', 'tested_female', 'tested_male', 'descent', 'verdict', 'markers'],
  ...['conflicts', 'conflict_share_of_others', 'opposing_female', 'opposing_male', 'score', 'likely_first'],
  ...['likely_second', 'likely_fits', 'likely_markers', 'likely_conflicts', 'likely_score'],
] as const;

type StoredRow = Omit<ParentageRow, 'likely_parents' | 'likely_fits' | 'support'> & {
  support?: number | null;
  likely_first: string | null;
  likely_second: string | null;
  likely_fits: number | null;
};

/** `GET …/parentage_checks/{id}/results`. */
export async function getParentageResults(
  { services: { db, tables }, access: { projectId } }: ProjectCall,
  { id, query: { sort, search, verdict, limit, cursor } }: InputOf<typeof parentageChecksApi.getParentageResults>,
): Promise<ParentageResults> {
  const key = requireResultKey('The parentage check', await getNamedRun(parentageChecks, db, projectId, id), 'table');
  const isDescending = sort?.startsWith('-') === true;
  const column = parentageResultsSort.safeParse(isDescending ? sort?.slice(1) : (sort ?? 'verdict'));
  if (!column.success) {
    const reason = `The order is one of ${parentageResultsSort.options.join(', ')}.`;
    throw new Problem('request/invalid', reason, { invalidParams: [{ name: 'query.sort', reason }] });
  }
  // The verdict is one of the words of the contract, never text of a user.
  const source = (table: string): string =>
    verdict === undefined ? table : `(select * from ${table} where verdict = '${verdict}')`;
  // Tables of versions before 1.3 lack it.
  const hasSupport = await hasColumn(tables, key, 'support');
  const found = await readTablePage<StoredRow>(tables, key, {
    columns: hasSupport ? [...COLUMNS, 'support'] : COLUMNS,
    order: `by_${column.data}`,
    isDescending,
    source,
    search: { column: 'individual', text: search },
    limit,
    cursor,
  });
  const [{ total } = { total: 0 }] = await tables.query<{ total: number }>(
    key,
    (table) => `select count(*) as total from ${source(table)} where contains(lower(individual), lower($1))`,
    [search ?? ''],
  );
  return {
    data: found.data.map(({ likely_first, likely_second, ...row }) => ({
      ...row,
      support: row.support ?? null,
      likely_fits: row.likely_fits === null ? null : row.likely_fits === 1,
      likely_parents: [likely_first, likely_second].filter((one) => one !== null),
    })),
    next_cursor: found.next_cursor,
    total,
  };
}
