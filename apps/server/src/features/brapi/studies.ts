import { withoutEndings } from '@heterosis/contracts/data/file-formats';
import { foldName } from '@heterosis/file-formats/names/normalize-name';
import type { TrialOfProject } from '../data/trials/index.ts';
import type { ProjectRow } from '../people/projects/index.ts';
import type { BrapiFile } from './collecting/collected.queries.ts';
import { idOfText } from './ids.ts';
import type { RecordedDesign, StoredFiles } from './stored-files.ts';
import type { AnnouncedName } from './trials/announced.queries.ts';

export interface Location {
  id: string;
  name: string;
  organizationId: string;
  cropName: string | null;
  /** Degrees; null where no trial says where it is. */
  coordinates: { latitude: number; longitude: number } | null;
}

export interface Season {
  id: string;
  /** As trials and files write it. */
  text: string;
  /** The term alone, "Spring" of "Spring 2018"; all of the text where no year ends or begins it. */
  name: string;
  year: number | null;
}

interface StudyOfFile {
  /** Of the file; with the number of the environment where a file has several. */
  id: string;
  name: string;
  file: BrapiFile;
  project: ProjectRow;
  location: Location | null;
  season: Season | null;
}

export interface GenotypeStudy extends StudyOfFile {
  kind: 'genotype';
}

export interface PhenotypeStudy extends StudyOfFile {
  kind: 'phenotype';
  /** Place among the environments of the file. */
  environment: number;
  design: RecordedDesign;
  /** It is this trial; absent for a study of a file. */
  trial?: TrialOfProject;
}

/** A genotype file, or an environment of a phenotype file. */
export type Study = GenotypeStudy | PhenotypeStudy;

export const isGenotype = (study: Study): study is GenotypeStudy => study.kind === 'genotype';
export const isPhenotype = (study: Study): study is PhenotypeStudy => study.kind === 'phenotype';

export async function studiesOfFile(files: StoredFiles, file: BrapiFile, project: ProjectRow): Promise<Study[]> {
  const name = withoutEndings(file.name) || file.name;
  const common = { file, project };
  if (file.file_type === 'GENOTYPE')
    return [{ kind: 'genotype', id: file.id, name, location: null, season: null, ...common }];
  if (file.file_type !== 'PHENOTYPE') return [];
  const design = await files.design(file);
  return design.environments.map((environment, index): PhenotypeStudy => {
    const { location, environment: site, year } = environment.design;
    const place = location ?? site;
    return {
      kind: 'phenotype',
      id: environment.name === null ? file.id : `${file.id}-${index}`,
      name: environment.name === null ? name : `${name} · ${environment.name}`,
      environment: index,
      design,
      location: place === undefined ? null : locationOf(project, place),
      season: year === undefined ? null : seasonOf(year),
      ...common,
    };
  });
}

/** The same name in an organization is the same place. */
export const locationOf = (
  { organization_id, crop_name }: Pick<ProjectRow, 'organization_id' | 'crop_name'>,
  name: string,
  { latitude, longitude }: { latitude: number | null; longitude: number | null } = { latitude: null, longitude: null },
): Location => ({
  id: idOfText('location', organization_id, foldName(name) || name),
  name,
  organizationId: organization_id,
  cropName: crop_name,
  coordinates: latitude === null || longitude === null ? null : { latitude, longitude },
});

/** Places, each once; where several trials say where it is, the newest, and then who made it known. */
export function placesOf(studies: readonly Study[], announced: readonly Location[]): Location[] {
  const places = new Map(announced.map((place) => [place.id, place]));
  for (const { location } of studies) {
    if (location === null) continue;
    const known = places.get(location.id);
    places.set(location.id, { ...location, coordinates: location.coordinates ?? known?.coordinates ?? null });
  }
  return [...places.values()];
}

/** Places and seasons of studies, and what clients have made known. */
export const announcedPlaces = (announced: readonly AnnouncedName[]): Location[] =>
  announced.flatMap(({ kind, key, name, organization_id, latitude, longitude }) =>
    kind === 'PLACE'
      ? [
          {
            ...{ id: key, name, organizationId: organization_id, cropName: null },
            coordinates: latitude === null || longitude === null ? null : { latitude, longitude },
          },
        ]
      : [],
  );
export const seasonsOf = (studies: readonly Study[], announced: readonly AnnouncedName[]): Season[] => [
  ...new Map(
    [
      ...studies.map(({ season }) => season),
      ...announced.map(({ kind, name }) => (kind === 'SEASON' ? seasonOf(name) : null)),
    ].flatMap((season) => (season === null ? [] : [[season.id, season] as const])),
  ).values(),
];

const YEAR = '(?:1[89]|20|21)\\d\\d';
const WITH_YEAR = new RegExp(`^(?:(?<year>${YEAR})|(?<first>${YEAR}) (?<rest>\\S.*)|(?<term>.*\\S) (?<last>${YEAR}))$`);

/** A season of BrAPI has a term and a year; of a trial it is one text with both, in either order. */
export function seasonOf(text: string): Season {
  const { year, first, rest, term, last } = WITH_YEAR.exec(text)?.groups ?? {};
  const name = rest ?? term ?? text;
  const isClear = name === text || !new RegExp(YEAR).test(name);
  return {
    id: /^[\w.-]{1,40}$/.test(text) ? text : idOfText('season', text),
    text,
    name: isClear ? name : text,
    year: isClear ? yearOf(year ?? first ?? last) : null,
  };
}

const yearOf = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits));
