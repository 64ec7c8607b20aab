import type { TraitColumn } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { ProjectRow } from '../../people/projects/index.ts';
import type { Asked } from '../asked.ts';
import type { Json } from '../envelope.ts';
import { idOfText } from '../ids.ts';
import { complete, type ListEntity, segmentOf } from '../list-entity.ts';
import { type BrapiScope, studiesAsked } from '../scope.ts';
import { isPhenotype, type PhenotypeStudy } from '../studies.ts';
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
  cropName: string | null;
  organizationId: string;
  studyIds: string[];
}

export function variableOf(
  { organization_id: organizationId, crop_name: cropName }: Pick<ProjectRow, 'organization_id' | 'crop_name'>,
  { name, unit, ontologyId, kind, estimated }: ObservedTrait,
): Omit<Variable, 'range' | 'categories' | 'studyIds'> {
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
  for (const study of studies) for (const variable of variablesOfStudy(study)) add(variable);
  for (const study of withMeans ? studies : [])
    for (const trait of (await meansOfStudy(scope, study))?.traits ?? [])
      add({ ...variableOf(study.project, trait), range: null, categories: [], studyIds: [study.id] });
  return [...merged.values()];
}

function united(one: Variable, other: Variable): Variable {
  return {
    ...one,
    ontologyId: one.ontologyId ?? other.ontologyId,
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

const scaleEntry = ({ scaleId, unit, kind, range, categories }: Variable): Json =>
  complete('scales', {
    scaleDbId: scaleId,
    scaleName: unit ?? (kind === 'numeric' ? 'number' : 'category'),
    dataType: kind === 'numeric' ? 'Numerical' : 'Nominal',
    units: unit,
    validValues: {
      categories: categories.map((value) => ({ label: value, value })),
      // Observed, not allowed: a limit would make a client refuse the next larger plant.
      ...{ min: null, max: null, minimumValue: null, maximumValue: null },
    },
    additionalInfo: range === null ? null : { observedMinimum: range.least, observedMaximum: range.most },
  });

const methodEntry = ({ methodId, name, statistic }: Variable): Json =>
  complete('methods', {
    methodDbId: methodId,
    ...(statistic === null
      ? {
          methodName: `${name}, as recorded`,
          methodClass: 'Measurement',
          description: 'How it was measured is not recorded in the file.',
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
