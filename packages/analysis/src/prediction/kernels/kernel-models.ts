import { averageKernel, distancesAcross } from '@heterosis/statgen/kernels/gaussian-kernel';
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

/** The kernel of a fit between individuals of its training and others, from their products with each other. */
export function kernelAcross(
  { bandwidths, median_distance: median }: KernelFigures,
  { kernels: [among], divisors: [divisor] }: Products,
  across: Matrix,
  own: Float64Array,
): Matrix {
  const rows = Float64Array.from({ length: among.rows }, (_, i) => among.data[i * (among.rows + 1)]);
  return averageKernel(distancesAcross(across, { rows, columns: own }, median / divisor), bandwidths);
}

/** The kernel of a fit among all individuals of some products. */
export function kernelAmong(figures: KernelFigures, products: Products): Matrix {
  const [among] = products.kernels;
  const own = Float64Array.from({ length: among.rows }, (_, i) => among.data[i * (among.rows + 1)]);
  return kernelAcross(figures, products, among, own);
}

/** A fit that predicts by a kernel. */
export type KernelFit = TraitFit & { kernel: KernelFigures };

export const isKernelFit = (fit: TraitFit): fit is KernelFit => fit.kernel !== undefined;
