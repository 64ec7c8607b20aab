import { addCovariates } from '@heterosis/statgen/association/add-covariates';
import { relativeErrors } from '@heterosis/statgen/association/prepare-gwas';
import { createMatrix, type Matrix } from '@heterosis/statgen/linear-algebra';
import { type CrossProducts, crossProducts } from '@heterosis/statgen/marker-space/dosage-products';
import { markerSpaceComponents } from '@heterosis/statgen/marker-space/fit-marker-space';
import { markerKinship } from '@heterosis/statgen/marker-space/marker-equations';
import type { PackedMarkers } from '@heterosis/statgen/marker-space/packed-markers';
import { weighMarkers } from '@heterosis/statgen/marker-space/weighed-markers';
import type { ErrorCovariance } from '@heterosis/statgen/mixed-model/whitening';
import { type AnalysisContext, reportProgress } from '../context.ts';
import type { GwasTests } from './gwas-state.ts';

type TestedColumns = Parameters<GwasTests['test']>[0];

/** Of some traits: what the equations of the markers are made of, and how the covariates were used. */
export interface MarkerSpaceModel {
  markers: PackedMarkers;
  kinship: ReturnType<typeof markerKinship>;
  individuals: Int32Array | null;
  products: CrossProducts;
  x: Matrix;
  uses: ReturnType<typeof addCovariates>['uses'];
}

/**
 * What the models of some traits need after another, computed from markers instead of individuals: their kinship, its
 * principal components as fixed effects, and the cross-products of the markers, which traits without errors share.
 *
 * @param setting `individuals` that are tested, null for all; `n` of them; `fixed` components; `axesFromProducts`
 *   where the components shall be those of the shared products
 */
export function markerSpaceModels(
  markers: PackedMarkers,
  setting: { individuals: Int32Array | null; n: number; fixed: number; axesFromProducts: boolean },
  context: AnalysisContext,
): (columns: TestedColumns, errors: ErrorCovariance | undefined) => MarkerSpaceModel {
  const { individuals, n, fixed } = setting;
  const productsOf = (counted: PackedMarkers): CrossProducts =>
    crossProducts(counted, individuals, ['copies'], (done, total) => reportProgress(context, 'kinship', done, total));
  let shared = setting.axesFromProducts && fixed > 0 ? productsOf(markers) : undefined;
  const kinship = markerKinship(markers, 'standardized');
  const components = markerSpaceComponents(markers, kinship, individuals, fixed, shared);
  return (columns, errors) => {
    const withAxes = createMatrix(n, 1 + fixed);
    withAxes.data.fill(1, 0, n);
    if (components !== null) withAxes.data.set(components.axes.data, n);
    const { x, uses } = addCovariates(withAxes, columns);
    const weighed = weighedBy(markers, individuals, x, errors);
    if (weighed === markers) shared ??= productsOf(markers);
    const products = weighed === markers && shared !== undefined ? shared : productsOf(weighed);
    return { markers: weighed, kinship, individuals, products, x, uses };
  };
}

/** Markers divided by the standard errors, as `prepareGwas` of statgen divides; as they are where all are alike. */
export function weighedBy(
  markers: PackedMarkers,
  individuals: Int32Array | null,
  x: Matrix,
  errors: ErrorCovariance | undefined,
): PackedMarkers {
  const relative = relativeErrors(errors, x);
  if (relative === null) return markers;
  if (!(relative instanceof Float64Array)) throw new TypeError('the equations of the markers take independent errors');
  return weighMarkers(markers, individuals, relative);
}
