import { FINE_MAPPING_OPTIONS } from '@heterosis/contracts/options/fine-mapping';
import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import { enumeration, grouped } from '@heterosis/contracts/options/words';
import { SOFTWARE_VERSION } from '../../../../platform/config/config.ts';
import type { WorkerServices } from '../../../../platform/http/app.ts';
import type { JobRegistration, Needs } from '../../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../../platform/object-storage/storage-location.ts';
import type { CovarianceObject } from '../../../../platform/object-storage/stored-covariance.ts';
import type { StoredInputs } from '../../../../platform/object-storage/stored-panel.ts';
import { covarianceObject, derivedKey, findRunFiles, panelKeys } from '../../../data/files/index.ts';
import { lockEntry } from '../../../people/projects/index.ts';
import { needsOf, weightsOf } from '../../matching/index.ts';
import { findNamedRun } from '../../runs/kind/index.ts';
import { type Entity, registerWorkOn } from '../../runs/work/index.ts';
import { type GwasRow, gwasSelection } from '../gwas.queries.ts';
import { fineMapJob } from '../jobs.ts';
import type { FineMapComputeInput, FineMapFigures } from './fine-map.compute.ts';
import { type FineMapRow, findFineMaps, storeFineMapResult } from './fine-maps.queries.ts';

const COMPUTE = new URL('./fine-map.compute.ts', import.meta.url);
const PURITY = FINE_MAPPING_OPTIONS.purity.default;

interface FineMapInputs extends StoredInputs {
  covariance: CovarianceObject | null;
  fineMap: FineMapRow;
}

/** The GWAS of a fine mapping, whose own results stay as they are whatever becomes of it. */
const ENTITY: Entity<GwasRow> = {
  kind: 'gwas',
  find: (db, projectId, id) => findNamedRun(gwasSelection, db, projectId, id),
  lock: (trx, projectId, id) => lockEntry(trx, 'gwas', projectId, id),
  // Its state is that of its run.
  fail: async () => {},
};

export const fineMapRegistration = (services: WorkerServices): JobRegistration =>
  registerWorkOn(services, ENTITY, fineMapJob, {
    // No trait of the GWAS is in work again.
    traits: () => [],
    needs: (row) => needsOfFineMap(services, row),
    async inputs(row, { runId }): Promise<FineMapInputs | undefined> {
      const { db, config } = services;
      const files = await findRunFiles(db, gwasSelection, row);
      const found = (await findFineMaps(db, row.id)).find(({ run }) => run?.id === runId);
      return (
        files &&
        found && {
          storage: storageLocation(config),
          panel: panelKeys(files.genotype),
          phenotype: derivedKey(files.phenotype, 'table'),
          covariance: row.parameters.weights === 'full' ? covarianceObject(files.phenotype, row.traits) : null,
          fineMap: found.row,
        }
      );
    },
    async compute(row, { fineMap, ...stored }, step) {
      const { parameters } = row;
      const { trait, chr, start, end, effects, coverage } = fineMap;
      const result = await step.run<FineMapComputeInput, FineMapFigures>(COMPUTE, {
        ...stored,
        ...{ trait, effects, coverage, purity: PURITY, maf: row.thresh_maf, callRate: row.thresh_callrate },
        region: { chromosome: chr, fromBp: start, toBp: end },
        fixed: row.fixed,
        covariates: (parameters.covariates ?? []).map((name) => ({ name, kind: parameters.covariate_kinds?.[name] })),
        conditionOn: parameters.condition_on ?? [],
        standardErrors: standardErrorsOf(row, trait),
        residualLines: parameters.residual_lines === true,
        exclusions: parameters.exclusions,
        renames: parameters.renames ?? [],
      });
      return {
        id: fineMap.id,
        result: { ...result, command: commandOf(row, fineMap), methods: methodsOf(row, fineMap, result) },
      };
    },
    store: (trx, _row, { id, result }) => storeFineMapResult(trx, id, result),
  });

/** Room for the kinship and the markers; undefined if a file is gone. */
async function needsOfFineMap(services: WorkerServices, row: GwasRow): Promise<Needs | undefined> {
  const files = await findRunFiles(services.db, gwasSelection, row);
  return (
    files &&
    (await needsOf(services, 'gwas', {
      ...{ ...files, traits: 1, dominance: false, isFitted: true, loco: false },
      ...{ weights: weightsOf(row.parameters), residualLines: row.parameters.residual_lines === true },
      ...{ permutations: 0, stepwise: 0 },
    }))
  );
}

/** A paragraph for the methods section of a paper. */
function methodsOf(
  { fixed, parameters }: Pick<GwasRow, 'fixed' | 'parameters'>,
  { trait, chr, start, end, effects, coverage }: FineMapRow,
  { n, kinship, markers, sets }: FineMapFigures,
): string {
  const weights = weightsOf(parameters);
  const relationships = kinship === 'other chromosomes' ? 'markers of the other chromosomes' : 'all markers';
  return [
    `The region of chromosome ${chr} from ${grouped(start)} to ${grouped(end)} bp was fine-mapped for ${trait} (n = ${grouped(n)}, ${grouped(markers.length)} markers) as a sum of at most ${effects} single effects (SuSiE; Wang et al. 2020), any marker with the same prior probability, beside random effects with the genomic relationships of ${relationships} (VanRaden 2008, method 1), whose variance was estimated by REML without effects in the region.`,
    ...fixedSentence(fixed, [...(parameters.covariates ?? []), ...(parameters.condition_on ?? [])]),
    ...(weights === 'none' ? [] : [ERRORS[weights]]),
    ...(parameters.residual_lines === true ? [GWAS_OPTIONS.residual_lines.says()] : []),
    `Credible sets hold a marker with an effect with a probability of ${coverage}; sets with a correlation below ${PURITY} between two markers were dropped. ${sets.length === 0 ? 'No set was left.' : `${sets.length} ${sets.length === 1 ? 'set was' : 'sets were'} found.`}`,
    `Computed with Heterosis ${SOFTWARE_VERSION}.`,
  ].join(' ');
}

const ERRORS = {
  se: 'Errors of the values were taken as independent, with variances in proportion to the squares of their standard errors (Piepho et al. 2012).',
  full: 'Errors of the values were taken as correlated, in proportion to the whole covariance of the means (Piepho et al. 2012).',
} as const;

/** The column of a trait's standard errors. */
const standardErrorsOf = ({ traits, parameters }: Pick<GwasRow, 'traits' | 'parameters'>, trait: string): string[] =>
  (parameters.standard_errors ?? []).filter((_, place) => traits[place] === trait);

function fixedSentence(axes: number, covariates: readonly string[]): string[] {
  const inX = [...(axes === 0 ? [] : [`the first ${axes} principal components`]), ...covariates];
  return inX.length === 0 ? [] : [`Fixed effects: ${enumeration(inX)}.`];
}

/** For people who have both files on their own machine. */
function commandOf(row: GwasRow, { trait, chr, start, end, effects, coverage }: FineMapRow): string | null {
  const { parameters, fixed, thresh_maf, thresh_callrate, genotype_name, phenotype_name } = row;
  const { exclusions, renames = [], covariates = [], covariate_kinds: kinds = {}, condition_on = [] } = parameters;
  // The covariance of means is a file that the command would need beside them.
  if (parameters.weights === 'full') return null;
  if (exclusions !== undefined || renames.length > 0 || genotype_name === null || phenotype_name === null) return null;
  const errors = standardErrorsOf(row, trait);
  const named = covariates.map((name) => {
    const kind = kinds[name];
    return listed(kind === undefined ? name : `${name}:${kind}`);
  });
  return [
    ...['heterosis', 'finemap', '--genotype', genotype_name, '--phenotype', phenotype_name, '--trait', trait],
    ...['--region', `${chr}:${start}-${end}`, ...(fixed === 0 ? [] : ['--fixed', String(fixed)])],
    ...(named.length === 0 ? [] : ['--covariates', named.join(',')]),
    ...(condition_on.length === 0 ? [] : ['--condition-on', condition_on.map(listed).join(',')]),
    ...(errors.length === 0 ? [] : ['--standard-errors', errors.map(listed).join(',')]),
    ...(parameters.residual_lines === true ? ['--residual-lines'] : []),
    ...['--maf', String(thresh_maf), '--call-rate', String(thresh_callrate)],
    ...['--effects', String(effects), '--coverage', String(coverage), '--out', 'sets.csv'],
  ]
    .map(quoted)
    .join(' ');
}

/** In a list a name that holds a comma or a quote stands in quotes. */
const listed = (name: string): string => (/[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

const quoted = (word: string): string => (/^[\w.:/=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
