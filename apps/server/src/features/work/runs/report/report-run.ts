import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import type { Provenance, ReportQuery } from '@heterosis/contracts/work/runs';
import type { Services } from '../../../../platform/http/app.ts';
import type { Download } from '../../../../platform/http/bind.ts';
import { aside } from '../../../../platform/processes/aside.ts';
import { findPlaceNames } from '../kind/run-kind.queries.ts';
import type { NamedRunRow, RunKindDefinition } from '../kind/run-kind.ts';
import type { BundleParts } from '../results/bundle.ts';
import type { Report, ReportPart } from './report.ts';

/** The report of a run as PDF, printed beside the requests of others. */
export async function reportOfRun<Row extends NamedRunRow, Item, Detail>(
  services: Services,
  definition: RunKindDefinition<Row, Item, Detail>,
  row: Row,
  { bundle, query }: { bundle: BundleParts; query: ReportQuery },
): Promise<Download> {
  const { noun, page } = RUN_KINDS[definition.kind];
  const places = await findPlaceNames(services.db, row.project_id);
  const outcome = definition.outcome(row);
  const parts: ReportPart[] = (await definition.reportParts?.(services, row)) ?? [];
  const { inputs, provenance, methods } = bundle;
  const report: Report = {
    ...{ page: query.page, ...places, kind: noun.charAt(0).toUpperCase() + noun.slice(1) },
    ...{ name: row.name, description: row.description, parts, methods },
    sentences: outcome === undefined ? ['This run has not ended yet.'] : [...outcome.results, ...outcome.failures],
    inputs: Object.entries(inputs).map(([role, name]) => [inWords(role), name ?? 'deleted']),
    provenance: linesOf(provenance),
    link: `${services.config.publicUrl}/projects/${row.project_id}/${page}/${row.id}`,
    date: provenance.finished_at ?? provenance.started_at ?? places.created_at,
  };
  return {
    bytes: await aside<Uint8Array>(new URL('./report.thread.ts', import.meta.url), report),
    fileName: `${row.name}.pdf`,
  };
}

const inWords = (role: string): string => {
  const words = role.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function linesOf(provenance: Provenance): [string, string][] {
  const { created_by: by, seed, software_version: version, input_sha256: hashes, parameters, seconds } = provenance;
  const time = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;
  return [
    ...(by === null ? [] : [['Started by', by] satisfies [string, string]]),
    ...(provenance.finished_at === null ? [] : [['Finished', time(provenance.finished_at)] satisfies [string, string]]),
    ...(seconds === null ? [] : [['Duration', `${Math.round(seconds)} s`] satisfies [string, string]]),
    ['Version', `Heterosis ${version}`],
    ...(seed === null ? [] : [['Seed', String(seed)] satisfies [string, string]]),
    ...Object.entries(hashes).map(([role, hash]): [string, string] => [`SHA-256 of ${inWords(role)}`, hash]),
    ...Object.entries(parameters).map(([name, value]): [string, string] => [
      inWords(name),
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ];
}
