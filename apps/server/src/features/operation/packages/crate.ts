import { PACKAGE_LICENCES, type PackageLicence } from '@heterosis/contracts/data/data-packages';
import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import { CRATE_FILE } from './package-paths.ts';
import type { PackagedFile, Snapshot } from './take-snapshot.ts';

/** What was sent of a file. */
export interface SentFile extends PackagedFile {
  sizeBytes: number;
  hash: string;
}

const TYPES: Record<string, string> = { csv: 'text/csv', json: 'application/json', jsonl: 'application/jsonl' };

const typeOf = ({ contentType, path }: PackagedFile): string =>
  contentType ?? TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

/** An address inside the package, as JSON-LD wants it. */
const refOf = (path: string): { '@id': string } => ({ '@id': path.split('/').map(encodeURIComponent).join('/') });

/** The description of a package: an RO-Crate 1.1 (Soiland-Reyes et al. 2022) with a CreateAction for each run. */
export function describePackage(
  { about, runs }: Snapshot,
  sent: readonly SentFile[],
  { licence, publicUrl }: { licence: PackageLicence | undefined; publicUrl: string },
): object {
  const { project } = about;
  const ofFile = new Map(
    sent.flatMap(({ of, path }) => (of?.kind === 'file' && path.startsWith('files/') ? [[of.id, path] as const] : [])),
  );
  const ofRun = Map.groupBy(sent, ({ of }) => of?.id);
  const software = [...new Set([about.software_version, ...runs.map(({ softwareVersion }) => softwareVersion)])];
  const people = [...new Set(runs.flatMap(({ creator }) => creator ?? []))];
  const graph = [
    {
      '@id': CRATE_FILE,
      '@type': 'CreativeWork',
      conformsTo: { '@id': 'https://w3id.org/ro/crate/1.1' },
      about: { '@id': './' },
    },
    {
      '@id': './',
      '@type': 'Dataset',
      identifier: `${publicUrl}/projects/${project.id}`,
      name: project.name,
      description: project.description ?? `Data and results of the breeding project ${project.name}.`,
      datePublished: about.exported_at,
      ...(project.crop === null ? {} : { keywords: project.crop }),
      license: licence === undefined ? 'All rights reserved' : { '@id': PACKAGE_LICENCES[licence] },
      publisher: { '@id': '#organization' },
      hasPart: sent.map(({ path }) => refOf(path)),
      mentions: runs.map(({ id }) => ({ '@id': `#run-${id}` })),
    },
    { '@id': '#organization', '@type': 'Organization', name: project.organization },
    ...(licence === undefined
      ? []
      : [{ '@id': PACKAGE_LICENCES[licence], '@type': 'CreativeWork', name: licence, identifier: licence }]),
    ...software.map((version) => ({
      '@id': `#heterosis-${version}`,
      '@type': 'SoftwareApplication',
      name: 'Heterosis',
      version,
    })),
    ...people.map((name, index) => ({ '@id': `#person-${index + 1}`, '@type': 'Person', name })),
    ...runs.map((run) => ({
      '@id': `#run-${run.id}`,
      '@type': 'CreateAction',
      name: `${RUN_KINDS[run.kind].noun} ${run.name}`,
      ...(run.description === null ? {} : { description: run.description }),
      instrument: { '@id': `#heterosis-${run.softwareVersion}` },
      ...(run.creator === null ? {} : { agent: { '@id': `#person-${people.indexOf(run.creator) + 1}` } }),
      ...(run.startedAt === null ? {} : { startTime: run.startedAt }),
      ...(run.endedAt === null ? {} : { endTime: run.endedAt }),
      object: run.inputs.flatMap((id) => {
        const path = ofFile.get(id);
        return path === undefined ? [] : [refOf(path)];
      }),
      result: (ofRun.get(run.id) ?? []).map(({ path }) => refOf(path)),
      ...(run.seed === null ? {} : { identifier: `seed ${run.seed}` }),
    })),
    ...sent.map((file) => ({
      ...refOf(file.path),
      '@type': 'File',
      name: file.path.slice(file.path.lastIndexOf('/') + 1),
      contentSize: file.sizeBytes,
      encodingFormat: typeOf(file),
      sha256: file.hash,
    })),
  ];
  return { '@context': 'https://w3id.org/ro/crate/1.1/context', '@graph': graph };
}
