import { MEANS_OPTIONS } from '@heterosis/contracts/options/shared';
import type { Services } from '../../../platform/http/app.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { covarianceObject, type FileRow, requireGenotype, requireReadyFile } from '../../data/files/index.ts';
import { requireTraits } from './match-files.service.ts';
import { type ChosenCovariates, readCovariates } from './read-covariates.ts';

interface TraitInputs {
  genotype: FileRow;
  phenotype: FileRow;
  traits: string[];
  /** For the stored parameters. */
  covariates: Partial<ChosenCovariates>;
  weighing: Weighing;
}

interface ChosenWeights {
  weights?: 'none' | 'se' | 'full' | undefined;
  standard_errors: string[];
  residual_lines: boolean;
}

/** What is stored of the weights of a run. */
interface Weighing {
  weights: 'se' | 'full' | undefined;
  standard_errors: string[] | undefined;
}

/** The files, traits and covariates of an analysis of traits, all of which must be there; plants of any ploidy. */
export async function requireTraitInputs(
  services: Services,
  projectId: string,
  body: ChosenCovariates & ChosenWeights & { genotype_id: string; phenotype_id: string; traits: readonly string[] },
): Promise<TraitInputs> {
  const { db } = services;
  const genotype = await requireGenotype(db, projectId, body.genotype_id);
  const phenotype = await requireReadyFile(db, projectId, body.phenotype_id, 'PHENOTYPE');
  const traits = requireTraits(phenotype, body.traits);
  const weighing = requireWeights(phenotype, traits, body);
  return { genotype, phenotype, traits, covariates: await readCovariates(services, phenotype, traits, body), weighing };
}

/**
 * What a run knows of the errors of its values: the covariance of the file, columns of it, or nothing. Refuses what the
 * file does not have.
 */
function requireWeights(phenotype: FileRow, traits: readonly string[], body: ChosenWeights): Weighing {
  const { standard_errors: named, residual_lines: hasLines } = body;
  const weights = body.weights ?? (named.length > 0 ? 'se' : 'none');
  if (weights === 'full') {
    covarianceObject(phenotype, traits);
    return { weights, standard_errors: undefined };
  }
  if (weights === 'none') {
    const { message, action } = MEANS_OPTIONS.residual_lines.needs.standard_errors;
    if (hasLines)
      throw new Problem('request/invalid', `${message} ${action}`, {
        invalidParams: [{ name: 'body.residual_lines', reason: message }],
      });
    return { weights: undefined, standard_errors: undefined };
  }
  return { weights, standard_errors: named.length > 0 ? named : errorColumns(phenotype, traits) };
}

/** The columns that a file made from a trial analysis has for the purpose. */
function errorColumns({ id, name, meta }: FileRow, traits: readonly string[]): string[] {
  const columns = new Map(meta.covariance?.traits.map((one) => [one.trait, one.standard_errors]));
  return traits.map((trait) => {
    const column = columns.get(trait);
    if (column !== undefined && meta.traits?.includes(column) === true) return column;
    throw new Problem(
      'files/no-standard-errors',
      `"${name}" does not say which of its columns has the standard errors of ${trait}. Name them in standard_errors, in the order of the traits, or take no weights.`,
      {
        details: { file_id: id, trait },
        invalidParams: [{ name: 'body.standard_errors', reason: `None for ${trait}` }],
      },
    );
  });
}
