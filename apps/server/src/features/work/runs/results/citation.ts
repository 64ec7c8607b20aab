import { createHash } from 'node:crypto';
import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import type { Citation, Provenance } from '@heterosis/contracts/work/runs';
import type { Queryable } from '../../../../platform/database/database.ts';
import { Problem } from '../../../../platform/http/problem.ts';

/** What is cited. */
export interface Cited {
  name: string;
  /** Noun and traits, for example `GWAS of Yield`. */
  what: string;
  /** Path of its page below the address of the installation. */
  path: string;
  sha256: string;
  endedAt: string;
  softwareVersion: string;
}

/** The organization stands for the authors: who did what is in the results themselves. */
export async function cite(
  db: Queryable,
  { publicUrl, projectId }: { publicUrl: string; projectId: string },
  { name, what, path, sha256, endedAt, softwareVersion }: Cited,
): Promise<Citation> {
  const place = await db
    .selectFrom('projects')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .select(['projects.name as project', 'organizations.name as organization'])
    .where('projects.id', '=', projectId)
    .executeTakeFirstOrThrow();
  const address = `${publicUrl}${path}`;
  const [day = ''] = endedAt.split('T');
  const year = day.slice(0, 4);
  const text = `${place.organization} (${year}). ${name}: ${what} in the project ${place.project}, made with Heterosis ${softwareVersion} on ${day}. ${address} (SHA-256 ${sha256})`;
  const bibtex = [
    `@misc{heterosis-${sha256.slice(0, 12)},`,
    `  author = {{${inBibtex(place.organization)}}},`,
    `  title = {{${inBibtex(`${name}: ${what}`)}}},`,
    `  year = {${year}},`,
    `  howpublished = {\\url{${address}}},`,
    `  note = {Project ${inBibtex(place.project)}, Heterosis ${softwareVersion}, SHA-256 ${sha256}}`,
    '}',
    '',
  ].join('\n');
  return { text, bibtex, address, sha256 };
}

const inBibtex = (text: string): string =>
  text
    .replaceAll('\\', '\\textbackslash ')
    .replaceAll(/[{}]/g, '')
    .replaceAll(/[&%$#_]/g, (sign) => `\\${sign}`);

/** How a run that has ended is cited; refuses one that has no result. */
export function citedRun(
  {
    kind,
    id,
    name,
    traits,
    project_id,
  }: { kind: RunKind; id: string; name: string; traits: readonly string[]; project_id: string },
  { seed, parameters, input_sha256, software_version, finished_at }: Provenance,
): Cited {
  if (finished_at === null)
    throw new Problem('runs/no-result', `"${name}" has not ended, so there is nothing to cite yet.`);
  const { noun, page } = RUN_KINDS[kind];
  const cause = { kind, traits, seed, parameters, input_sha256, software_version };
  return {
    name,
    what: traits.length === 0 ? noun : `${noun} of ${traits.join(', ')}`,
    path: `/projects/${project_id}/${page}/${id}`,
    sha256: createHash('sha256').update(canonical(cause)).digest('hex'),
    endedAt: finished_at,
    softwareVersion: software_version,
  };
}

/** JSON whose text does not depend on the order of fields. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join()}}`;
}
