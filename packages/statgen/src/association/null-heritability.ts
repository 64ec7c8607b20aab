import { covarianceFrom, type Heritability, heritabilityOf } from '../mixed-model/heritability.ts';
import type { GwasNull, NullModel } from './prepare-gwas.ts';
import type { AssociationTest } from './test-markers.ts';

/**
 * h² of the null model as each test uses it (REML for SCORE and WALD, maximum likelihood for LRT), the share of the
 * phenotypic variance explained by the kinship, and the standard errors of both. The errors come from the average
 * information ½(KᵢPy)ᵀP(KⱼPy) at these variances; they are undefined where h² is at a bound.
 */
export function nullHeritability(state: GwasNull, model: NullModel, test: AssociationTest): Heritability {
  const { contrastEigenvalues: d, n } = state;
  const order = d.length;
  const h2 = test === 'SCORE' ? model.scoreH2 : test === 'WALD' ? model.remlH2 : model.mlH2;
  let square = 0;
  let mean = 0;
  for (let i = 0; i < order; i++) {
    square += model.rotated[i] ** 2 / (1 + h2 * (d[i] - 1));
    mean += d[i] / order;
  }
  const total = square / (test === 'LRT' ? n : order);
  // With the components as shares of the total: V = total·v, Py = y/(total·v).
  const information = [
    [0, 0],
    [0, 0],
  ];
  for (let i = 0; i < order; i++) {
    const part = (0.5 * model.rotated[i] ** 2) / (total * (1 + h2 * (d[i] - 1)) ** 3);
    information[0][0] += part * d[i] * d[i];
    information[0][1] += part * d[i];
    information[1][1] += part;
  }
  information[1][0] = information[0][1];
  const isAtBound = h2 === 0 || h2 >= (test === 'SCORE' ? 1 : 0.99);
  return heritabilityOf(
    { additive: total * h2, dominance: null, residual: total * (1 - h2) },
    { additive: mean },
    isAtBound ? null : covarianceFrom(information, total),
  );
}
