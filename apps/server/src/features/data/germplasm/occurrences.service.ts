import type { FileType } from '@heterosis/contracts/data/files';
import type {
  Germplasm,
  GermplasmOccurrence,
  GermplasmValue,
  GermplasmValues,
  germplasmValuesQuery,
} from '@heterosis/contracts/data/germplasm';
import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import type * as z from 'zod';
import type { Services } from '../../../platform/http/app.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { findNamedRun, type RunKindDefinition } from '../../work/runs/kind/index.ts';
import { findFile, readPhenotypeTable } from '../files/index.ts';
import type { GermplasmAccess } from './germplasm-access.ts';
import {
  type FileNaming,
  listFilesNaming,
  listRunsOn,
  type RunOnFiles,
  runTables,
  type Sought,
} from './occurrences.queries.ts';

/** Who looks; a person of an organization may not be in all its projects. */
export interface Seer {
  userId: string;
  seesAllProjects: boolean;
}

/** Who looks where for a germplasm, and the kinds of run that may have it. */
export interface Look {
  services: Services;
  access: GermplasmAccess;
  seer: Seer;
  kinds: readonly RunKindDefinition[];
}

type Named = Pick<Germplasm, 'name' | 'crop' | 'synonyms'>;

const soughtBy = ({ access: { scope, projectId }, seer }: Look, { name, crop, synonyms }: Named): Sought => ({
  ...seer,
  organizationId: scope.organizationId,
  cropId: crop.id,
  name,
  synonyms: synonyms.map((one) => one.name),
  onlyProject: projectId ?? undefined,
});

/** Files that have a germplasm, the runs on these files, and its names in each file. */
export interface OccurrencesOfLine {
  files: readonly FileNaming[];
  runs: readonly RunOnFiles[];
  writtenIn: ReadonlyMap<string, readonly string[]>;
}

export async function readOccurrences(
  look: Look,
  germplasm: Named,
  kinds: readonly RunKindDefinition[] = look.kinds,
): Promise<OccurrencesOfLine> {
  const { db } = look.services;
  const files = await listFilesNaming(db, soughtBy(look, germplasm));
  const runs = await listRunsOn(
    db,
    runTables(kinds),
    files.map(({ id }) => id),
  );
  return { files, runs, writtenIn: new Map(files.map(({ id, written }) => [id, written])) };
}

/** Files that have a germplasm, and the runs on these files. */
export async function listOccurrences(look: Look, germplasm: Named): Promise<GermplasmOccurrence[]> {
  const { files, runs } = await readOccurrences(look, germplasm);
  return [
    ...files.map((file) => ({ ...file, written: file.written.join(', ') })),
    ...runs.map(({ files: _files, ...run }) => run),
  ];
}

type Source = { id: string; file: FileNaming } | { id: string; run: RunOnFiles };

/** `GET …/germplasms/{id}/values`: what phenotype files and results say of a germplasm. */
export async function listGermplasmValues(
  look: Look,
  germplasm: Named,
  paging: z.output<typeof germplasmValuesQuery>,
): Promise<GermplasmValues> {
  const judging = look.kinds.filter(({ valuesOf }) => valuesOf !== undefined);
  return await listValuesIn(look, await readOccurrences(look, germplasm, judging), paging);
}

/** The same of files and runs that are known. */
export async function listValuesIn(
  { services, kinds }: Pick<Look, 'services' | 'kinds'>,
  { files, runs, writtenIn }: OccurrencesOfLine,
  { limit, cursor }: z.output<typeof germplasmValuesQuery>,
): Promise<GermplasmValues> {
  const after = decodeIdCursor(cursor);
  const judging = kinds.filter(({ valuesOf }) => valuesOf !== undefined);
  const isJudging = new Set(judging.map(({ kind }) => kind));
  const sources: Source[] = [
    ...files.flatMap((file) => (file.kind === WITH_VALUES ? [{ id: file.id, file }] : [])),
    ...runs.flatMap((run) => (isJudging.has(run.kind) ? [{ id: run.id, run }] : [])),
  ]
    .filter(({ id }) => after === undefined || id < after)
    .sort((a, b) => (a.id < b.id ? 1 : -1));
  const { data: shown, next_cursor } = toPage(sources, limit, ({ id }) => [id]);
  const values = await Promise.all(
    shown.map((source) => {
      if ('file' in source) return valuesOfFile(services, source.file);
      const names = [...new Set(source.run.files.flatMap((id) => writtenIn.get(id) ?? []))];
      return valuesOfRun(services, judging, source.run, names);
    }),
  );
  return { data: values.flat(), next_cursor };
}

const WITH_VALUES = 'PHENOTYPE' satisfies FileType;

async function valuesOfFile(
  { db, storage }: Services,
  { id, name, project, written }: FileNaming,
): Promise<GermplasmValue[]> {
  const file = await findFile(db, project.id, id);
  // Deleted, or being checked again, since the list was made.
  if (file?.meta.keys?.table === undefined) return [];
  const { individuals, traits, values, observations } = await readPhenotypeTable(storage, file);
  const meant = new Set(written);
  return individuals.flatMap((individual, row) =>
    meant.has(normalizeName(individual))
      ? traits.flatMap(({ name: trait, unit }, t): GermplasmValue[] => {
          const value = values[t]?.[row] ?? Number.NaN;
          if (Number.isNaN(value)) return [];
          return [
            {
              source: { id, name, kind: WITH_VALUES },
              project,
              written: individual,
              trait,
              unit,
              ...{ environment: null, estimate: 'mean', value, se: null },
              observations: observations[t]?.[row] ?? null,
              ...{ reliability: null, percentile: null },
            },
          ];
        })
      : [],
  );
}

async function valuesOfRun(
  services: Services,
  kinds: readonly RunKindDefinition[],
  { id, name, kind, project }: RunOnFiles,
  names: readonly string[],
): Promise<GermplasmValue[]> {
  const definition = kinds.find((one) => one.kind === kind);
  const row = definition && (await findNamedRun(definition, services.db, project.id, id));
  if (row === undefined) return [];
  const found = (await definition?.valuesOf?.(services, row, names)) ?? [];
  return found.map(({ individual, ...value }) => ({
    source: { id, name, kind },
    project,
    written: individual,
    unit: null,
    observations: null,
    ...value,
  }));
}
