import type { Queryable } from '../../../platform/database/database.ts';
import { listTrialsOfProjects, type TrialOfProject } from '../../data/trials/index.ts';
import type { ProjectRow } from '../../people/projects/index.ts';
import type { BrapiFile } from '../collecting/collected.queries.ts';
import type { StoredFiles } from '../stored-files.ts';
import { locationOf, type PhenotypeStudy, seasonOf } from '../studies.ts';

/** Trials of projects as studies: what is planted are their units, by the order of plots. */
export async function studiesOfTrials(
  db: Queryable,
  files: StoredFiles,
  projects: ReadonlyMap<string, ProjectRow>,
): Promise<PhenotypeStudy[]> {
  const studies: PhenotypeStudy[] = [];
  for (const trial of await listTrialsOfProjects(db, [...projects.keys()])) {
    const project = projects.get(trial.project_id);
    if (project === undefined) continue;
    const file = fileOf(trial);
    studies.push({
      ...{ kind: 'phenotype', id: trial.id, name: trial.name, environment: 0, file, project, trial },
      design: await files.design(file),
      location: locationOf(project, trial.location_name, trial),
      season: seasonOf(trial.season),
    });
  }
  return studies;
}

/** Stands where a phenotype file would: its content is read from the rows of the trial. */
const fileOf = (trial: TrialOfProject): BrapiFile => ({
  ...{ id: trial.id, project_id: trial.project_id, name: trial.name, description: trial.description },
  ...{ created_at: trial.created_at, updated_at: trial.updated_at, created_by: trial.created_by_id },
  ...{ creator: trial.created_by, revision: trial.revision, trial_id: trial.id, meta: {} },
  ...{ folder_id: null, file_type: 'PHENOTYPE', status: 'READY', format: null, content_type: '', size_bytes: 0 },
  ...{ sha256: null, storage_key: '', row_count: null, column_count: null },
  problem_totals: { errors: 0, warnings: 0, infos: 0, byCode: {} },
});
