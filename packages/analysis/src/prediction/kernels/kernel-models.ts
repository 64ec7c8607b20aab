import { averageKernel, centredKernel, centreOf, distancesAcross } from '@heterosis/statgen/kernels/gaussian-kernel';
import type { Matrix } from '@heterosis/statgen/linear-algebra';
import { AnalysisError } from '../../context.ts';
import { usableMemoryMb } from '../../engine/machine-rates.ts';
import { gigabytes } from '../../engine/plan-engine.ts';
import type { EngineInput } from '../choose-engine.ts';
import type { KernelFigures, TraitFit } from '../trained-model.ts';

/** Models by a kernel of the distances between marker codes. */
export const DISTANCE_KERNELS = ['gaussian', 'kernel-average'] as const;
export type DistanceKernel = (typeof DISTANCE_KERNELS)[number];

/** Bandwidths of the averaged kernels, from wide to narrow. */
export const AVERAGED: readonly number[] = [0.2, 1, 5];

/** Kinship, distances, kernels and their parts, n × n. */
const MATRICES = 8;

/** Memory that kernels of so many individuals need, in MB. */
export const kernelMb = (individuals: number): number => (MATRICES * 8 * individuals ** 2) / 2 ** 20;

/**
 * Refuses kernels that do not fit into memory.
 *
 * @throws AnalysisError `analysis/does-not-fit`
 */
export function requireKernelMemory(
  individuals: number,
  { memoryMb = usableMemoryMb() }: Pick<EngineInput, 'memoryMb'>,
): void {
  const neededMb = kernelMb(individuals);
  if (neededMb <= memoryMb) return;
  throw new AnalysisError(
    'analysis/does-not-fit',
    `Kernels of ${individuals} individuals need ${gigabytes(neededMb)} of memory, and this machine has ${gigabytes(memoryMb)}.`,
    'Use fewer individuals, or a machine with more memory.',
    { individuals, memory_mb: Math.round(neededMb), machine_mb: Math.round(memoryMb) },
  );
}

/** Products of marker codes with their divisor: the kinships of a model. */
interface Products {
  kernels: readonly Matrix[];
  divisors: readonly number[];
}

/** The kernel of a fit, as its weights mean it: centred over the individuals of the training. */
export interface FittedKernel {
  /** Among all individuals of the products, those of the training first. */
  among: Matrix;
  /** Between these and others, and of each of these with itself; from their products. */
  withOthers(across: Matrix, own: Float64Array): { across: Matrix; own: Float64Array };
}

/**
 * The kernel of a fit from products of marker codes.
 *
 * @param trained individuals of the training, the first of the products
 */
export function fittedKernel(
  { bandwidths, median_distance }: KernelFigures,
  { kernels: [products], divisors: [divisor] }: Products,
  trained: number,
): FittedKernel {
  const n = products.rows;
  const rows = Float64Array.from({ length: n }, (_, i) => products.data[i * (n + 1)]);
  const median = median_distance / divisor;
  const between = (across: Matrix, columns: Float64Array): Matrix =>
    averageKernel(distancesAcross(across, { rows, columns }, median), bandwidths);
  const kernel = between(products, rows);
  const centre = centreOf(kernel, trained);
  return {
    among: centredKernel(kernel, centre),
    withOthers(across, own) {
      const found = between(across, own);
      const means = own.map((_, j) => {
        let sum = 0;
        for (let i = 0; i < trained; i++) sum += found.data[i + j * n];
        return sum / trained;
      });
      return {
        across: centredKernel(found, centre, means),
        // A line has no distance to itself.
        own: means.map((mean) => (1 - 2 * mean + centre.grand) / centre.scale),
      };
    },
  };
}

/** A fit that predicts by a kernel. */
export type KernelFit = TraitFit & { kernel: KernelFigures };

export const isKernelFit = (fit: TraitFit): fit is KernelFit => fit.kernel !== undefined;
