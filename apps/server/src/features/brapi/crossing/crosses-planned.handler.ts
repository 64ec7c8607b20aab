import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { sql } from 'kysely';
import type { Services } from '../../../platform/http/app.ts';
import { type JobRegistration, registerJob } from '../../../platform/job-queue/job.ts';
import { createMadeFile } from '../../data/files/index.ts';
import { type CrossesPlannedPayload, crossesPlannedJob, SILENCE_SECONDS } from '../jobs.ts';
import { listWrittenPlans, type WrittenPlan } from './written-crosses.queries.ts';

export const crossesPlannedRegistration = (services: Services): JobRegistration =>
  registerJob(crossesPlannedJob, ({ payload }) => filePlannedCrosses(services, payload));

/**
 * Makes the next crossing table of a crossing project when crosses were planned since the last, and the client is
 * silent. Every write brings a job of its own, so one that comes too early leaves it to the next.
 */
export async function filePlannedCrosses(
  services: Services,
  { project_id: projectId, crossing_project_id: id }: CrossesPlannedPayload,
  silenceSeconds = SILENCE_SECONDS,
): Promise<void> {
  const { db } = services;
  const { rows } = await sql<{ name: string; revision: number; changed_by: string | null; organization_id: string }>`
    select written.name, written.revision, written.changed_by, place.organization_id
    from crossing_projects as written
    join projects as place on place.id = written.project_id and place.deleted_at is null
    where written.project_id = ${projectId} and written.id = ${id} and revision > filed_revision
      and written.changed_at <= now() - make_interval(secs => ${silenceSeconds - 1})
  `.execute(db);
  const [written] = rows;
  if (written === undefined) return;
  const crosses = (await listWrittenPlans(db, [id])).filter(isInTable);
  if (crosses.length === 0) return;
  const { revision, changed_by: createdBy, organization_id: organizationId } = written;
  await createMadeFile(
    services,
    { projectId, organizationId, folderId: null, fileType: 'CROSSING_TABLE', createdBy },
    {
      defaultName: `${written.name.slice(0, 220)} (planned crosses).csv`,
      contentType: 'text/csv',
      description: `The crosses that BrAPI clients planned in ${written.name}.`,
      options: {},
      bytes: tableOf(crosses),
    },
    {
      before: async (trx) => {
        // Two workers may have the same crosses in hand: the second one finds them filed.
        const { rows: taken } = await sql`
        update crossing_projects set filed_revision = ${revision} where id = ${id} and filed_revision < ${revision}
        returning id
      `.execute(trx);
        if (taken.length === 0) throw new FiledAlready();
      },
      after: async (trx, fileId) => {
        await sql`
        insert into crossing_project_files (file_id, crossing_project_id, version)
        select ${fileId}, ${id}, coalesce(max(version), 0) + 1 from crossing_project_files
        where crossing_project_id = ${id}
      `.execute(trx);
      },
    },
  ).catch((error: unknown) => {
    if (!(error instanceof FiledAlready)) throw error;
  });
}

class FiledAlready extends Error {}

/** A table has parents of both sides, and no crosses that will not be made. */
const isInTable = ({ male, status }: WrittenPlan): boolean => male !== null && status !== 'SKIPPED';

const TYPES: Record<string, string> = { SELF: 'self', DOUBLE_HAPLOID: 'DH' };

async function* tableOf(crosses: readonly WrittenPlan[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const rows = crosses.map(({ name, female, male, cross_type, additional_info }) => {
    const count = Number(additional_info['wishMax'] ?? additional_info['wishMin']);
    return [
      ...[name, female, male ?? '', TYPES[cross_type] ?? 'biparental'],
      Number.isInteger(count) && count > 0 ? String(count) : '',
    ];
  });
  for (const chunk of csvChunks(['cross', 'female', 'male', 'type', 'n'], rows)) yield encoder.encode(chunk);
}
