import type { ProjectTrait, TraitScale } from '@heterosis/contracts/people/traits';
import type { TraitColumn } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { listProjectTraits, type ProjectRow } from '../../people/projects/index.ts';
import type { Asked } from '../asked.ts';
import type { Json } from '../envelope.ts';
import { idOfText } from '../ids.ts';
import { complete, type ListEntity, segmentOf } from '../list-entity.ts';
import { type BrapiScope, projectsAsked, studiesAsked } from '../scope.ts';
import { isPhenotype, type PhenotypeStudy } from '../studies.ts';
import { kindOfScale } from './kind-of-scale.ts';
import { meansOfStudy } from './levels.ts';
import { type ObservedTrait, STATISTICS, type Statistic } from './mean-records.ts';

/** A trait in its unit, the same in all files of an organization. */
export interface Variable {
  id: string;
  name: string;
  unit: string | null;
  ontologyId: string | null;
  kind: TraitColumn['kind'];
  traitId: string;
  traitName: string;
  /** What a trial analysis estimated; null for what was observed. */
  statistic: Statistic | null;
  scaleId: string;
  methodId: string;
  range: { least: number; most: number } | null;
  categories: readonly string[];
  /** What the list of traits of a project says of it. */
  scale: TraitScale | null;
  details: string | null;
  cropName: string | null;
  organizationId: string;
  studyIds: string[];
}

/** What a trait by itself does not say. */
type Unsaid = 'range' | 'categories' | 'studyIds' | 'scale' | 'details';
const UNSAID = { range: null, categories: [], scale: null, details: null } as const;

export function variableOf(
  { organization_id: organizationId, crop_name: cropName }: Pick<ProjectRow, 'organization_id' | 'crop_name'>,
  { name, unit, ontologyId, kind, estimated }: ObservedTrait,
): Omit<Variable, Unsaid> {
  const key = name.toLowerCase();
  const traitName = estimated?.trait ?? name;
  return {
    id: idOfText('variable', organizationId, key, kind, unit ?? ''),
    ...{ name, unit, ontologyId, kind, organizationId, cropName, traitName, statistic: estimated?.statistic ?? null },
    traitId: idOfText('trait', organizationId, traitName.toLowerCase()),
    scaleId: idOfText('scale', organizationId, kind, unit ?? ''),
    methodId: idOfText('method', organizationId, key),
  };
}

/** Ids under which the variable of a trait of a project goes: without a scale, values say whether it is a number. */
export const variableIdsOf = (
  project: ProjectRow,
  { name, unit, ontology_id: ontologyId, scale }: ProjectTrait,
): string[] =>
  (scale === null ? (['numeric', 'categorical'] as const) : [kindOfScale(scale)]).map(
    (kind) => variableOf(project, { name, unit, ontologyId, kind }).id,
  );

const ofStudy = new WeakMap<PhenotypeStudy, Variable[]>();

/** The variables that were observed in a study. */
export function variablesOfStudy(study: PhenotypeStudy): Variable[] {
  const known = ofStudy.get(study);
  if (known !== undefined) return known;
  const { project, environment, design } = study;
  const { traits, observed, ranges, categories } = design;
  const variables = (observed[environment] ?? []).flatMap((t): Variable[] => {
    const trait = traits[t];
    if (trait === undefined) return [];
    return [
      {
        ...UNSAID,
        ...variableOf(project, trait),
        range: ranges[t] ?? null,
        categories: categories[t] ?? [],
        studyIds: [study.id],
      },
    ];
  });
  ofStudy.set(study, variables);
  return variables;
}

/** The variables of studies, each once; ranges and categories cover all of them. */
async function variablesAsked(scope: BrapiScope, asked: Asked): Promise<Variable[]> {
  const merged = new Map<string, Variable>();
  const add = (variable: Variable): void => {
    const known = merged.get(variable.id);
    merged.set(variable.id, known === undefined ? variable : united(known, variable));
  };
  // Field Book offers the variables of a study to be scored: nobody scores a mean.
  const withMeans = !asked.has('studyDbId', 'studyName');
  const studies = (await studiesAsked(scope, asked)).filter(isPhenotype);
  const listed = await listedTraits(scope, [
    ...new Set([...(withMeans ? projectsAsked(scope, asked) : []), ...studies.map(({ project }) => project)]),
  ]);
  for (const study of studies)
    for (const variable of variablesOfStudy(study))
      add(asListed(variable, listed.get(study.project.id)?.get(variable.name)));
  for (const study of withMeans ? studies : [])
    for (const trait of (await meansOfStudy(scope, study))?.traits ?? [])
      add({ ...UNSAID, ...variableOf(study.project, trait), studyIds: [study.id] });
  // What a study is to be made with is asked for before there is one.
  for (const project of withMeans ? projectsAsked(scope, asked) : [])
    for (const trait of listed.get(project.id)?.values() ?? [])
      if (!variableIdsOf(project, trait).some((id) => merged.has(id)))
        add(asListed({ ...UNSAID, ...variableOf(project, columnOfTrait(trait)), studyIds: [] }, trait));
  return [...merged.values()];
}

const columnOfTrait = ({ name, unit, ontology_id: ontologyId, scale }: ProjectTrait): TraitColumn => ({
  ...{ name, unit, ontologyId },
  kind: scale === null ? 'numeric' : kindOfScale(scale),
});

/** The lists of traits of projects, by project and name. */
async function listedTraits(
  { db }: BrapiScope,
  projects: readonly ProjectRow[],
): Promise<Map<string, Map<string, ProjectTrait>>> {
  const listed = new Map<string, Map<string, ProjectTrait>>();
  for (const { id } of projects)
    listed.set(id, new Map((await listProjectTraits(db, id)).map((trait) => [trait.name, trait])));
  return listed;
}

/** A variable as the list of traits of a project has it. */
function asListed(variable: Variable, trait: ProjectTrait | undefined): Variable {
  if (trait === undefined) return variable;
  const { scale, details, ontology_id: ontologyId } = trait;
  const { organizationId, kind, unit } = variable;
  return {
    ...variable,
    ...{ scale, details, ontologyId: ontologyId ?? variable.ontologyId },
    ...(scale !== null && { scaleId: idOfText('scale', organizationId, kind, unit ?? '', JSON.stringify(scale)) }),
  };
}

function united(one: Variable, other: Variable): Variable {
  return {
    ...one,
    ontologyId: one.ontologyId ?? other.ontologyId,
    ...(one.scale === null && { scale: other.scale, scaleId: other.scaleId }),
    details: one.details ?? other.details,
    range:
      one.range === null || other.range === null
        ? (one.range ?? other.range)
        : {
            least: Math.min(one.range.least, other.range.least),
            most: Math.max(one.range.most, other.range.most),
          },
    categories: [...new Set([...one.categories, ...other.categories])].sort(),
    studyIds: [...one.studyIds, ...other.studyIds],
  };
}

const ontologyOf = (ontologyId: string | null): Json | null =>
  ontologyId === null
    ? null
    : {
        ontologyDbId: ontologyId.split(':', 1)[0] ?? ontologyId,
        ontologyName: ontologyId.split(':', 1)[0] ?? ontologyId,
      };

const traitEntry = ({ traitId, traitName, ontologyId }: Variable): Json =>
  complete('traits', {
    traitDbId: traitId,
    traitName,
    traitDescription: traitName,
    traitClass: 'Agronomic',
    attribute: traitName,
    status: 'active',
    traitPUI: ontologyId,
    ontologyReference: ontologyOf(ontologyId),
  });

const DATA_TYPES = { numeric: 'Numerical', integer: 'Numerical', date: 'Date', text: 'Text' } as const;

/** Categories that are numbers have an order. */
function dataTypeOf({ scale, kind }: Variable): string {
  if (scale === null) return kind === 'numeric' ? 'Numerical' : 'Nominal';
  if (scale.kind !== 'categories') return DATA_TYPES[scale.kind];
  return scale.categories.every(({ value }) => /^-?\d+(\.\d+)?$/.test(value)) ? 'Ordinal' : 'Nominal';
}

function scaleEntry(variable: Variable): Json {
  const { scaleId, unit, kind, range, categories, scale } = variable;
  // Observed values are no limits: those would make a client refuse the next larger plant.
  const { min, max } = scale?.kind === 'numeric' || scale?.kind === 'integer' ? scale : { min: null, max: null };
  return complete('scales', {
    scaleDbId: scaleId,
    scaleName: unit ?? (scale?.kind === 'categories' || kind !== 'numeric' ? 'category' : 'number'),
    dataType: dataTypeOf(variable),
    decimalPlaces: scale?.kind === 'integer' ? 0 : null,
    units: unit,
    validValues: {
      categories:
        scale?.kind === 'categories'
          ? scale.categories.map(({ value, label }) => ({ label: label ?? value, value }))
          : categories.map((value) => ({ label: value, value })),
      // Numbers in 2.0, texts in 2.1.
      ...{ min, max, minimumValue: min === null ? null : String(min), maximumValue: max === null ? null : String(max) },
    },
    additionalInfo: range === null ? null : { observedMinimum: range.least, observedMaximum: range.most },
  });
}

const methodEntry = ({ methodId, name, statistic, details }: Variable): Json =>
  complete('methods', {
    methodDbId: methodId,
    ...(statistic === null
      ? {
          methodName: `${name}, as recorded`,
          methodClass: 'Measurement',
          description: details ?? 'How it was measured is not recorded.',
        }
      : {
          methodName: STATISTICS[statistic].method,
          methodClass: 'Computation',
          description: STATISTICS[statistic].about,
        }),
  });

export const variables: ListEntity<Variable> = {
  name: 'variables',
  id: 'observationVariableDbId',
  hasSearch: true,
  paths: {
    traitDbId: 'trait.traitDbId',
    traitName: 'trait.traitName',
    traitPUI: 'trait.traitPUI',
    traitClass: 'trait.traitClass',
    traitAttribute: 'trait.attribute',
    traitAttributePUI: 'trait.attributePUI',
    traitEntity: 'trait.entity',
    traitEntityPUI: 'trait.entityPUI',
    scaleDbId: 'scale.scaleDbId',
    scaleName: 'scale.scaleName',
    scalePUI: 'scale.scalePUI',
    dataType: 'scale.dataType',
    methodDbId: 'method.methodDbId',
    methodName: 'method.methodName',
    methodPUI: 'method.methodPUI',
    ontologyDbId: 'ontologyReference.ontologyDbId',
  },
  segments: async (scope, asked) => [segmentOf(await variablesAsked(scope, asked))],
  serialize: (_scope, rows) =>
    rows.map((variable) =>
      complete('variables', {
        observationVariableDbId: variable.id,
        observationVariableName: variable.name,
        observationVariablePUI: variable.ontologyId,
        commonCropName: variable.cropName,
        defaultValue: null,
        status: 'active',
        language: 'en',
        ontologyReference: ontologyOf(variable.ontologyId),
        trait: traitEntry(variable),
        scale: scaleEntry(variable),
        method: methodEntry(variable),
        additionalInfo: { programDbId: variable.organizationId },
      }),
    ),
};

/** The traits, scales and methods of variables are lists of their own. */
function partOfVariables(
  name: 'traits' | 'scales' | 'methods',
  id: string,
  idOf: (variable: Variable) => string,
  entryOf: (variable: Variable) => Json,
): ListEntity<Variable> {
  return {
    name,
    id,
    hasSearch: false,
    paths: { ontologyDbId: 'ontologyReference.ontologyDbId' },
    async segments(scope, asked) {
      const ids = asked.take('observationVariableDbId');
      const among = (await variablesAsked(scope, asked)).filter((one) => ids === undefined || ids.includes(one.id));
      const merged = new Map<string, Variable>();
      for (const variable of among) {
        const known = merged.get(idOf(variable));
        merged.set(idOf(variable), known === undefined ? variable : united(known, variable));
      }
      return [segmentOf([...merged.values()])];
    },
    serialize: (_scope, rows) => rows.map(entryOf),
  };
}

export const traits = partOfVariables('traits', 'traitDbId', ({ traitId }) => traitId, traitEntry);
export const scales = partOfVariables('scales', 'scaleDbId', ({ scaleId }) => scaleId, scaleEntry);
export const methods = partOfVariables('methods', 'methodDbId', ({ methodId }) => methodId, methodEntry);
