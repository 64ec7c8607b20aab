import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import type { Provenance, ReportQuery } from '@heterosis/contracts/work/runs';
import type { Services } from '../../../../platform/http/app.ts';
import type { Download } from '../../../../platform/http/bind.ts';
import { aside } from '../../../../platform/processes/aside.ts';
import type { NamedRunRow, RunKindDefinition } from '../kind/run-kind.ts';
import type { Bundle } from '../results/bundle.ts';
import type { Outcome } from '../work/run-mail.ts';
import type { Audience, Report } from './report.ts';
import { readReportPlace } from './report-place.ts';
import { readReportTraits } from './report-traits.ts';

/** What is reported of a run. */
export async function reportOfRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail>,
  row: Row,
  {
    bundle: { inputs, provenance, methods },
    audience,
    page: paper,
  }: { bundle: Bundle; audience: Audience; page: ReportQuery['page'] },
): Promise<Report> {
  const { noun, page } = RUN_KINDS[definition.kind];
  const { created_at, ...place } = await readReportPlace(services, row.project_id, audience);
  const isInside = audience === 'members';
  const unused = definition.unused?.(row) ?? [];
  const lines = linesOf(provenance);
  const traits = await readReportTraits(services, row.project_id, row.traits);
  return {
    page: paper,
    ...{ ...place, kind: noun.charAt(0).toUpperCase() + noun.slice(1) },
    ...{ name: row.name, description: row.description, methods },
    parts: (await definition.reportParts?.(services, row, traits)) ?? [],
    sentences: sentencesOf(definition.outcome(row), audience),
    inputs: Object.entries(inputs)
      // What a run did without was not deleted.
      .filter(([role, name]) => name !== null || !unused.includes(role))
      .map(([role, name]) => [inWords(role), name ?? 'deleted']),
    provenance: isInside
      ? [...(provenance.created_by === null ? [] : [['Started by', provenance.created_by] as const]), ...lines]
      : lines.filter(([, value]) => !UUID.test(value)),
    link: isInside ? `${services.config.publicUrl}/projects/${row.project_id}/${page}/${row.id}` : null,
    date: provenance.finished_at ?? provenance.started_at ?? created_at,
  };
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Why something failed may name files, lines and whoever cancelled it. */
function sentencesOf(outcome: Outcome | undefined, audience: Audience): string[] {
  if (outcome === undefined) return ['This run has not ended yet.'];
  const { results, failures } = outcome;
  if (audience === 'members' || failures.length === 0) return [...results, ...failures];
  return [...results, results.length === 0 ? 'It has no result.' : 'Some of it has no result.'];
}

/** A report as PDF, printed beside the requests of others. */
export const printReport = async (report: Report): Promise<Download> => ({
  bytes: await aside<Uint8Array>(new URL('./report.thread.ts', import.meta.url), report),
  fileName: `${report.name}.pdf`,
});

const inWords = (role: string): string => {
  const words = role.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What was not asked for is no news. */
const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value as object).length === 0);

function linesOf(provenance: Provenance): [string, string][] {
  const { seed, software_version: version, input_sha256: hashes, parameters, seconds } = provenance;
  const time = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;
  return [
    ...(provenance.finished_at === null ? [] : [['Finished', time(provenance.finished_at)] satisfies [string, string]]),
    ...(seconds === null ? [] : [['Duration', `${Math.round(seconds)} s`] satisfies [string, string]]),
    ['Version', `Heterosis ${version}`],
    ...(seed === null ? [] : [['Seed', String(seed)] satisfies [string, string]]),
    ...Object.entries(hashes).map(([role, hash]): [string, string] => [`SHA-256 of ${inWords(role)}`, hash]),
    ...Object.entries(parameters)
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]): [string, string] => [
        inWords(name),
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
  ];
}
