import type { GeneAction } from '../options/gwas.ts';

/** Where results are by trait, those of tests on all traits together stand under this name. */
export const JOINT_TRAIT = 'Traits in one model';
/** Results of a trait under a gene action, which stand beside those of the trait, have this name. */
export const actionResult = (trait: string, action: GeneAction): string => `${trait} · ${action}`;
/** So many results of gene actions, for each trait and action one. */
const MOST_ACTION_RESULTS = 200;

/** Why these traits cannot have results of these gene actions. */
export function actionComplaint({
  traits,
  gene_action: actions,
}: {
  traits: readonly string[];
  gene_action: readonly GeneAction[];
}): string | undefined {
  if (traits.length * actions.length > MOST_ACTION_RESULTS)
    return `${traits.length} traits under ${actions.length} gene actions are more than ${MOST_ACTION_RESULTS} results; start several runs.`;
  return actions.some((action) => traits.some((trait) => traits.includes(actionResult(trait, action))))
    ? 'Results of gene actions have the names of traits with " · " and the action; rename the trait.'
    : undefined;
}

/** The names of all results of a GWAS: of each trait, of each under each gene action, and of the traits together. */
export const resultNames = ({
  traits,
  gene_action,
  multi_trait,
}: {
  traits: readonly string[];
  gene_action: readonly GeneAction[];
  multi_trait: string | null;
}): string[] => [
  ...traits.flatMap((trait) => [trait, ...gene_action.map((action) => actionResult(trait, action))]),
  ...(multi_trait === null || multi_trait === 'none' ? [] : [JOINT_TRAIT]),
];

/** What results of this name are of: a trait, maybe under a gene action. */
export function partsOfResult(
  { traits, gene_action }: { traits: readonly string[]; gene_action: readonly GeneAction[] },
  name: string,
): { trait: string; action: GeneAction | null } {
  for (const action of gene_action) {
    const trait = traits.find((one) => actionResult(one, action) === name);
    if (trait !== undefined) return { trait, action };
  }
  return { trait: name, action: null };
}
