import type {
  EvaluateInput,
  Evaluation,
  TraitEvaluation,
} from '@heterosis/analysis/prediction/evaluation/evaluate-model';
import { evaluateTogether, type TogetherEvaluation } from '@heterosis/analysis/prediction/evaluation/evaluate-together';
import type { ComputeContext } from '../../../../platform/compute/compute.ts';
import { type Compared, comparedModels, type ModelOnFolds } from './compared-models.ts';

/** Evaluates all traits of a model together, as new lines and as known lines, and describes some of them. */
export async function traitsTogether(
  input: EvaluateInput,
  described: readonly string[],
  context: ComputeContext,
): Promise<(TraitEvaluation & { compared: Compared })[]> {
  const found = await evaluateTogether({ ...input, schemes: ['cv1', 'cv2'] }, context);
  return described.map((name) => {
    const place = input.traits.indexOf(name);
    const [cv1, cv2] = found.filter((_, k) => k % input.traits.length === place);
    if (cv1 === undefined || cv2 === undefined) throw new TypeError(`the trait ${name} was not evaluated`);
    return { trait: cv1.trait, error: null, evaluation: evaluationOf(cv1), compared: comparisonOf(cv1, cv2) };
  });
}

/** As of one trait: of lines without any record. */
const evaluationOf = (cv1: TogetherEvaluation): Evaluation => ({
  ...cv1,
  withoutCovariate: 0,
  engine: { name: 'individuals', reason: 'Several traits together are computed from the kinship of the individuals.' },
});

function comparisonOf(cv1: TogetherEvaluation, cv2: TogetherEvaluation): Compared {
  const { alone } = cv1;
  const models: ModelOnFolds[] = [
    ...(alone === null ? [] : [{ model: 'rrblup' as const, scheme: 'cv1' as const, ...alone }]),
    { ...cv1, model: 'multi-trait' },
    { ...cv2, model: 'multi-trait' },
  ];
  return comparedModels(cv1.trait, models);
}
