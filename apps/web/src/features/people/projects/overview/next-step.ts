import type { ProjectOverview } from '@heterosis/contracts/people/projects';

export type NextStep =
  | 'upload-genotype'
  | 'upload-phenotype'
  | 'train-model'
  | 'predict'
  | 'run-gwas'
  | 'simulate-crosses'
  | 'add-candidates'
  | 'add-trials'
  | 'none';

/** What a breeder would naturally do next in this project. */
export function nextStep(overview: ProjectOverview): NextStep {
  if (overview.files.genotype === 0) return 'upload-genotype';
  if (overview.files.phenotype === 0) return 'upload-phenotype';
  if (overview.models === 0) return 'train-model';
  if (overview.gwas === 0) return 'run-gwas';
  if (overview.predictions === 0) return 'predict';
  if (overview.files.crossing_table > 0 && overview.crossing_simulations === 0) return 'simulate-crosses';
  // Everything has run once: what is predicted next, and what the model learns from next.
  if (overview.files.genotype === 1) return 'add-candidates';
  if (overview.files.phenotype === 1) return 'add-trials';
  return 'none';
}
